#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// A response without end: events that are sent as they come and as the client takes them.
  ///
  /// Nothing is buffered. `send` returns when the system has taken the event, so a slow client slows down the
  /// writer of its own events, and no other; a client that takes nothing for too long throws `Connection.Stalled`.
  package struct ServerSentEvents: Sendable {
    let connection: Connection

    /// Sends the head of the response: a writer that listens first and then begins misses nothing.
    package func begin() async throws {
      try await connection.write(Response.eventStream)
    }

    /// Sends one event.
    ///
    /// - Parameters:
    ///   - name: The event's name, without line breaks.
    ///   - id: What a client that connects again says it has seen.
    ///   - value: The data. JSON without line breaks fits on one line.
    /// - Throws: `Connection.Stalled`, an error of the system, or one of the encoder.
    package func send(_ name: String, id: String? = nil, _ value: some Encodable) async throws {
      try await send(name, id: id, json: try Response.json(value))
    }

    /// Sends one event whose data is JSON already, without line breaks.
    package func send(_ name: String, id: String? = nil, json: some Sequence<UInt8>) async throws {
      var bytes = Array("event: \(name)\n".utf8)
      if let id { bytes += Array("id: \(id)\n".utf8) }
      bytes += Array("data: ".utf8)
      bytes += json
      try await connection.write(bytes + [10, 10])
    }

    /// Returns when the client has gone, or `write` has returned.
    static func run(
      on connection: Connection,
      _ write: @escaping @Sendable (ServerSentEvents) async throws -> Void
    ) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await connection.waitForEnd() }
        group.addTask { try await write(ServerSentEvents(connection: connection)) }
        try await group.next()
      }
    }
  }
#endif
