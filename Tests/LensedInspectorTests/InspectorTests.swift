#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  import Foundation
  import Lensed
  import LensedPersistence
  import LensedServer
  import LensedTestSupport
  import LensedTesting
  import Testing

  @testable import LensedInspector

  @Suite("The inspector: its server", .timeLimit(.minutes(30)))
  struct InspectorTests {
    @Test func `a page that is open is sent what was and what comes`() async throws {
      try await Served.run { served in
        served.store.dispatch(Rename(name: "one"))
        var events = try await EventReader(
          of: "\(served.path)events", port: served.port, served.readiness)
        #expect(try await events.next()?.name == "reset")
        let head = try JSONText(parsing: try #require(try await events.next()).data.utf8)
        #expect(head["record"]?.string == "head" && head["state"]?.string == "Shop")
        #expect(try await events.record()["record"]?.string == "snapshot")
        let first = try await events.record()
        #expect(first["changed"]?["name"]?["to"]?.string == "one")
        served.store.dispatch(Add(by: 3))
        let second = try await events.record()
        #expect(second["revision"]?.int == (first["revision"]?.int ?? 0) + 1)
        #expect(second["changed"]?["count"]?["to"]?.int == 3)
      }
    }

    @Test func `a jump replaces the state, and a dispatch makes a commit`() async throws {
      try await Served.run { served in
        served.store.dispatch(Rename(name: "one"))
        served.store.dispatch(Rename(name: "two"))
        #expect(try await served.post("jump", #"{"revision":1}"#).status == 200)
        #expect(served.store.name == "one")
        let answer = try await served.post("dispatch", #"{"name":"Add","value":{"by":4}}"#)
        #expect(answer.status == 200)
        #expect(served.store.count == 4)
        for bad in [
          #"{"name":"Add","value":{}}"#, #"{"name":"Nothing","value":{}}"#, #"{"name":"Add"}"#,
          "{", #"{"revision":99999}"#,
        ] {
          let path = bad.contains("revision") ? "jump" : "dispatch"
          let refused = try await served.post(path, bad)
          #expect(
            refused.status == 400 && refused.text.hasSuffix(".\n") || refused.text.hasSuffix("\n"))
        }
        #expect(served.store.count == 4)
      }
    }

    @Test func `there is nothing without the secret, for another host, or for another site`()
      async throws
    {
      try await Served.run { served in
        let host = "Host: 127.0.0.1:\(served.port)"
        let requests: [(String, Int)] = [
          ("GET / HTTP/1.1\r\n\(host)\r\n\r\n", 404),
          ("GET /events HTTP/1.1\r\n\(host)\r\n\r\n", 404),
          ("GET /\(String(repeating: "0", count: 32))/ HTTP/1.1\r\n\(host)\r\n\r\n", 404),
          ("GET \(served.path.dropLast()) HTTP/1.1\r\n\(host)\r\n\r\n", 404),
          ("GET \(served.path) HTTP/1.1\r\nHost: evil.example:\(served.port)\r\n\r\n", 421),
          ("GET \(served.path) HTTP/1.1\r\n\(host)\r\nOrigin: http://evil.example\r\n\r\n", 403),
          ("GET \(served.path) HTTP/1.1\r\n\(host)\r\nOrigin: null\r\n\r\n", 403),
          (
            "GET \(served.path)events HTTP/1.1\r\n\(host)\r\nSec-Fetch-Site: cross-site\r\n\r\n",
            403
          ),
          ("GET \(served.path)jump HTTP/1.1\r\n\(host)\r\n\r\n", 405),
          ("POST \(served.path)jump HTTP/1.1\r\n\(host)\r\nContent-Length: 2\r\n\r\n{}", 415),
          ("GET \(served.path) HTTP/1.1\r\n\(host)\r\nSec-Fetch-Site: none\r\n\r\n", 200),
          ("GET \(served.path) HTTP/1.1\r\nHost: localhost:\(served.port)\r\n\r\n", 200),
        ]
        for (request, status) in requests {
          let client = try TestClient(port: served.port, served.readiness)
          try await client.send(request)
          let answer = try await client.answer()
          #expect(answer.status == status, "\(request)")
          #expect(!answer.head.contains("Access-Control-Allow"))
          if status != 200 { #expect(!answer.text.contains(served.path)) }
        }
      }
    }

    @Test func `nobody reaches it at another address of the machine`() async throws {
      try await Served.run { served in
        #expect(served.address.host() == "127.0.0.1")
        #expect(Interfaces.listening(at: served.port) == ["127.0.0.1"])
      }
    }

    @Test func `the page may load and run nothing but itself`() async throws {
      try await Served.run { served in
        let page = try await served.ask("GET", "")
        #expect(page.head.contains("X-Frame-Options: DENY"))
        let policy = try #require(
          page.text.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)
        ).1
        #expect(policy.hasPrefix("default-src 'none'"))
        #expect(!policy.contains("unsafe") && policy.contains("connect-src 'self'"))
        #expect(!page.text.contains("https://") && !page.text.contains("innerHTML"))
        let other = try await served.ask("GET", "")
        #expect(page.text != other.text, "each page has a number of its own")
      }
    }

    @Test func `clients that send nothing keep the page from nobody`() async throws {
      try await Served.run { served in
        let idle = try (0..<100).map { _ in try TestClient(port: served.port, served.readiness) }
        #expect(try await served.ask("GET", "").status == 200)
        #expect(
          try await served.post("dispatch", #"{"name":"Add","value":{"by":1}}"#).status == 200)
        #expect(served.store.count == 1)
        withExtendedLifetime(idle) {}
      }
    }

    @Test func `what an effect dispatches is sent with its cause`() async throws {
      try await Served.run { served in
        try await served.store.dispatch(Order(title: "tea")).finish()
        var events = try await EventReader(
          of: "\(served.path)events", port: served.port, served.readiness)
        for _ in 0..<3 { _ = try await events.next() }
        let order = try await events.record(of: "commit")
        let good = try await events.record(of: "commit")
        #expect(order["origin"]?.string == "dispatch" && order["parent"] == nil)
        #expect(
          order["site"]?.string?.hasPrefix("LensedInspectorTests/InspectorTests.swift:") == true)
        #expect(good["origin"]?.string == "effect" && good["effect"]?.string == "Ordering")
        #expect(good["parent"]?.int == order["revision"]?.int)
      }
    }

    @Test func `the runs of effects are sent as they begin, and as they have ended`() async throws {
      try await Served.run { served in
        var events = try await EventReader(
          of: "\(served.path)events", port: served.port, served.readiness)
        for _ in 0..<3 { _ = try await events.next() }
        try await served.store.dispatch(Order(title: "tea")).finish()
        let begun = try await events.record(of: "run")
        #expect(begun["effect"]?.string == "Ordering" && begun["commit"]?.int == 1)
        #expect(begun["running"]?.double == 0 && begun["ended"] == nil)
        let ended = try await events.record(of: "run")
        #expect(ended["number"]?.int == 1 && ended["how"]?.string == "finished")
      }
    }

    @Test func `warnings and errors stand beside the last commit, without what is secret`()
      async throws
    {
      let inspector = Inspector<Shop>(Shop.registry, active: .always)
      let store = try Shop.makeStore(
        [inspector], onEffectError: { inspector.note($0) }, onWarning: { inspector.note($0) })
      store.dispatch(Unknown())
      try await store.dispatch(Secret(text: "swordfish")).finish()
      try await Folder.run { folder in
        let file = folder.appending(path: "page.html")
        try inspector.write(to: file)
        let notes = try PageReading.records(of: file).filter { $0["record"]?.string == "note" }
        #expect(notes.map { $0["kind"]?.string } == ["warning", "error"])
        #expect(notes[0]["text"]?.string?.contains("`Unknown` was dispatched") == true)
        #expect(notes[1]["text"]?.string == "the effect Telling failed for `Secret`: Secret")
        #expect(notes[1]["revision"]?.int == 2)
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("swordfish"))
      }
    }

    @Test func `clients that take nothing keep no commit waiting`() async throws {
      try await Served.run { served in
        let clients = try (0..<20).map { _ in try TestClient(port: served.port, served.readiness) }
        for client in clients {
          try await client.send(client.request("GET", "\(served.path)events"))
        }
        for number in 0..<200 {
          served.store.dispatch(Rename(name: String(repeating: "x", count: number * 50)))
        }
        #expect(
          try await served.post("dispatch", #"{"name":"Add","value":{"by":1}}"#).status == 200)
        withExtendedLifetime(clients) {}
      }
    }

    @Test func `what is older than its memory is dropped, and the rest can be read`() async throws {
      let inspector = Inspector<Shop>(
        Shop.registry, active: .always, memory: 60_000)
      let store = try Shop.makeStore([inspector])
      for number in 0..<900 {
        store.dispatch(Rename(name: "\(number) \(String(repeating: "x", count: 200))"))
      }
      try await Folder.run { folder in
        let file = folder.appending(path: "page.html")
        try inspector.write(to: file)
        let records = try PageReading.records(of: file)
        #expect(records.count < 800)
        var state = SessionState()
        for record in records {
          let fits = state.apply(record)
          #expect(fits)
        }
        #expect(state["name"]?.string == store.name)
      }
    }

    @Test
    func `a state that is larger than the memory is kept three times at most, and seldom written`()
      throws
    {
      for (size, memory) in [(30_000, 1_000), (30_000, 40_000), (100, 10_000), (30_000, 100_000)] {
        let (log, written) = (InspectorLog(limit: memory), Recorder<Int>())
        let blob = Blob(text: String(repeating: "x", count: size)) { written.append(size) }
        let recorder = SessionRecorder<Large>(
          writingTo: SessionSink(writingTo: log, Shop.registry, noticing: { _, _ in nil }))
        let store = try Store(
          initialState: Large(blob: blob), middleware: [recorder], clock: ManualClock()
        ) {
          Constant(\.blob)
          Mutator(\.count) { (count: inout Int, action: Add) in count += action.by }
        }
        let bytes = { log.lines(from: nil, atMost: .max).lines.reduce(0) { $0 + $1.count } }
        let (head, whole) = (log.lines(from: nil, atMost: 0).lines.count, bytes())
        let commit = 500
        var most = 0
        for _ in 0..<800 {
          store.dispatch(Add(by: 1))
          most = max(most, bytes())
        }
        #expect(head == 1)
        #expect(most <= max(memory, 2 * whole) + whole + commit, "\(size) in \(memory): \(most)")
        // Between two snapshots the commits have as many bytes as one, or fill half of the memory.
        let least = max(whole, min(memory, 65_536) / 2)
        #expect(written.values.count <= 2 + 800 * commit / least)
        var state = SessionState()
        for line in log.lines(from: nil, atMost: .max).lines {
          let fits = state.apply(try JSONText(parsing: line))
          #expect(fits)
        }
        #expect(state["count"]?.int == 800)
      }
    }

    @Test func `a secret action is neither in the file nor in the stream`() async throws {
      try await Served.run { served in
        served.store.dispatch(Secret(text: "swordfish"))
        var events = try await EventReader(
          of: "\(served.path)events", port: served.port, served.readiness)
        for _ in 0..<4 { #expect(try await events.next()?.data.contains("swordfish") == false) }
        try await Folder.run { folder in
          let file = folder.appending(path: "page.html")
          try served.inspector.write(to: file.path)
          let text = try String(contentsOf: file, encoding: .utf8)
          #expect(!text.contains("swordfish") && text.contains(#""type":"Secret""#))
        }
      }
    }

    @Test func `without a registry nothing is dispatched`() async throws {
      try await Served.run(nil) { served in
        let answer = try await served.post("dispatch", #"{"name":"Add","value":{"by":4}}"#)
        #expect(answer.status == 400 && answer.text.contains("without a registry"))
        #expect(served.store.count == 0)
      }
    }

    @Test func `a store that has gone is not there`() async throws {
      let inspector = Inspector<Shop>(Shop.registry, active: .always)
      let readiness = try Readiness()
      defer { readiness.stop() }
      weak var weakStore: Store<Shop>?
      do {
        let store = try Shop.makeStore([inspector])
        weakStore = store
        store.dispatch(Add(by: 1))
      }
      #expect(weakStore == nil, "an inspector keeps no store")
      let address = try await inspector.serve()
      let port = UInt16(address.port ?? 0)
      let answer = try await TestClient.ask(
        "POST", "\(address.path)/dispatch", body: #"{"name":"Add","value":{"by":4}}"#, port: port,
        readiness)
      #expect(answer.status == 400)
      await inspector.stop()
    }

    #if os(Linux) || os(macOS)
      @Test func `a page that cannot be served is an error, and no address`() async {
        await #expect(processExitsWith: .success) {
          let inspector = Inspector<Shop>(Shop.registry, active: .always)
          // One is left, for the port, and none for the thread that waits for clients.
          var taken = Descriptors.takeAll(of: 100)
          close(taken.removeLast())
          let error = await #expect(throws: InspectorError.self) { try await inspector.serve() }
          for descriptor in taken { close(descriptor) }
          #expect("\(error, default: "")".contains("cannot serve its page at any port"))
          _ = try await inspector.serve()
          await inspector.stop()
        }
      }

      @Test func `a page that is served no longer is told of, and served anew`() async {
        await #expect(processExitsWith: .success) {
          let (faults, tell) = AsyncStream<InspectorError>.makeStream()
          let inspector = Inspector<Shop>(Shop.registry, active: .always) { tell.yield($0) }
          let readiness = try Readiness()
          defer { readiness.stop() }
          let address = try await inspector.serve()
          try Descriptors.lose(Descriptors.listener(), by: .becameAFile)
          // A server that waits for clients looks at its listener when one comes; one that is yet to wait refuses it.
          let client = try? TestClient(port: UInt16(address.port ?? 0), readiness)
          var fault: InspectorError?
          for await next in faults {
            fault = next
            break
          }
          withExtendedLifetime(client) {}
          guard case .ended(let port, let reason) = fault else { throw CancellationError() }
          #expect(Int(port) == address.port)
          #expect(reason.hasPrefix("accept"))
          let next = try await inspector.serve()
          #expect(next != address)
          let answer = try await TestClient.ask(
            "GET", "\(next.path)/", port: UInt16(next.port ?? 0), readiness)
          #expect(answer.status == 200)
          await inspector.stop()
        }
      }
    #endif

    @Test func `in a release build it is inert, unless it was asked for`() async throws {
      let inspector = Inspector<Shop>(Shop.registry)
      let store = try Shop.makeStore([inspector])
      store.dispatch(Add(by: 1))
      #if DEBUG
        let address = try await inspector.serve()
        #expect(address.host() == "127.0.0.1")
        #expect(try await inspector.serve() == address, "it serves once")
        await inspector.stop()
      #else
        await #expect(throws: InspectorError.inactive) { try await inspector.serve() }
        #expect(throws: InspectorError.inactive) { try inspector.write(to: "page.html") }
      #endif
    }

    @Test func `the embedded page is the page`() throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/LensedInspector")
      let source = try String(
        contentsOf: folder.appending(path: "InspectorPage.swift"), encoding: .utf8)
      for part in ["html", "css", "js"] {
        let page = try String(
          contentsOf: folder.appending(path: "Page/page.\(part)"), encoding: .utf8)
        #expect(
          source.contains("static let \(part) = ##\"\"\"\n\(page)\"\"\"##"),
          "Run Sources/LensedInspector/Page/embed.")
      }
    }
  }

  private struct Large: Sendable {
    var blob: Blob
    var count = 0
  }

  /// A value that tells when it is written.
  private struct Blob: Encodable, Sendable {
    var text: String
    var onWriting: @Sendable () -> Void

    func encode(to encoder: any Encoder) throws {
      onWriting()
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  /// An inspector that serves a store, and what its clients wait with.
  struct Served: Sendable {
    let store: Store<Shop>
    let inspector: Inspector<Shop>
    let address: URL
    let readiness: Readiness

    var port: UInt16 { UInt16(address.port ?? 0) }
    var path: String { address.path.hasSuffix("/") ? address.path : address.path + "/" }

    static func run(
      _ registry: ActionRegistry? = Shop.registry, _ body: (Served) async throws -> Void
    ) async throws {
      let inspector = Inspector<Shop>(registry, active: .always)
      let store = try Shop.makeStore([inspector])
      let readiness = try Readiness()
      defer { readiness.stop() }
      let served = Served(
        store: store, inspector: inspector, address: try await inspector.serve(),
        readiness: readiness)
      do {
        try await body(served)
      } catch {
        await inspector.stop()
        throw error
      }
      await inspector.stop()
    }

    func ask(_ method: String, _ rest: String) async throws -> Answer {
      try await TestClient.ask(method, path + rest, port: port, readiness)
    }

    func post(_ rest: String, _ body: String) async throws -> Answer {
      try await TestClient.ask("POST", path + rest, body: body, port: port, readiness)
    }
  }

  extension EventReader {
    mutating func record() async throws -> JSONText {
      try JSONText(parsing: try #require(try await next()).data.utf8)
    }

    /// The next record of a kind.
    mutating func record(of kind: String) async throws -> JSONText {
      while true {
        let record = try await record()
        if record["record"]?.string == kind { return record }
      }
    }
  }

  enum PageReading {
    /// The records in a page.
    static func records(of file: URL) throws -> [JSONText] {
      let text = try String(contentsOf: file, encoding: .utf8)
      let data = try #require(text.firstRange(of: #"id="session">"#)).upperBound
      let end = try #require(text[data...].firstRange(of: "</script>")).lowerBound
      return try text[data..<end].split(separator: "\n").map { try JSONText(parsing: $0.utf8) }
    }
  }
#endif
