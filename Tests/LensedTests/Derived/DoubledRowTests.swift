import Lensed
import LensedTestSupport
import Testing

@Suite(
  "Of two rows with one id the first is edited, and its readers are notified",
  .timeLimit(.minutes(30)))
struct DoubledRowTests {
  struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var count = 0
  }

  struct State: Sendable, Equatable {
    var rows = [Row(id: 7), Row(id: 7, count: 1), Row(id: 8)]
  }

  struct Identify: Action { let id: Int }
  struct Add: Action {}

  private static func identify(_ id: Int, _ new: Int) -> ElementAction<Int, Identify> {
    ElementAction(id: id, action: Identify(id: new))
  }

  private static func makeStore(
    _ state: State = State(), _ warnings: Recorder<StoreWarning> = Recorder()
  ) throws -> Store<State> {
    try Store(initialState: state, onWarning: { warnings.append($0) }) {
      Mutator(
        \.rows,
        Reducer<Row> { (row: inout Row, action: Identify) in row.id = action.id }
          .on(Add.self) { row, _ in row.count += 1 }
          .identified())
    }
  }

  @Test func `the first one gets another id: its readers are notified`() async throws {
    let store = try Self.makeStore()
    let heard = (0..<10).map { _ in Recorder<Int?>() }
    let subscriptions = (0..<10).map { id in
      store.states(\.rows, id: id).subscribe { [heard = heard[id]] in heard.append($0?.count) }
    }
    var changes = store.changes(keepingPrevious: true).makeAsyncIterator()
    store.dispatch(Self.identify(7, 3))
    #expect(heard[3].values == [nil, 0])
    #expect(heard[7].values == [0, 1])
    #expect(heard[8].values == [0])
    let difference = try #require(await changes.next()).difference(of: \.rows)
    #expect(difference.inserted == [3])
    #expect(difference.edited == [7])
    #expect(difference.removed == [])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test(arguments: [
    [identify(7, 3)], [identify(7, 3), identify(7, 7)], [identify(8, 7)],
    [identify(8, 9), identify(9, 7)],
  ])
  func `an action that names two is for the first, whether they have one id before it or after it`(
    _ actions: [ElementAction<Int, Identify>]
  ) throws {
    let warnings = Recorder<StoreWarning>()
    let store = try Self.makeStore(State(), warnings)
    store.dispatch(actions)
    var rows = store.rows
    let first = try #require(rows.firstIndex { $0.id == 7 })
    rows[first].count += 1
    store.dispatch(ElementAction(id: 7, action: Add()))
    #expect(store.rows == rows)
    #expect(warnings.count == 0)
  }

  @Test func `no other row is notified, unless the action changes an id`() throws {
    let store = try Self.makeStore(State())
    let heard = (7...8).map { _ in Recorder<Int?>() }
    let subscriptions = (7...8).map { id in
      store.states(\.rows, id: id, repeats: .kept).subscribe { [heard = heard[id - 7]] in
        heard.append($0?.count)
      }
    }
    store.dispatch(ElementAction(id: 7, action: Add()))
    #expect(heard.map(\.values) == [[0, 1], [0]])
    store.dispatch(Self.identify(7, 3))
    #expect(heard.map(\.values) == [[0, 1, 1], [0, 0]])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `an element of a row that changes its id does not touch other rows`() async throws {
    struct Board: Sendable, Equatable, Identifiable {
      let id: Int
      var rows = State().rows
    }
    struct App: Sendable { var boards: Entities<Board> = [Board(id: 0), Board(id: 1)] }
    let row = Reducer { (row: inout Row, action: Identify) in row.id = action.id }
    let store = try Store(initialState: App()) {
      Mutator(\.boards, row.identified().lifted(\Board.rows).identified())
    }
    let heard = (0...1).map { _ in Recorder<[Int]>() }
    let subscriptions = (0...1).map { id in
      store.states(\.boards, id: id, repeats: .kept).subscribe { [heard = heard[id]] in
        heard.append($0?.rows.map(\.id) ?? [])
      }
    }
    var changes = store.changes().makeAsyncIterator()
    store.dispatch(ElementAction(id: 0, action: Self.identify(7, 3)))
    #expect(heard.map(\.values) == [[[7, 7, 8], [3, 7, 8]], [[7, 7, 8]]])
    let change = try #require(await changes.next())
    #expect(change.touches(Derived(RowPath(\App.boards, id: 0)) { $0?.rows }))
    #expect(!change.touches(Derived(RowPath(\App.boards, id: 1)) { $0?.rows }))
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `rows that change their ids in one array are told as reordered`() async throws {
    let store = try Self.makeStore(State(rows: [Row(id: 7), Row(id: 9, count: 1)]))
    var changes = store.changes(keepingPrevious: true).makeAsyncIterator()
    store.dispatch([Self.identify(7, 8), Self.identify(9, 7), Self.identify(8, 9)])
    let difference = try #require(await changes.next()).difference(of: \.rows)
    #expect(difference.edited == [9, 7])
    #expect(difference.isReordered)
  }
}
