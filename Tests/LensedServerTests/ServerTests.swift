#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  import Foundation
  import LensedServer
  import LensedTestSupport
  import LensedTesting
  import Testing

  /// Nothing here waits by time: the server measures patience by a clock that stands still unless a test moves it.
  @Suite("The server: its clients", .timeLimit(.minutes(30)))
  struct ServerTests {
    @Test func `clients that send nothing keep nobody out`() async throws {
      try await Running.run { running in
        var idle: [TestClient] = []
        for _ in 0..<300 { idle.append(try running.connect()) }
        #expect(try await running.ask("GET", "/hello").text == "hello")
        // Nor do those that begin a request and never end it.
        for client in idle.suffix(8) { try await client.send("GET /hello HTT") }
        #expect(try await running.ask("GET", "/hello").text == "hello")
        withExtendedLifetime(idle) {}
      }
    }

    @Test func `clients that keep their side open after the response keep nobody out`() async throws
    {
      var limits = Server.Limits()
      limits.clients = 1
      limits.idle = 4
      try await Running.run(limits: limits) { running in
        var lingering: [TestClient] = []
        for _ in 0..<12 {
          let client = try running.connect()
          try await client.send(client.request("GET", "/hello"))
          #expect(try await client.answer().text == "hello")
          lingering.append(client)
        }
        withExtendedLifetime(lingering) {}
      }
    }

    @Test func `the newest idle clients stay, the oldest are left`() async throws {
      var limits = Server.Limits()
      limits.idle = 2
      try await Running.run(limits: limits) { running in
        let first = try running.connect()
        try await first.send("GET /hello HTTP/1.1\r\n")
        let others = try [running.connect(), running.connect()]
        // The server closes the first one, without a response.
        #expect(try await first.connection.read() == [])
        try await others[1].send(others[1].request("GET", "/hello"))
        #expect(try await others[1].answer().text == "hello")
      }
    }

    #if os(Linux) || os(macOS)
      @Test func `where no descriptor is free, an idle client is left and the next one is served`()
        async
      {
        await #expect(processExitsWith: .success) {
          try await Descriptors.runTask {
            let clock = ManualClock()
            try await Running.run(clock: clock) { running in
              let idle = try running.connect()
              await clock.waitForSleeps(1)
              var others = Descriptors.takeAll(of: 100)
              close(others.removeLast())
              let next = try running.connect()
              #expect(try await idle.connection.read() == [])
              // The pause after the failure, beside the time that the idle client had.
              await clock.waitForSleeps(2)
              close(others.removeLast())
              clock.move(by: .milliseconds(50))
              try await next.send(next.request("GET", "/hello"))
              #expect(try await next.answer().text == "hello")
              for descriptor in others { close(descriptor) }
            }
          }
        }
      }

      @Test(arguments: Descriptors.Loss.allCases)
      func `a listener that has failed for good ends the server with the error`(
        loss: Descriptors.Loss
      ) async {
        await #expect(processExitsWith: .success) { [loss] in
          // Whatever is opened later takes these two numbers, and not that of the listener.
          let free = (0..<2).map { _ in dup(STDERR_FILENO) }
          let server = try Running.makeServer(.init(), ManualClock()) { _ in }
          try Descriptors.lose(Descriptors.listener(), by: loss)
          for descriptor in free { close(descriptor) }
          let error = await #expect(throws: SocketError.self) { try await server.run() }
          #expect(error?.code == loss.code)
          // The process ends, and what has its number is not closed.
          withExtendedLifetime(server) {}
        }
      }

      @Test func `more tasks wait for sockets than the process may have descriptors`() async {
        await #expect(processExitsWith: .success) {
          try await Running.run { running in
            let client = try running.connect()
            for descriptor in Descriptors.takeAll(of: 100) { close(descriptor) }
            try await withThrowingDiscardingTaskGroup { group in
              for _ in 0..<200 {
                group.addTask {
                  try await running.readiness.wait(for: .readable, on: client.connection.socket)
                }
              }
              try await client.send(client.request("GET", "/hello"))
            }
            #expect(try await client.answer().text == "hello")
          }
        }
      }
    #endif

    @Test func `so many are served at once, so many wait, and the next is told to try again`()
      async throws
    {
      var limits = Server.Limits()
      limits.clients = 1
      limits.line = 1
      try await Running.run(limits: limits) { running in
        var events: EventReader? = try await running.listen("/endless")
        _ = try await events?.next()
        // One of two waits for its turn, the other finds the line full: which one is not said.
        let statuses = Recorder<Int>()
        let answers = Task {
          try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
              group.addTask {
                statuses.append(try await running.ask("GET", "/hello").status)
              }
            }
            try await group.waitForAll()
          }
        }
        await statuses.waitForCount(1)
        #expect(statuses.values == [503])
        events = nil
        try await answers.value
        #expect(statuses.values == [503, 200])
      }
    }

    @Test func `a client that goes away while it waits for its turn takes none`() async throws {
      var limits = Server.Limits()
      limits.clients = 1
      try await Running.run(limits: limits) { running in
        var events: EventReader? = try await running.listen("/endless")
        for _ in 0..<8 {
          let client = try running.connect()
          try await client.send(client.request("GET", "/hello"))
        }
        _ = try await events?.next()
        events = nil
        #expect(try await running.ask("GET", "/hello").text == "hello")
      }
    }

    @Test func `a request that does not come is not waited for`() async throws {
      let clock = ManualClock()
      try await Running.run(clock: clock) { running in
        let client = try running.connect()
        try await client.send("GET /hello HTT")
        await clock.waitForSleepers()
        clock.move(by: .seconds(10))
        #expect(try await client.answer().status == 408)
      }
    }

    @Test func `a client that takes nothing for too long is left, and others are not`()
      async throws
    {
      let clock = ManualClock()
      let events = Recorder<Server.Event>()
      try await Running.run(clock: clock, notify: { events.append($0) }) { running in
        let slow = try running.connect()
        try await slow.send(slow.request("GET", "/big"))
        // Its request has been read, so that is no longer waited for.
        _ = try await slow.connection.read(atMost: 10)
        #expect(try await running.ask("GET", "/hello").text == "hello")
        // The system takes some of the answer now and then, and each time the wait begins anew.
        while !events.values.contains(.stalled) {
          clock.move(by: .seconds(30))
          await Task.yield()
        }
        await events.waitForCount(5)
        #expect(events.values.filter { $0 == .stalled }.count == 1)
        withExtendedLifetime(slow) {}
      }
    }

    @Test func `a stopped server leaves its clients, those in line too`() async throws {
      var limits = Server.Limits()
      limits.clients = 1
      let readiness = try Readiness()
      defer { readiness.stop() }
      let running = Running(
        server: try Running.makeServer(limits, ManualClock()) { _ in }, readiness: readiness)
      let serving = Task { try await running.server.run() }
      var events = try await running.listen("/endless")
      _ = try await events.next()
      let waiting = try running.connect()
      try await waiting.send(waiting.request("GET", "/hello"))
      serving.cancel()
      try await serving.value
      #expect(try await events.next() == nil)
      #expect((try? await waiting.connection.read()) ?? [] == [])
    }

    @Test func `a host that is not this machine's loopback is refused where it is asked for`()
      async throws
    {
      try await Running.run { running in
        let hosts = [
          "localhost:\(running.server.port)": 200, "127.0.0.1:\(running.server.port)": 200,
          "LOCALHOST": 200, "elsewhere.example": 421, "localhost.elsewhere.example": 421,
          "127.0.0.1:1": 421, "": 421, "[::1]": 421,
          "localhost:\(running.server.port).example": 421,
        ]
        for (host, status) in hosts {
          let client = try running.connect()
          try await client.send("GET /local HTTP/1.1\r\nHost: \(host)\r\n\r\n")
          #expect(try await client.answer().status == status, "\(host.debugDescription)")
        }
      }
    }

    @Test func `nobody reaches it at another address of the machine`() async throws {
      try await Running.run { running in
        #expect(Interfaces.listening(at: running.server.port) == ["127.0.0.1"])
      }
      // What listens on every interface is found at others, too.
      try Interfaces.listeningOnAll { port in
        let found = Interfaces.listening(at: port)
        #expect(found.contains("127.0.0.1"))
        #if os(Linux)
          #expect(found.contains("127.0.0.2"))
        #endif
      }
    }

    @Test func `an error that is no refusal closes the connection`() async throws {
      try await Running.run { running in
        let client = try running.connect()
        try await client.send(client.request("GET", "/error"))
        #expect(try await client.connection.read() == [])
        #expect(try await running.ask("GET", "/hello").text == "hello")
      }
    }

    @Test func `a response carries its headers, and no cache keeps it`() async throws {
      try await Running.run { running in
        let head = try await running.ask("GET", "/hello").head
        #expect(head.contains("\r\nCache-Control: no-store\r\n"))
        #expect(head.contains("\r\nX-Content-Type-Options: nosniff\r\n"))
        #expect(head.hasSuffix("\r\nX-Of-Its-Own: 1"))
      }
    }
  }

  /// A server on a port of its own, and what its clients wait with.
  private struct Running: Sendable {
    let server: Server
    let readiness: Readiness

    static func makeServer(
      _ limits: Server.Limits, _ clock: ManualClock,
      _ notify: @escaping @Sendable (Server.Event) -> Void
    ) throws -> Server {
      try Server(limits: limits, clock: clock, notify: notify) { request, port in
        switch request.path {
        case ["hello"]:
          var response = Response(.ok, text: "hello")
          response.headers = ["X-Of-Its-Own: 1"]
          return .response(response)
        case ["local"]:
          try request.requireLoopbackHost(port: port)
          return .response(Response(.ok, text: "local"))
        case ["big"]:
          return .response(Response(.ok, body: [UInt8](repeating: 32, count: 8_000_000)))
        case ["error"]: throw CancellationError()
        case ["endless"]:
          return .events { client in
            try await client.begin()
            try await client.send("first", 1)
            let (endless, end) = AsyncStream<Int>.makeStream()
            for await _ in endless {}
            withExtendedLifetime(end) {}
          }
        default: throw Refusal(.notFound, "There is nothing at this path.")
        }
      }
    }

    /// Runs a server for as long as `body` takes, and waits until it has left every client.
    static func run(
      limits: Server.Limits = .init(), clock: ManualClock = ManualClock(),
      notify: @escaping @Sendable (Server.Event) -> Void = { _ in },
      _ body: (Running) async throws -> Void
    ) async throws {
      let running = Running(
        server: try makeServer(limits, clock, notify), readiness: try Readiness())
      defer { running.readiness.stop() }
      try await withThrowingTaskGroup { group in
        group.addTask { try await running.server.run() }
        try await body(running)
        group.cancelAll()
        try await group.waitForAll()
      }
    }

    func connect() throws -> TestClient { try TestClient(port: server.port, readiness) }

    func ask(_ method: String, _ path: String) async throws -> Answer {
      try await TestClient.ask(method, path, port: server.port, readiness)
    }

    func listen(_ path: String) async throws -> EventReader {
      try await EventReader(of: path, port: server.port, readiness)
    }
  }
#endif
