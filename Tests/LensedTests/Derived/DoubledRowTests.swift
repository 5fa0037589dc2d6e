import Lensed
import LensedTestSupport
import Testing

@Suite("Of two rows with one id the first is edited, and that is told", .timeLimit(.minutes(30)))
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
  func `an action that names two is reported, whether they have one id before it or after it`(
    _ actions: [ElementAction<Int, Identify>]
  ) throws {
    let warnings = Recorder<StoreWarning>()
    let store = try Self.makeStore(State(), warnings)
    store.dispatch(actions)
    store.dispatch(ElementAction(id: 7, action: Add()))
    #expect(warnings.values.map(\.kind) == [.doubledElement])
    #expect(warnings.last?.element == "7")
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
