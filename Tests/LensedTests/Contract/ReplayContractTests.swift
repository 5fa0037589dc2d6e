import Lensed
import LensedTestSupport
import Testing

private typealias AppState = Contract.AppState
private typealias AppAction = Contract.AppAction
private typealias OtherAction = Contract.OtherAction

/// Attacked in depth by `HistoryTests` and `JournalTests`.
@Suite("The log of a history replays the past", .timeLimit(.minutes(30)))
struct ReplayContractTests {
  private let history = History<AppState>(limit: 100)

  private struct Doubling: Middleware {
    func willReduce(_ action: any Action, _ context: MiddlewareContext<AppState>) -> Verdict {
      if case AppAction.decrease(let amount) = action {
        return .replace(with: [AppAction.increase(-amount), .increase(-amount)])
      }
      return .proceed
    }
  }

  @Test func `the log holds the single actions that were applied, whoever dispatched them`()
    async throws
  {
    let store = try Contract.makeStore(middleware: [history, Doubling()]) {
      Effect(on: OtherAction.self) { action, _ in
        if case .logIn = action { return AppAction.line(7) }
        return nil
      }
    }
    try await store.dispatch(OtherAction.logIn("a")).finish()
    try await store.dispatch(Contract.ticks(2).map { AppAction.line($0) }).finish()
    store.dispatch(AppAction.decrease(5))
    let actions = history.entries.flatMap(\.actions)
    #expect(actions.first as? OtherAction == .logIn("a"))
    #expect(
      actions.compactMap { $0 as? AppAction } == [
        .line(7), .line(0), .line(1), .increase(-5), .increase(-5),
      ])
  }

  @Test func `replaying it on the initial state gives every state again, and runs no work`()
    async throws
  {
    let (runs, desk) = (Counter(), History<Desk>(limit: 100))
    let store = try Store(initialState: Desk(), coverage: .partial, middleware: [desk]) {
      Desk.countMutator
      Effect(
        on: CountAction.self,
        when: { _, _ in
          runs.increment()
          return true
        }
      ) { _, _ in NoteAction.append(0) }
      AsyncMutator(\.notes) { (notes: [Int], action: NoteAction) in
        AsyncResult { notes + [runs.increment()] }.whileLoading([])
      }
    }
    for _ in 1...2 { try await store.dispatch(CountAction.add(1)).finish() }
    let states = desk.entries.map(\.state)
    #expect(desk.entries.filter { $0.cause == .asyncResult }.count == 4)
    #expect(runs.value == 4)
    var replayed: [Desk] = []
    store.replay(try #require(RecordedSession(desk))) { _, state in replayed.append(state) }
    #expect([Desk()] + replayed == states)
    #expect(runs.value == 4)
  }
}
