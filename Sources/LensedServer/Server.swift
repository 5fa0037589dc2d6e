#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  import Synchronization

  /// A small HTTP/1.1 server on the loopback interface: one request and one response for each connection.
  ///
  /// The cycle of a client:
  ///
  /// 1. It is accepted at once, and is *idle* until its request is there. The number of idle clients is bounded: when
  ///    one too many comes, the server leaves the client that has been idle for longest. So clients that send nothing
  ///    keep no other out, however many they are.
  /// 2. Its request is read within a bounded time and size.
  /// 3. It has its *turn*: so many clients are served at once, and the next wait in line. The line is bounded, too:
  ///    beyond it the response is 503.
  /// 4. Its response is written as the client takes it. A client that takes nothing for too long is left.
  /// 5. It is idle again until it has closed its side, for a bounded time: closing with unread bytes would reset the
  ///    connection, and the response might be lost.
  ///
  /// What goes wrong with one client is no concern of the others. Where there is no descriptor or no memory for another
  /// client, the server leaves the half of the idle clients that have been idle for longest, and tries again soon.
  /// Where its own listener has failed for good, it ends with that error.
  package final class Server: Sendable {
    /// What it takes from clients.
    package struct Limits: Sendable {
      /// How many are served at once.
      package var clients = 200
      /// How many whose request has been read wait for their turn.
      package var line = 64
      /// How many may be connected without having sent their request, or after their response.
      package var idle = 64
      /// How many bytes a body has at most.
      package var body = 65_536
      /// How long a client may take to send its request.
      package var request = Duration.seconds(10)
      /// How long a client may take no byte of a response.
      package var stall = Duration.seconds(30)
      /// How many bytes of a response the system keeps under way; it takes about twice as many.
      package var underWay: CInt = 65_536

      package init() {}
    }

    /// What a request is responded to with.
    package enum Answer: Sendable {
      case response(Response)
      case events(@Sendable (ServerSentEvents) async throws -> Void)
    }

    /// What happens to a client, to be counted.
    package enum Event: Sendable {
      /// It has its turn.
      case came
      /// It has been responded to, or has gone.
      case left
      /// It took no byte for too long; it leaves, too.
      case stalled
    }

    package let port: UInt16

    private let listener: Socket
    private let readiness: Readiness
    private let limits: Limits
    private let clock: any Clock<Duration>
    private let notify: @Sendable (Event) -> Void
    private let answer: @Sendable (Request, UInt16) async throws -> Answer
    private let idle: IdleClients
    private let turns: Turns

    /// Listens from now on, on any free port for 0; clients wait until `run()`.
    ///
    /// - Parameters:
    ///   - port: The port, or 0.
    ///   - limits: What it takes from clients.
    ///   - clock: The clock that measures the limits.
    ///   - notify: Is told of each client that is served, under no lock.
    ///   - answer: Responds to a request, at the port of the server; a `Refusal` that it throws is a response, any other error closes the
    ///     connection.
    /// - Throws: `SocketError` where the port cannot be had, or no thread can wait for clients.
    package init(
      port: UInt16 = 0, limits: Limits = Limits(), clock: any Clock<Duration> = ContinuousClock(),
      notify: @escaping @Sendable (Event) -> Void = { _ in },
      answer: @escaping @Sendable (_ request: Request, _ port: UInt16) async throws -> Answer
    ) throws {
      (listener, self.port) = try Socket.listening(on: port)
      readiness = try Readiness()
      (self.limits, self.clock, self.notify, self.answer) = (limits, clock, notify, answer)
      idle = IdleClients(limit: limits.idle)
      turns = Turns(count: limits.clients, line: limits.line)
    }

    deinit { readiness.stop() }

    /// Serves until the task is cancelled; when it returns, every client has been left, and others are refused.
    ///
    /// - Throws: `SocketError` where its listener has failed for good.
    package func run() async throws {
      defer {
        readiness.stop()
        // The system has accepted clients that this loop has not: they would wait for an answer for ever.
        while let socket = try? listener.accept() { socket.hangUp() }
        listener.hangUp()
      }
      do {
        try await withThrowingDiscardingTaskGroup { group in
          while true {
            do {
              try await readiness.wait(for: .readable, on: listener)
              guard let socket = try listener.accept() else { continue }
              let place = idle.add(socket)
              group.addTask { await self.serve(socket, place) }
            } catch let error as SocketError where !error.isEndOfListener {
              if error.isExhaustion { idle.leaveOlderHalf() }
              // The next client still waits, so without a pause this would only fail again.
              try await clock.sleep(for: .milliseconds(50))
            }
          }
        }
      } catch is CancellationError {}
    }

    private func serve(_ socket: Socket, _ place: Int) async {
      let connection = Connection(
        socket: socket, readiness: readiness, patience: limits.stall, clock: clock)
      defer { idle.remove(place) }
      do {
        try socket.keepLittle(bytes: limits.underWay)
        do {
          guard let request = try await request(from: connection) else { return }
          idle.remove(place)
          try await turns.take()
          defer { turns.giveBack() }
          notify(.came)
          defer { notify(.left) }
          do {
            try await respond(to: request, on: connection)
          } catch let stalled as Connection.Stalled {
            notify(.stalled)
            throw stalled
          }
        } catch let refusal as Refusal {
          try await connection.write(Response(refusal).bytes)
        }
        socket.endWriting()
        let rest = idle.add(socket)
        defer { idle.remove(rest) }
        try await Connection.within(limits.request, clock, else: Connection.Stalled()) {
          try await connection.waitForEnd()
        }
      } catch {
        // The client has gone, took too long, or the server is being stopped.
      }
    }

    /// The request, or nil where the client closes before its end.
    private func request(from connection: Connection) async throws -> Request? {
      try await Connection.within(
        limits.request, clock, else: Refusal(.requestTimeout, "The request took too long.")
      ) { [limits] in
        var parser = RequestParser(maximumBody: limits.body)
        while true {
          let bytes = try await connection.read(atMost: 16_384)
          if bytes.isEmpty { return nil }
          if let request = try parser.feed(bytes) { return request }
        }
      }
    }

    private func respond(to request: Request, on connection: Connection) async throws {
      do {
        switch try await answer(request, port) {
        case .response(let response): try await connection.write(response.bytes)
        case .events(let write): try await ServerSentEvents.run(on: connection, write)
        }
      } catch let refusal as Refusal {
        try await connection.write(Response(refusal).bytes)
      }
    }
  }

  /// The clients from which nothing is expected soon, in the order in which they came.
  private final class IdleClients: Sendable {
    private struct State {
      var sockets: [Int: Socket] = [:]
      /// The first number that may be there, and the next one.
      var oldest = 0
      var next = 0

      mutating func takeOldest() -> Socket? {
        while oldest < next {
          let socket = sockets.removeValue(forKey: oldest)
          oldest += 1
          if let socket { return socket }
        }
        return nil
      }
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) {
      self.limit = limit
    }

    /// Notes a client; where there are too many, the oldest is left.
    func add(_ socket: Socket) -> Int {
      let (place, tooOld) = state.withLock { state in
        let place = state.next
        state.next += 1
        state.sockets[place] = socket
        return (place, state.sockets.count > limit ? state.takeOldest() : nil)
      }
      tooOld?.hangUp()
      return place
    }

    /// Leaves the older half of the clients, also where there is but one.
    ///
    /// One at a time would not make room as fast as others come.
    func leaveOlderHalf() {
      let older = state.withLock { state in
        (0..<(state.sockets.count + 1) / 2).compactMap { _ in state.takeOldest() }
      }
      for socket in older { socket.hangUp() }
    }

    func remove(_ place: Int) {
      let socket = state.withLock { $0.sockets.removeValue(forKey: place) }
      // Closing is a call of the system, so the socket is released after the lock.
      withExtendedLifetime(socket) {}
    }
  }

  /// So many turns at once; a client that comes later waits in line.
  private final class Turns: Sendable {
    private struct State {
      var free: Int
      var line: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
      var last = 0
    }

    private let state: Mutex<State>
    private let limit: Int

    init(count: Int, line: Int) {
      state = Mutex(State(free: count))
      limit = line
    }

    /// Returns when it is the caller's turn.
    ///
    /// - Throws: A refusal where the line is full; `CancellationError`.
    func take() async throws {
      let id = state.withLock { state in
        state.last += 1
        return state.last
      }
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let answer: Result<Void, any Error>? = state.withLock { state in
            // A cancellation from here on finds the place in the line; an earlier one is seen here.
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.free > 0 {
              state.free -= 1
              return .success(())
            }
            if state.line.count >= limit {
              return .failure(Refusal(.unavailable, "There are too many clients. Try again."))
            }
            state.line.append((id, continuation))
            return nil
          }
          if let answer { continuation.resume(with: answer) }
        }
      } onCancel: {
        let place = state.withLock { state in
          state.line.firstIndex { $0.id == id }.map { state.line.remove(at: $0) }
        }
        place?.continuation.resume(throwing: CancellationError())
      }
    }

    func giveBack() {
      let next = state.withLock { state in
        if state.line.isEmpty {
          state.free += 1
          return CheckedContinuation<Void, any Error>?.none
        }
        return state.line.removeFirst().continuation
      }
      next?.resume()
    }
  }
#endif
