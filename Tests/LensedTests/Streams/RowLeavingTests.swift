import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Rows that were observed once leave nothing behind", .timeLimit(.minutes(30)))
struct RowLeavingTests {
  private struct Row: Identifiable, Sendable, Equatable {
    let id: Int
    var count = 0
  }

  private struct Shelf: Sendable, Equatable {
    var rows: Entities<Row> = []
    var byKey: [Int: Int] = [:]
    var other = 0
  }

  private struct Add: Action {}
  private struct AddToAll: Action {}

  private static let count = 100

  private static func makeStore() throws -> Store<Shelf> {
    try Store(
      initialState: Shelf(
        rows: try Entities((0..<count).map { Row(id: $0) }),
        byKey: Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, 0) }))
    ) {
      Mutator(
        \.rows,
        .combine(
          Reducer { (row: inout Row, _: Add) in row.count += 1 }.identified(),
          Reducer { (rows: inout Entities<Row>, _: AddToAll) in rows[id: 0]?.count += 1 }))
      Mutator(\.byKey, Reducer { (number: inout Int, _: Add) in number += 1 }.keyed())
      Constant(\.other)
    }
  }

  /// How rows are observed.
  enum Way: CaseIterable {
    case subscription, severalOfOneRow, twoRowsTogether, reader, waitingReader, observedStore
    case child, effect, retiredEffect
  }

  /// Observes each row, and lets go of it.
  @MainActor
  private static func observe(_ store: Store<Shelf>, by way: Way) async {
    switch way {
    case .subscription:
      let all = (0..<count).map { id in store.states(\.rows, id: id).subscribe { _ in } }
      for subscription in all { subscription.cancel() }
    case .severalOfOneRow:
      let all = (0..<count).map { _ in store.states(\.rows, id: 7).subscribe { _ in } }
      for subscription in all { subscription.cancel() }
    case .twoRowsTogether:
      let all = (0..<count).map { id in
        store.states(\.rows, id: id).combineLatest(store.states(\.byKey, id: id)) {
          ($0?.count ?? 0) + ($1 ?? 0)
        }.subscribe { _ in }
      }
      for subscription in all { subscription.cancel() }
    case .reader:
      for id in 0..<count {
        var reader = store.states(\.rows, id: id).makeAsyncIterator()
        _ = await reader.next()
      }
    case .waitingReader:
      let (started, ended) = (Gate(), Recorder<Int>())
      let task = Task {
        started.open()
        for await row in store.states(\.rows, id: 7) { ended.append(row?.count ?? -1) }
      }
      await ended.waitForCount(1)
      task.cancel()
      await task.value
    case .observedStore:
      let observed = ObservedStore(store)
      for id in 0..<count { _ = observed[\.rows, id: id] }
    case .child:
      let observed = ObservedStore(store)
      for id in 0..<count { _ = observed.scope(\.rows, id: id)?.count }
    case .effect, .retiredEffect:
      for id in 0..<count {
        let effect = store.install(Effect(whenChanged: \Shelf.rows, id: id) { _, _ in })
        if way == .effect { effect.cancel() } else { effect.retire() }
      }
    }
  }

  @Test(arguments: Way.allCases)
  func `no record of a row is left, and no mark of its sub-state`(way: Way) async throws {
    let store = try Self.makeStore()
    await Self.observe(store, by: way)
    let (count, flags) = store.core.withTable { table in
      (table.rows.count, (0..<3).map { table.slotRecord($0).value.flags })
    }
    #expect(count == 0)
    #expect(flags == Array(repeating: .handled, count: 3))
  }

  @Test func `nor a mark of an owner that has left meanwhile`() async throws {
    let store = try Store(
      initialState: Shelf(rows: try Entities([Row(id: 7)])), coverage: .partial
    ) {
      Mutator(\.rows, Reducer { (row: inout Row, _: Add) in row.count += 1 }.identified())
    }
    // Nobody sees where it lies, so it may have touched the rows.
    let undecided = Lens<Shelf, Int>(get: { $0.other }) { shelf, other in
      var shelf = shelf
      shelf.other = other
      return shelf
    }
    try store.register(Mutator(lens: undecided) { (number: inout Int, _: AddToAll) in number += 1 })
    var reader: StateStream<Row?>.AsyncIterator? =
      store.states(\.rows, id: 7).makeAsyncIterator()
    _ = await reader?.next()
    let areMarked = store.core.withTable { table in
      (0..<2).allSatisfy { table.slotRecord($0).value.flags.contains(.hasRows) }
    }
    #expect(areMarked)
    store.unregister(undecided)
    reader = nil
    let (count, flags) = store.core.withTable { table in
      (table.rows.count, (0..<2).map { table.slotRecord($0).value.flags })
    }
    #expect(count == 0)
    #expect(flags == Array(repeating: .handled, count: 2))
  }

  private final class Token: Sendable {}

  private struct TokenID: Hashable, Sendable {
    let number: Int
    let token: Token

    static func == (left: TokenID, right: TokenID) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  private struct TokenRow: Identifiable, Sendable, Equatable {
    let id: TokenID
    var count = 0
  }

  /// A later commit would release it under the lock.
  @Test(arguments: [false, true])
  func `an id that a commit has named is let go with the row and its last reader`(
    ownerLeaves: Bool
  ) throws {
    struct Box: Sendable { var rows: Entities<TokenRow> = [] }
    let store = try Store(initialState: Box(), coverage: .partial) {
      Mutator(\.rows, Reducer { (row: inout TokenRow, _: Add) in row.count += 1 }.identified())
    }
    weak var token: Token?
    do {
      let id = TokenID(number: 1, token: Token())
      token = id.token
      let other = TokenID(number: 2, token: Token())
      store.replaceState(Box(rows: [TokenRow(id: id), TokenRow(id: other)]))
      let subscription = store.states(\.rows, id: id).subscribe { _ in }
      store.dispatch(ElementAction(id: id, action: Add()))
      if ownerLeaves { store.unregister(\.rows) }
      store.replaceState(Box())
      subscription.cancel()
    }
    #expect(token == nil)
  }

  /// Each would look for its own among all that the last commit has touched.
  @Test(arguments: [100, 10_000])
  func `readers that leave after a commit on all rows look at each of them once`(
    count: Int
  ) throws {
    let store = try Self.makeStore()
    store.replaceState(Shelf(rows: try Entities((0..<count).map { Row(id: $0) })))
    let all = (0..<count).map { id in store.states(\.rows, id: id).subscribe { _ in } }
    store.dispatch(AddToAll())
    let touched = { store.core.withTable { $0.rows.touched(by: $0.revision).count } }
    #expect(touched() == count)
    var looked = 0
    for subscription in all {
      looked += touched()
      subscription.cancel()
    }
    #expect(looked == count)
    #expect(store.core.withTable { $0.rows.count } == 0)
  }

  /// What a commit has touched is released with the first of them that leaves.
  @Test func `a reader that stays is notified of each commit, whichever readers leave in between`()
    throws
  {
    let store = try Self.makeStore()
    let heard = Recorder<Int>()
    let kept = store.states(\.rows, id: 0).subscribe { heard.append($0?.count ?? -1) }
    let others = (1..<5).map { id in store.states(\.rows, id: id).subscribe { _ in } }
    for subscription in others {
      store.dispatch(AddToAll())
      subscription.cancel()
      store.dispatch([ElementAction(id: 0, action: Add()), ElementAction(id: 4, action: Add())])
    }
    #expect(heard.values == Array(0...8))
    kept.cancel()
  }

  @Test func `what others still observe stays, whoever leaves`() throws {
    let store = try Self.makeStore()
    let heard = Recorder<Int>()
    let kept = store.states(\.rows, id: 3).subscribe { heard.append($0?.count ?? -1) }
    let keyed = store.states(\.byKey, id: 3).subscribe { heard.append(1_000 + ($0 ?? -1)) }
    for id in 0..<Self.count { store.states(\.rows, id: id).subscribe { _ in }.cancel() }
    store.dispatch(ElementAction(id: 3, action: Add()))
    store.dispatch(ElementAction(id: 4, action: Add()))
    #expect(heard.values == [0, 1_000, 1, 1_001])
    kept.cancel()
    store.dispatch(ElementAction(id: 3, action: Add()))
    #expect(heard.values == [0, 1_000, 1, 1_001, 1_002])
    #expect(store.core.withTable { $0.rows.count } == 1)
    keyed.cancel()
    #expect(store.core.withTable { $0.rows.count } == 0)
  }
}
