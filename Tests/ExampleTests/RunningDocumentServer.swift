import Foundation
import Lensed
import LensedServer
import LensedTestSupport
import Testing

@testable import document_server

/// A server on a port of its own, and what its clients wait with.
struct RunningServer: Sendable {
  let server: DocumentServer
  let readiness: Readiness

  /// Runs a server for as long as `body` takes, and waits until it has left every client.
  ///
  /// Its patience is measured by a clock that stands still: on a busy machine a client that is slow on purpose would
  /// otherwise be left before the test has come to it.
  static func run(
    keepingIn folder: URL? = nil, limits: DocumentServer.Limits = .init(),
    clock: ManualClock = ManualClock(), _ body: (RunningServer) async throws -> Void
  ) async throws {
    let service = RunningServer(
      server: try DocumentServer(keepingIn: folder, limits: limits, clock: clock),
      readiness: try Readiness())
    defer { service.readiness.stop() }
    let running = Task { try await service.server.run() }
    defer { running.cancel() }
    try await body(service)
    running.cancel()
    try await running.value
    #expect(service.server.state.clients == 0)
  }

  /// A new client.
  func connect() throws -> TestClient {
    try TestClient(port: server.port, readiness)
  }

  /// The whole answer to one request.
  func ask(_ method: String, _ path: String, body: String? = nil) async throws -> Answer {
    let client = try connect()
    try await client.send(client.request(method, path, body: body))
    return try await client.answer()
  }

  /// Applies edits as one commit.
  func edit(_ id: String, _ edits: String) async throws {
    let answer = try await ask("POST", "/documents/\(id)/edits", body: edits)
    try #require(answer.status == 200, "\(answer.text)")
  }

  /// A reader of events whose answer has begun.
  func listen(_ path: String) async throws -> EventReader {
    try await EventReader(of: path, port: server.port, readiness)
  }

  /// Returns when so many clients are connected.
  func waitForClients(_ count: Int) async {
    for await clients in server.state.states(\.clients) where clients == count { return }
  }
}

extension EventReader {
  /// The next document of a stream of documents.
  mutating func document() async throws -> Document {
    try #require(try await next()).decoded(as: Document.self)
  }
}
