import Lensed
import LensedTestSupport
import LensedTesting
import Synchronization
import Testing

/// What the article `OnAServer` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the article On a server", .timeLimit(.minutes(30)))
struct ServerGuideTests {
  private func makeDocuments() throws -> Documents {
    Documents(try Self.makeBlueprint())
  }

  @Test func `two documents do not know of each other`() async throws {
    let documents = try makeDocuments()
    #expect(append("a", to: documents.store(of: "1")) == 1)
    #expect(append("b", to: documents.store(of: "1")) == 2)
    #expect(append("c", to: documents.store(of: "2")) == 1)
    try await documents.close("1")
    #expect(documents.store(of: "1").lines == [])
  }

  @Test func `an upload is answered without waiting for a lull`() async throws {
    let (clock, saved) = (ManualClock(), Recorder<Int>())
    let store = try makeDocuments().store(of: "1")
    let saving = store.install(
      Effect(whenChanged: \.lines) { lines, _ -> Void in saved.append(lines.count) }
        .debounced(for: .seconds(1), clock: clock))
    let lines = AsyncThrowingStream<String, any Error> { lines in
      for line in ["a", "b"] { lines.yield(line) }
      lines.finish()
    }
    #expect(try await upload(lines, to: store) == 2)
    #expect(saved.values == [])
    try await store.flush()
    #expect(saved.values == [2])
    saving.cancel()
  }

  @Test func `a client gets single lines, and the whole for an array`() async throws {
    let documents = try makeDocuments()
    let client = Connection()
    let connected = Task { try await connect("Ann", to: documents.store(of: "1"), client) }
    _ = await client.sent.waitForCount(1)
    documents.store(of: "1").dispatch([Append(line: "a"), Append(line: "b")])
    for line in ["c", "d"] { append(line, to: documents.store(of: "1")) }
    let sent = await client.sent.waitForCount(4)
    #expect(sent == ["whole 0", "whole 2", "c", "d"])
    #expect(documents.store(of: "1").editors == ["Ann"])
    connected.cancel()
    try await connected.value
    #expect(documents.store(of: "1").editors == [])
  }

  @Test func `a client that is too slow gets the whole`() async throws {
    let documents = try makeDocuments()
    let client = Connection()
    let following = Task { try await follow(documents.store(of: "1"), client) }
    _ = await client.sent.waitForCount(1)
    append("0", to: documents.store(of: "1"))
    await client.gate.waitForWaiters()  // it sends the first line, slowly
    for line in 1...100 { append("\(line)", to: documents.store(of: "1")) }
    client.gate.open()
    let sent = await client.sent.waitForCount(66)
    #expect(sent.prefix(3) == ["whole 0", "0", "whole 38"])
    #expect(sent.dropFirst(3) == ArraySlice((38...100).map { "\($0)" }))
    following.cancel()
    try await following.value
  }

  /// A client whose first line is slow.
  private struct Connection: Client {
    let sent = Recorder<String>()
    let gate = Gate()

    func send(whole document: Document) async throws {
      sent.append("whole \(document.lines.count)")
    }

    func send(line: String, revision: UInt64) async throws {
      if line == "0" { try await gate.wait() }
      sent.append(line)
    }
  }

  // GUIDE: The documents
  struct Document: Sendable, Equatable {
    var lines: [String] = []
    var editors: Set<String> = []
  }
  struct Append: Action { let line: String }
  enum Presence: Action { case joined(String), left(String) }

  // GUIDE: end

  private static func makeBlueprint() throws -> StoreBlueprint<Document> {
    // GUIDE: The blueprint
    let blueprint = try StoreBlueprint<Document> {
      Mutator(\.lines) { (lines: inout [String], action: Append) in lines.append(action.line) }
      Mutator(\.editors) { (editors: inout Set<String>, action: Presence) in
        switch action {
        case .joined(let name): editors.insert(name)
        case .left(let name): editors.remove(name)
        }
      }
    }
    // GUIDE: end
    return blueprint
  }

  // GUIDE: Stores
  final class Documents: Sendable {
    private let blueprint: StoreBlueprint<Document>
    private let stores = Mutex<[String: Store<Document>]>([:])

    init(_ blueprint: StoreBlueprint<Document>) { self.blueprint = blueprint }

    func store(of id: String) -> Store<Document> {
      stores.withLock { stores in
        if let store = stores[id] { return store }
        let store = blueprint.makeStore(initialState: Document())
        stores[id] = store
        return store
      }
    }

    func close(_ id: String) async throws {
      let store = stores.withLock { $0.removeValue(forKey: id) }
      try await store?.flush()
    }
  }
  // GUIDE: end

  // GUIDE: A request
  @discardableResult
  func append(_ line: String, to store: Store<Document>) -> Int {
    store.dispatch(Append(line: line), focusingOn: \.lines.count)
  }
  // GUIDE: end

  // GUIDE: An upload
  func upload(
    _ lines: some AsyncSequence<String, any Error> & Sendable, to store: Store<Document>
  ) async throws -> Int {
    try await store.dispatch(lines.map { Append(line: $0) }).finish(.applied)
    return store.lines.count
  }
  // GUIDE: end

  // GUIDE: A client
  protocol Client: Sendable {
    func send(whole document: Document) async throws
    func send(line: String, revision: UInt64) async throws
  }

  func follow(_ store: Store<Document>, _ client: any Client) async throws {
    var reader = store.changes(buffering: .bounded(64, dropping: .oldest)).makeAsyncIterator()
    try await client.send(whole: store.state)
    while let change = await reader.next() {
      let edits = change.actions.filter { !($0 is Presence) }
      if let append = edits.first as? Append, edits.count == 1, change.droppedCount == 0 {
        try await client.send(line: append.line, revision: change.revision)
      } else if change.droppedCount > 0 || !edits.isEmpty || change.actions.isEmpty {
        try await client.send(whole: change.state)
      }
    }
  }
  // GUIDE: end

  // GUIDE: Presence
  func connect(
    _ name: String, to store: Store<Document>, _ client: any Client
  ) async throws {
    store.dispatch(Presence.joined(name))
    defer { store.dispatch(Presence.left(name)) }
    try await follow(store, client)
  }
  // GUIDE: end

  @Test func `the article shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 7)
    // The first block has the types and the blueprint.
    let joined = [marked[0] + marked[1]] + marked.dropFirst(2)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "OnAServer") == joined)
  }
}
