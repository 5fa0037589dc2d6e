#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  import Lensed

  /// A store per document behind plain HTTP, on the loopback interface.
  ///
  /// | request | answer |
  /// |---|---|
  /// | `GET /documents/ID` | the document, as JSON |
  /// | `POST /documents/ID/edits` | applies a list of edits as one commit, and opens the document |
  /// | `GET /documents/ID/events` | the document now and whenever it differs; a slow client skips to the newest |
  /// | `GET /documents/ID/log` | every commit from now on; a slow client is told how many it missed |
  /// | `DELETE /documents/ID` | closes the document, and with it every stream of it |
  /// | `GET /status` | how many clients there are |
  ///
  /// What a client can make it keep is bounded: the request, one event, 64 commits of a log. It is an
  /// example: whoever can open a connection to this machine's loopback may edit.
  final class DocumentServer: Sendable {
    /// What it takes from clients.
    struct Limits: Sendable {
      var clients = 200
      var documents = 1_000
      /// How long a client may take to send its request.
      var request = Duration.seconds(10)
      /// How long a client may take no byte of an answer.
      var stall = Duration.seconds(30)
      /// How many bytes of an answer the system keeps under way; it takes about twice as many.
      var underWay: CInt = 65_536
    }

    let port: UInt16
    /// What it knows of itself.
    let state: Store<ServerState>

    private let listener: Socket
    private let router: Router
    private let limits: Limits
    private let clock: any Clock<Duration>

    /// Listens from now on, on any free port for 0; clients wait until `run()`.
    init(
      port: UInt16 = 0, limits: Limits = Limits(), clock: any Clock<Duration> = ContinuousClock()
    ) throws {
      (listener, self.port) = try Socket.listening(on: port)
      state = try ServerState.makeStore()
      router = Router(
        shelf: try Shelf(limit: limits.documents), state: state, port: self.port)
      (self.limits, self.clock) = (limits, clock)
    }

    /// Serves until the task is cancelled; when it returns, every client has been left.
    func run() async throws {
      let readiness = try Readiness()
      defer { readiness.stop() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await self.acceptClients(readiness) }
        // The task that accepts clients ends by cancellation, or by an error of the system.
        do { try await group.next() } catch is CancellationError {}
      }
    }

    private func acceptClients(_ readiness: Readiness) async throws {
      try await withThrowingDiscardingTaskGroup { group in
        while true {
          // While there are as many as it takes, the others wait in the system's queue.
          for await clients in state.states(\.clients) where clients < limits.clients { break }
          try await readiness.wait(for: .readable, on: listener)
          guard let socket = try listener.accept() else { continue }
          state.dispatch(ClientCame())
          group.addTask {
            await self.serve(socket, readiness)
            self.state.dispatch(ClientLeft())
          }
        }
      }
    }

    /// Reads one request and answers it.
    ///
    /// What goes wrong with one client is no concern of the others.
    private func serve(_ socket: Socket, _ readiness: Readiness) async {
      let connection = Connection(
        socket: socket, readiness: readiness, patience: limits.stall, clock: clock)
      do {
        try socket.keepLittle(bytes: limits.underWay)
        do {
          let request = try await Connection.within(
            limits.request, clock, else: Refusal(.requestTimeout, "The request took too long.")
          ) { try await Self.request(from: connection) }
          guard let request else { return }
          switch try router.route(request) {
          case .response(let response): try await connection.write(response.bytes)
          case .stream(let stream): try await stream.send(to: connection)
          }
        } catch let refusal as Refusal {
          try await connection.write(Response(refusal).bytes)
        }
        // Closing with unread bytes would reset the connection, and the answer might be lost.
        socket.endWriting()
        try await Connection.within(limits.request, clock, else: Connection.Stalled()) {
          try await connection.waitForEnd()
        }
      } catch is Connection.Stalled {
        state.dispatch(ClientStalled())
      } catch {
        // The client has gone, or the server is being stopped.
      }
    }

    /// The request, or nil where the client closes before its end.
    private static func request(from connection: Connection) async throws -> Request? {
      var parser = RequestParser()
      while true {
        let bytes = try await connection.read()
        if bytes.isEmpty { return nil }
        if let request = try parser.feed(bytes) { return request }
      }
    }
  }
#endif
