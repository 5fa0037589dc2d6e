import Lensed
import LensedTestSupport
import Testing

@Suite("Who is notified of a row stays known from commit to commit", .timeLimit(.minutes(30)))
struct RowAudienceTests {
  private struct Row: Identifiable, Sendable, Equatable {
    let id: Int
    var count = 0
  }

  private struct Shelf: Sendable, Equatable {
    var rows: Entities<Row> = []
    var maybe: Int?
    var other = 0
  }

  private struct Add: Action {}
  private struct AddToAll: Action {}
  private struct AddToOther: Action {}
  private typealias Ghost = ElementAction<Int, Add>

  /// An action for a row edits `maybe`, too, where there is one; so does one for all rows.
  private static func makeStore() throws -> Store<Shelf> {
    try Store(initialState: Shelf(rows: try Entities((0..<8).map { Row(id: $0) }))) {
      Mutator(
        \.rows,
        .combine(
          Reducer { (row: inout Row, _: Add) in row.count += 1 }.identified(),
          Reducer { (rows: inout Entities<Row>, _: AddToAll) in
            for id in rows.ids { rows[id: id]?.count += 1 }
          }))
      Mutator(
        \.maybe,
        Reducer.combine(
          Reducer { (number: inout Int, _: Ghost) in number += 1 },
          Reducer { (number: inout Int, _: AddToAll) in number += 1 }
        ).optional())
      Mutator(\.other) { (number: inout Int, _: AddToOther) in number += 1 }
    }
  }

  /// What is observed, each with every repeat.
  private enum Part: Hashable, CaseIterable {
    case whole, maybe, other, first, second, rows

    func subscribe(_ store: Store<Shelf>, _ heard: Recorder<Int>) -> StoreSubscription {
      switch self {
      case .whole:
        store.states.subscribe { heard.append($0.rows.reduce($0.other) { $0 + $1.count }) }
      case .maybe: store.states(\.maybe, repeats: .kept).subscribe { heard.append($0 ?? -1) }
      case .other: store.states(\.other, repeats: .kept).subscribe { heard.append($0) }
      case .first:
        store.states(\.rows, id: 0, repeats: .kept).subscribe { heard.append($0?.count ?? -1) }
      case .second:
        store.states(\.rows, id: 1, repeats: .kept).subscribe { heard.append($0?.count ?? -1) }
      case .rows:
        store.states(\.rows, id: 0, repeats: .kept).combineLatest(
          store.states(\.rows, id: 1, repeats: .kept)
        ) { ($0?.count ?? 0) * 1_000 + ($1?.count ?? 0) }.subscribe { heard.append($0) }
      }
    }

    func value(_ state: Shelf) -> Int {
      switch self {
      case .whole: state.rows.reduce(state.other) { $0 + $1.count }
      case .maybe: state.maybe ?? -1
      case .other: state.other
      case .first: state.rows[id: 0]?.count ?? -1
      case .second: state.rows[id: 1]?.count ?? -1
      case .rows: (state.rows[id: 0]?.count ?? 0) * 1_000 + (state.rows[id: 1]?.count ?? 0)
      }
    }
  }

  /// The parts that a commit touched.
  private static func touched(_ row: Int?, _ state: Shelf) -> Set<Part> {
    var parts: Set<Part> = [.whole]
    if row ?? 0 == 0 { parts.formUnion([.first, .rows]) }
    if row ?? 1 == 1 { parts.formUnion([.second, .rows]) }
    if state.maybe != nil { parts.insert(.maybe) }
    return parts
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `whoever comes and goes, each part hears of what touched it, and of nothing else`(
    seed: UInt64
  )
    throws
  {
    var random = SeededGenerator(seed: seed)
    let store = try Self.makeStore()
    var live: [Part: (subscription: StoreSubscription, heard: Recorder<Int>, wanted: [Int])] = [:]
    for step in 0..<200 {
      var parts: Set<Part> = []
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        let part = try #require(Part.allCases.randomElement(using: &random))
        live.removeValue(forKey: part)?.subscription.cancel()
      case 1, 2:
        let part = try #require(Part.allCases.randomElement(using: &random))
        if live[part] == nil {
          let heard = Recorder<Int>()
          live[part] = (part.subscribe(store, heard), heard, [part.value(store.state)])
        }
      case 3:
        store.dispatch(AddToOther())
        parts = [.whole, .other]
      case 4, 5:
        store.dispatch(AddToAll())
        parts = Self.touched(nil, store.state)
      case 6:
        var state = store.state
        state.maybe = state.maybe == nil ? 0 : nil
        store.replaceState(state)
        parts = Set(Part.allCases)
      case 7:
        // Owners come and go, and with them the records of the rows.
        #expect(store.unregister(\.other))
        try store.register(Mutator(\.other) { (number: inout Int, _: AddToOther) in number += 1 })
      default:
        let row = Int.random(in: 0..<3, using: &random)
        store.dispatch(ElementAction(id: row, action: Add()))
        parts = Self.touched(row, store.state)
      }
      for part in parts { live[part]?.wanted.append(part.value(store.state)) }
      for (part, one) in live {
        try #require(one.heard.values == one.wanted, "seed \(seed), step \(step), \(part)")
      }
    }
    for one in live.values { one.subscription.cancel() }
  }

  @Test(.enabled(if: isOptimized && countsAllocations))
  func `a commit that touches observed rows allocates nothing after warm-up`() async {
    await #expect(processExitsWith: .success) {
      let (store, calls) = (try RowAudienceTests.makeStore(), Counter())
      let subscriptions = (0..<8).flatMap { id in
        (0..<2).map { _ in store.states(\.rows, id: id).subscribe { _ in calls.increment() } }
      }
      let one = allocations(500) {
        store.dispatch(ElementAction(id: 0, action: Add()))
        store.dispatch(ElementAction(id: 1, action: Add()))
      }
      #expect(one == 0)
      #expect(calls.value == 16 + 520 * 4)
      let unobserved = try RowAudienceTests.makeStore()
      #expect(
        allocations(500) { store.dispatch(AddToAll()) }
          == allocations(500) { unobserved.dispatch(AddToAll()) })
      #expect(calls.value == 16 + 520 * (4 + 16))
      for subscription in subscriptions { subscription.cancel() }
    }
  }

  /// The id of a row, which dispatches when it goes.
  private final class Key: Hashable, Sendable {
    let number: Int
    private let whenGone: @Sendable () -> Void

    init(_ number: Int, whenGone: @escaping @Sendable () -> Void = {}) {
      (self.number, self.whenGone) = (number, whenGone)
    }

    deinit { whenGone() }

    static func == (left: Key, right: Key) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  private struct Table: Sendable {
    var byKey: [Key: Int] = [:]
    var other = 0
    var third = 0
  }

  private static func makeTable() throws -> Store<Table> {
    try Store(initialState: Table(), coverage: .partial) {
      Mutator(\.byKey, Reducer { (number: inout Int, _: Add) in number += 1 }.keyed())
      Mutator(\.other) { (number: inout Int, _: AddToOther) in number += 1 }
    }
  }

  @Test func `a reader lets go of the id of another without the lock`() async throws {
    let store = try Self.makeTable()
    let gone = Counter()
    var second = store.states(\.byKey, id: Key(1)).makeAsyncIterator()
    do {
      let first = Key(1) { [weak store] in
        store?.dispatch(AddToOther())
        gone.increment()
      }
      var own = store.states(\.byKey, id: first).makeAsyncIterator()
      // The record of the row has the id of who came first.
      _ = await own.next()
      _ = await second.next()
    }
    // The records go with the owner of the rows, and the reader finds its own when it reads next.
    #expect(store.unregister(\.byKey))
    try store.register(
      Mutator(\.byKey, Reducer { (number: inout Int, _: Add) in number += 1 }.keyed()))
    store.replaceState(Table(byKey: [Key(1): 5]))
    #expect(await second.next() == .some(5))
    // What was put aside is released with the owner that comes next.
    try store.register(Mutator(\.third) { (number: inout Int, _: AddToAll) in number += 1 })
    #expect(store.other == 1)
    #expect(gone.value == 1)
  }
}
