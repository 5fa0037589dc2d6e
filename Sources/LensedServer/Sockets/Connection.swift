#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// One client: reads and writes that suspend instead of blocking.
  ///
  /// It buffers nothing. A writer goes on when the system has taken the bytes: that is the
  /// back-pressure.
  package struct Connection: Sendable {
    /// A client that took no byte for too long.
    package struct Stalled: Error {}

    package let socket: Socket
    package let readiness: Readiness
    /// How long a write waits for the client to take anything.
    var patience: Duration = .seconds(30)
    var clock: any Clock<Duration> = ContinuousClock()

    package init(
      socket: Socket, readiness: Readiness, patience: Duration = .seconds(30),
      clock: any Clock<Duration> = ContinuousClock()
    ) {
      (self.socket, self.readiness) = (socket, readiness)
      (self.patience, self.clock) = (patience, clock)
    }

    /// The next bytes; none at the end.
    package func read(atMost count: Int = 4_096) async throws -> [UInt8] {
      while true {
        if let bytes = try socket.read(atMost: count) { return bytes }
        try await readiness.wait(for: .readable, on: socket)
      }
    }

    /// Returns when all of the bytes are on their way.
    package func write(_ bytes: [UInt8]) async throws {
      var rest = bytes[...]
      while !rest.isEmpty {
        if let count = try socket.write(rest) {
          rest = rest.dropFirst(count)
        } else {
          try await Self.within(patience, clock, else: Stalled()) {
            try await readiness.wait(for: .writable, on: socket)
          }
        }
      }
    }

    /// Returns when the client has closed its side; what it still sends is ignored.
    package func waitForEnd() async throws {
      while try await !read().isEmpty {}
    }

    /// Does work that is cancelled when it takes too long.
    static func within<Result: Sendable>(
      _ duration: Duration, _ clock: any Clock<Duration>, else error: any Error,
      _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
      try await withThrowingTaskGroup(of: Result.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await work() }
        group.addTask {
          try await clock.sleep(for: duration)
          throw error
        }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
      }
    }
  }
#endif
