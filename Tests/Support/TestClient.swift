#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  import Foundation
  package import LensedServer
  import Testing

  /// What came back.
  package struct Answer: Sendable {
    package let status: Int
    package let head, text: String

    package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
      try JSONDecoder().decode(type, from: Data(text.utf8))
    }
  }

  /// One connection, and nothing that the server's own code decides.
  package struct TestClient: Sendable {
    package let connection: Connection
    private let port: UInt16

    package init(port: UInt16, _ readiness: Readiness) throws {
      self.port = port
      connection = Connection(socket: try Socket.connecting(to: port), readiness: readiness)
    }

    /// The whole answer to one request.
    package static func ask(
      _ method: String, _ path: String, body: String? = nil, port: UInt16, _ readiness: Readiness
    ) async throws -> Answer {
      let client = try TestClient(port: port, readiness)
      try await client.send(client.request(method, path, body: body))
      return try await client.answer()
    }

    package func request(_ method: String, _ path: String, body: String? = nil) -> String {
      var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost:\(port)"]
      if let body {
        lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
      }
      return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    package func send(_ text: String) async throws {
      // The handshake of a connection that has just begun may still be under way.
      try await connection.readiness.wait(for: .writable, on: connection.socket)
      try await connection.write(Array(text.utf8))
    }

    /// Everything until the server closes.
    package func answer() async throws -> Answer {
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
        status: status, head: String(text[..<end.lowerBound]), text: String(text[end.upperBound...])
      )
    }
  }

  /// Reads server-sent events one by one.
  package struct EventReader: Sendable {
    package struct Event: Equatable, Sendable {
      package var name = ""
      package var id: String?
      package var data = ""

      package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(data.utf8))
      }
    }

    private let client: TestClient
    private var received: [UInt8] = []

    /// Asks for a stream; it has begun when this returns.
    package init(of path: String, port: UInt16, _ readiness: Readiness) async throws {
      client = try TestClient(port: port, readiness)
      try await client.send(client.request("GET", path))
      let head = try #require(try await block(endedBy: [13, 10, 13, 10]))
      try #require(head.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(head)")
      #expect(head.contains("Content-Type: text/event-stream"))
    }

    /// The next event, or nil at the end.
    package mutating func next() async throws -> Event? {
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
#endif
