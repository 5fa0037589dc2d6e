import Lensed
import LensedTestSupport
import Testing

private typealias AppState = Contract.AppState
private typealias AppAction = Contract.AppAction
private typealias OtherAction = Contract.OtherAction

/// Attacked in depth by `HistoryTests`, and `WrittenSessionTests` for files.
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
    #expect(desk.entries.filter { $0.cause == .asyncResult }.count == 2)
    #expect(runs.value == 4)
    var replayed: [Desk] = []
    store.replay(try #require(RecordedSession(desk))) { _, state in replayed.append(state) }
    #expect([Desk()] + replayed == states)
    #expect(runs.value == 4)
  }

  /// Counts what middleware is asked about and notified of.
  private struct Witness: Middleware {
    typealias State = Desk
    let calls: Counter

    var needsPrevious: Bool { true }
    func willReduce(_ action: any Action, _ context: MiddlewareContext<Desk>) -> Verdict {
      calls.increment()
      return .drop
    }
    func didReduce(_ change: Change<Desk>) { calls.increment() }
  }

  @Test
  func `a replay asks no middleware and notifies none, and readers and recorders see all of it`()
    async throws
  {
    let recorder = SessionRecorder<Desk>()
    let store = try Store(initialState: Desk(), coverage: .partial, middleware: [recorder]) {
      Desk.countMutator
    }
    store.dispatch(CountAction.add(1))
    store.replaceState(Desk(count: 5))
    store.dispatch([CountAction.add(1), .add(2)])
    let session = try #require(recorder.session)

    let (calls, history, second) = (Counter(), History<Desk>(), SessionRecorder<Desk>())
    let (counts, desk) = (Recorder<Int>(), History(\Desk.count))
    let fresh = try Store(
      initialState: Desk(), coverage: .partial,
      middleware: [Witness(calls: calls), history, second, desk]
    ) {
      Desk.countMutator
    }
    let subscription = fresh.states(\.count).subscribe { counts.append($0) }
    var changes = fresh.changes(keepingPrevious: true).makeAsyncIterator()
    fresh.replay(session)
    #expect(calls.value == 0)
    #expect(fresh.count == 8)
    #expect(counts.values == [0, 1, 5, 8])
    #expect(history.entries.map(\.state.count) == [0, 0, 1, 5, 8])
    #expect(desk.entries.map(\.state.count) == [0, 1, 5, 8])
    #expect(second.session?.count == 4)
    var seen: [[Int?]] = []
    for _ in 0..<4 {
      let change = await changes.next()
      seen.append([change?.previous?.count, change?.state.count])
    }
    #expect(seen == [[0, 0], [0, 1], [1, 5], [5, 8]])
    subscription.cancel()
    fresh.dispatch(CountAction.add(1))
    #expect(calls.value > 0)
  }
}
