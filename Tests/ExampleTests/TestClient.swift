import Foundation
import Lensed
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
    limits: DocumentServer.Limits = .init(), clock: ManualClock = ManualClock(),
    _ body: (RunningServer) async throws -> Void
  ) async throws {
    let service = RunningServer(
      server: try DocumentServer(limits: limits, clock: clock), readiness: try Readiness())
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
    TestClient(
      connection: Connection(
        socket: try Socket.connecting(to: server.port), readiness: readiness))
  }

  /// The whole answer to one request.
  func ask(_ method: String, _ path: String, body: String? = nil) async throws -> Answer {
    let client = try connect()
    try await client.send(client.request(method, path, body: body, port: server.port))
    return try await client.answer()
  }

  /// Applies edits as one commit.
  func edit(_ id: String, _ edits: String) async throws {
    let answer = try await ask("POST", "/documents/\(id)/edits", body: edits)
    try #require(answer.status == 200, "\(answer.text)")
  }

  /// A reader of events whose answer has begun.
  func listen(_ path: String) async throws -> EventReader {
    let client = try connect()
    try await client.send(client.request("GET", path, body: nil, port: server.port))
    var reader = EventReader(client: client)
    try await reader.readHead()
    return reader
  }

  /// Returns when so many clients are connected.
  func waitForClients(_ count: Int) async {
    for await clients in server.state.states(\.clients) where clients == count { return }
  }
}

/// What came back.
struct Answer {
  let status: Int
  let head, text: String

  func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}

/// One connection, and nothing that the server's own code decides.
struct TestClient: Sendable {
  let connection: Connection

  func request(_ method: String, _ path: String, body: String?, port: UInt16) -> String {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost:\(port)"]
    if let body {
      lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
    }
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
  }

  func send(_ text: String) async throws {
    // The handshake of a connection that has just begun may still be under way.
    try await connection.readiness.wait(for: .writable, on: connection.socket)
    try await connection.write(Array(text.utf8))
  }

  /// Everything until the server closes.
  func answer() async throws -> Answer {
    var bytes: [UInt8] = []
    while true {
      let more = try await connection.read(atMost: 65_536)
      if more.isEmpty { break }
      bytes += more
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let end = try #require(text.range(of: "\r\n\r\n"), "\(text)")
    let status = try #require(Int(text.dropFirst("HTTP/1.1 ".count).prefix(3)))
    return Answer(
      status: status, head: String(text[..<end.lowerBound]), text: String(text[end.upperBound...]))
  }
}

/// Reads server-sent events one by one.
struct EventReader {
  struct Event: Equatable {
    var name = ""
    var id: String?
    var data = ""

    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
      try JSONDecoder().decode(type, from: Data(data.utf8))
    }
  }

  let client: TestClient
  private var received: [UInt8] = []

  init(client: TestClient) {
    self.client = client
  }

  fileprivate mutating func readHead() async throws {
    let head = try #require(try await block(endedBy: [13, 10, 13, 10]))
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(head.contains("Content-Type: text/event-stream"))
  }

  /// The next event, or nil at the end.
  mutating func next() async throws -> Event? {
    guard let block = try await block(endedBy: [10, 10]) else { return nil }
    var event = Event()
    for line in block.split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1)
      switch parts[0] {
      case "event": event.name = String(parts[1])
      case "id": event.id = String(parts[1])
      default: event.data += parts[1]
      }
    }
    return event
  }

  /// The next document of a stream of documents.
  mutating func document() async throws -> Document {
    try #require(try await next()).decoded(as: Document.self)
  }

  private mutating func block(endedBy mark: [UInt8]) async throws -> String? {
    var scanned = 0
    while true {
      if let start = received.dropFirst(scanned).firstRange(of: mark)?.lowerBound {
        let block = String(decoding: received[..<start], as: UTF8.self)
        received.removeFirst(start + mark.count)
        return block
      }
      scanned = max(received.count - mark.count, 0)
      let bytes = try await client.connection.read(atMost: 65_536)
      if bytes.isEmpty { return nil }
      received += bytes
    }
  }
}
