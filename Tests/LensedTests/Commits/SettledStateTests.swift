import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// `settledState`: the state without the values that asynchronous reducers show for the time being.
@Suite("The settled state", .timeLimit(.minutes(30)))
struct SettledStateTests {
  enum Page: Sendable, Equatable { case start, loading, waiting(Int), shown(String), failed }
  struct Row: Sendable, Identifiable, Equatable {
    var id: Int
    var title = ""
    var page = Page.start
  }
  struct State: Sendable, Equatable {
    var page = Page.start
    var count = 0
    var rows: Entities<Row> = [Row(id: 1), Row(id: 2)]
  }
  struct Load: Action {}
  struct Add: Action {}
  enum RowsAction: Action {
    case move, remove(Int), title(Int, String), page(Int, Page), insert(Int), renumber(Int)
  }
  struct Failure: Error {}

  private func load(
    _ gate: Gate, _ result: AsyncResult<Page> = AsyncResult(value: .shown("a"))
  ) -> AsyncResult<Page> {
    AsyncResult<Page> {
      try await gate.wait()
      return .start
    }
    .flatMap { _ in result }.whileLoading(.loading)
  }

  private func makeStore(
    _ gate: Gate, middleware: [any Middleware<State>] = [],
    _ result: AsyncResult<Page> = AsyncResult(value: .shown("a"))
  ) throws -> Store<State> {
    let page = load(gate, result)
    return try StoreBlueprint<State> {
      AsyncMutator(\.page) { (_: Page, _: Load) in page }
      Mutator(\.count) { (count: inout Int, _: Add) in count += 1 }
      Mutator(\.rows) { (rows: inout Entities<Row>, action: RowsAction) in
        switch action {
        case .move: rows.move(id: 1, to: rows.count - 1)
        case .remove(let id): rows.remove(id: id)
        case .title(let id, let title): rows[id: id]?.title = title
        case .page(let id, let page): rows[id: id]?.page = page
        case .insert(let id): rows.append(Row(id: id))
        case .renumber(let id): rows[id: id]?.id += 10
        }
      }
      Feature<Row> {
        Constant(\Row.id)
        Constant(\Row.title)
        AsyncMutator(\Row.page) { (_: Page, _: Load) in page }
      }
      .identified().lifted(\State.rows)
    }
    .makeStore(initialState: State(), middleware: middleware, onEffectError: { _ in })
  }

  @Test func `has the value from before while a placeholder is shown`() async throws {
    let gate = Gate()
    let store = try makeStore(gate)
    #expect(store.settledState == store.state)
    let task = store.dispatch(Load())
    await gate.waitForWaiters()
    #expect(store.page == .loading)
    #expect(store.settledState.page == .start)
    store.dispatch(Add())
    #expect(store.settledState.count == 1)
    #expect(store.versioned.revision == 3)
    gate.open()
    try await task.finish()
    #expect(store.settledState.page == .shown("a"))
    #expect(store.settledState == store.state)
  }

  @Test func `keeps the value from before the first of several placeholders`() async throws {
    let (gate, second) = (Gate(), Gate())
    let steps = AsyncResult<Page>(value: .start).flatMap { _ in
      load(second).whileLoading(.waiting(2))
    }
    let store = try makeStore(gate, steps.whileLoading(.waiting(1)))
    let task = store.dispatch(Load())
    await gate.waitForWaiters()
    gate.open()
    await second.waitForWaiters()
    #expect(store.page == .waiting(2))
    #expect(store.settledState.page == .start)
    second.open()
    try await task.finish()
    #expect(store.settledState.page == .shown("a"))
  }

  @Test func `has what was there before, after a failure, a cancellation and a removal`()
    async throws
  {
    let gate = Gate()
    gate.open()
    let failing = try makeStore(gate, AsyncResult(error: Failure()))
    try await failing.dispatch(Load()).finish()
    #expect(failing.page == .start && failing.settledState.page == .start)

    let closed = Gate()
    let store = try makeStore(closed)
    let task = store.dispatch(Load())
    await closed.waitForWaiters()
    task.cancel()
    try? await task.finish()
    #expect(store.page == .start && store.settledState.page == .start)

    _ = store.dispatch(Load())
    await closed.waitForWaiters()
    #expect(store.unregister(\.page))
    // Nothing comes after it: so it is what the part has.
    #expect(store.page == .loading && store.settledState.page == .loading)
  }

  @Test func `stays settled once the store has gone`() async throws {
    let gate = Gate()
    var test: TestStore<State>? = try TestStore(exhaustivity: .off) { try makeStore(gate) }
    await test?.dispatch(Load())
    await test?.dispatch(ElementAction(id: 1, action: Load()))
    let (scope, scheduler) = try #require(test.map { ($0.store.asScope, $0.scheduler) })
    #expect(scope.state.page == .loading && scope.state.rows[id: 1]?.page == .loading)
    test = nil
    // The runs have ended.
    await scheduler.rest()
    #expect(!scope.dispatchTarget.isOpen && scope.state.page == .loading)
    #expect(scope.settledState == State())
  }

  @Test func `takes a replacement as it is`() async throws {
    let gate = Gate()
    let store = try makeStore(gate)
    _ = store.dispatch(Load())
    await gate.waitForWaiters()
    store.replaceState(State(page: .loading, count: 7))
    #expect(store.settledState.page == .loading)
    #expect(store.settledState.count == 7)
  }

  @Test func `finds a row that has moved by its id`() async throws {
    let gate = Gate()
    let store = try makeStore(gate)
    _ = store.dispatch(ElementAction(id: 1, action: Load()))
    await gate.waitForWaiters()
    store.dispatch(RowsAction.move)
    store.dispatch(RowsAction.title(1, "one"))
    #expect(store.rows.map(\.id) == [2, 1])
    #expect(store.rows[id: 1]?.page == .loading)
    #expect(store.settledState.rows[id: 1] == Row(id: 1, title: "one"))
    #expect(store.settledState.rows[id: 2] == Row(id: 2))
    #expect(store.scope(\.rows, id: 1)?.settledState == Row(id: 1, title: "one"))
  }

  @Test func `has what another owner wrote since`() async throws {
    let gate = Gate()
    let store = try makeStore(gate)
    let task = store.dispatch(ElementAction(id: 1, action: Load()))
    await gate.waitForWaiters()
    store.dispatch(RowsAction.page(1, .failed))
    #expect(store.settledState.rows[id: 1]?.page == .failed)
    task.cancel()
    try? await task.finish()
    #expect(store.rows[id: 1]?.page == .failed)
  }

  @Test func `has the placeholder of a row whose id has changed: the run of that row has ended`()
    async throws
  {
    let gate = Gate()
    let store = try makeStore(gate)
    store.dispatch(Load().element(1))
    await gate.waitForWaiters()
    store.dispatch(RowsAction.renumber(1))
    #expect(store.settledState == store.state)
    gate.open()
    try await store.settled()
    #expect(store.rows[id: 11]?.page == .loading)
  }

  @Test func `knows nothing of a row that has gone, and of one that has taken its place`()
    async throws
  {
    let gate = Gate()
    let store = try makeStore(gate)
    _ = store.dispatch(ElementAction(id: 1, action: Load()))
    await gate.waitForWaiters()
    store.dispatch(RowsAction.remove(1))
    #expect(store.settledState == store.state)
    store.dispatch([RowsAction.insert(1), .page(1, .loading)])
    #expect(store.settledState == store.state)
  }
}
