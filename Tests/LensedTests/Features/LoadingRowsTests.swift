import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// A result of an asynchronous reducer in a row touches that row alone, as an action for it does.
@Suite("Rows that load", .timeLimit(.minutes(30)))
struct LoadingRowsTests {
  struct Load: Action { var waits = false }

  // MARK: Cost

  /// An id that counts how often it is hashed.
  private struct Key: Hashable, Sendable {
    let number: Int
    let hashes: Counter

    static func == (left: Key, right: Key) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) {
      hashes.increment()
      hasher.combine(number)
    }
  }

  private struct Page: Identifiable, Sendable {
    let id: Key
    var title = ""
    var text = ""
  }

  private struct Book: Sendable { var pages: Entities<Page> }

  /// What looks at the rows beside the asynchronous reducer.
  enum Onlooker: CaseIterable, Sendable { case none, life, value }

  private static func page(_ onlooker: Onlooker, _ gate: Gate) -> Feature<Page> {
    let loading = AsyncMutator(\Page.text) { (_: String, load: Load) in
      AsyncResult {
        if load.waits { try await gate.wait() }
        return "text"
      }
      .whileLoading("loading")
    }
    return switch onlooker {
    case .none: Feature { loading }
    case .life: Feature("page", onInstall: { _ in }) { loading }
    case .value:
      Feature {
        loading
        Effect(whenChanged: \Page.title) { _, _ in }
      }
    }
  }

  /// How often ids are hashed while one row loads, and each of `count` others is loading.
  private static func hashes(among count: Int, _ onlooker: Onlooker) async throws -> Int {
    let (gate, hashes) = (Gate(), Counter())
    func key(_ number: Int) -> Key { Key(number: number, hashes: hashes) }
    let pages = try Entities((0...count).map { Page(id: key($0)) })
    let store = try Store(initialState: Book(pages: pages), coverage: .partial) {
      page(onlooker, gate).identified().lifted(\.pages)
    }
    for number in 1...count { store.dispatch(Load(waits: true).element(key(number))) }
    await gate.waitForWaiters(count)
    // The tables have grown by the first time.
    try await store.dispatch(Load().element(key(0))).finish()
    let before = hashes.value
    try await store.dispatch(Load().element(key(0))).finish()
    let own = hashes.value - before
    gate.open()
    try await store.settled()
    #expect(store.pages.allSatisfy { $0.text == "text" })
    return own
  }

  @Test(arguments: Onlooker.allCases)
  func `a row that loads among many costs what it costs among few`(_ onlooker: Onlooker)
    async throws
  {
    let few = try await Self.hashes(among: 10, onlooker)
    let many = try await Self.hashes(among: 100, onlooker)
    // The thread that has ended a job may leave its row a little later.
    #expect(many <= few + 20, "\(few), \(many)")
  }

  // MARK: What is noticed

  struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var page = 0
  }
  struct App: Sendable, Equatable { var rows = [Row(id: 1), Row(id: 0)] }

  private let log = Recorder<String>()

  private var loading: Feature<Row> {
    Feature { AsyncMutator(\Row.page) { (page: Int, _: Load) in AsyncResult { page + 1 } } }
  }

  private var noting: Feature<Row> {
    Feature {
      Effect(whenChanged: \Row.page, .serial) { page, context in
        log.append("\(context.id): \(page)")
      }
    }
  }

  @Test func `the result in a row is noticed there by ids and by offsets`() async throws {
    let places: [(Feature<Row>) -> Feature<[Row]>] = [{ $0.identified() }, { $0.offset() }]
    for (number, loads) in places.enumerated() {
      for notes in places {
        let store = try Store(initialState: App(), coverage: .partial) {
          loads(loading).lifted(\.rows)
          notes(noting).lifted(\.rows)
        }
        let before = log.values.count
        // The row with the id 1 is at the offset 0.
        try await store.dispatch(Load().element(1)).finish()
        try await store.settled()
        #expect(log.values.dropFirst(before) == [number == 0 ? "1: 1" : "0: 1"])
      }
    }
  }

  @Test func `a result that gives its row another id ends what was under way in the row`()
    async throws
  {
    struct Start: Action {}
    let gate = Gate()
    let row = Feature<Row>(
      "row", onInstall: { log.append("+\($0.state.id)") }, onRemove: { log.append("-") }
    ) {
      AsyncMutator(\Row.id) { (id: Int, _: Load) in AsyncResult { id + 10 } }
      Effect(on: Start.self) { _, _ in try await gate.wait() }
    }
    let store = try Store(initialState: App(), coverage: .partial) {
      row.identified().lifted(\.rows)
    }
    let tasks = [0, 1].map { store.dispatch(Start().element($0)) }
    await gate.waitForWaiters(2)
    await log.waitForCount(2)
    store.dispatch(Load().element(1))
    try await tasks[1].finish()
    await log.waitForCount(4)
    #expect(log.values.dropFirst(2) == ["-", "+11"])
    #expect(store.rows.map(\.id) == [11, 0])
    gate.open()
    try await tasks[0].finish()
  }
}
