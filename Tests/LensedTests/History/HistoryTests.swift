import Lensed
import LensedTestSupport
import Testing

@Suite("History", .timeLimit(.minutes(30)))
struct HistoryTests {
  private let history = History<Desk>(limit: 100)

  private func store(
    _ middleware: [any Middleware<Desk>] = [],
    @StoreBuilder<Desk> _ more: () -> [StorePart<Desk>] = { [] }
  ) throws -> Store<Desk> {
    try Store(initialState: Desk(), coverage: .partial, middleware: [history] + middleware) {
      Mutator(\.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
      more()
    }
  }

  @Test func `an entry for each commit, with its action, place and state`() throws {
    let store = try store()
    store.dispatch(CountAction.add(1), fileID: "Shop/Cart.swift", line: 7)
    store.dispatch([CountAction.add(2), .add(3)])
    let entries = history.entries
    #expect(entries.map(\.state.count) == [0, 1, 6])
    #expect(entries.map(\.revision) == [0, 1, 2])
    #expect(entries.map(\.actions.count) == [0, 1, 2])
    #expect(entries.map(\.cause) == [.replacement, .action, .action])
    #expect(entries[1].action as? CountAction == .add(1))
    #expect(entries[1].fileID == "Shop/Cart.swift")
    #expect(entries[1].line == 7)
  }

  @Test func `undo and redo go back and forth, and do nothing at the ends`() throws {
    let store = try store()
    for amount in 1...3 { store.dispatch(CountAction.add(amount)) }
    #expect(!history.redo())
    #expect(store.count == 6)
    #expect(history.undo())
    #expect(store.count == 3)
    #expect(history.undo())
    #expect(history.undo())
    #expect(store.count == 0)
    #expect(!history.undo())
    #expect(!history.canUndo)
    #expect(store.count == 0)
    #expect(history.redo())
    #expect(store.count == 1)
    #expect(history.entries.count == 4)
    #expect(history.position == 1)
  }

  @Test func `jump goes to a commit that is kept, and nowhere else`() throws {
    let store = try store()
    for amount in 1...3 { store.dispatch(CountAction.add(amount)) }
    #expect(history.jump(to: 1))
    #expect(store.count == 1)
    #expect(history.jump(to: 3))
    #expect(store.count == 6)
    #expect(!history.jump(to: 77))
    #expect(store.count == 6)
  }

  @Test func `an action after undo drops what was undone, and so does a replacement`() throws {
    let store = try store()
    for amount in 1...3 { store.dispatch(CountAction.add(amount)) }
    history.undo()
    history.undo()
    store.dispatch(CountAction.add(10))
    #expect(store.count == 11)
    #expect(!history.canRedo)
    #expect(history.entries.map(\.state.count) == [0, 1, 11])
    history.undo()
    store.replaceState(Desk(count: 50))
    #expect(history.entries.map(\.state.count) == [0, 1, 50])
    #expect(history.undo())
    #expect(store.count == 1)
  }

  @Test(.warnsOnPurpose)
  func `neither an unhandled action nor what middleware dropped is an entry`() throws {
    struct Guard: Middleware {
      func willReduce(_ action: any Action, _ context: MiddlewareContext<Desk>) -> Verdict {
        switch action {
        case CountAction.keep: .drop
        case CountAction.reset: .replace(with: CountAction.add(9))
        default: .proceed
        }
      }
    }
    let store = try store([Guard()])
    store.dispatch(StrayAction())
    store.dispatch(CountAction.keep)
    store.dispatch(CountAction.reset)
    #expect(history.entries.dropFirst().count == 1)
    #expect(history.entries.last?.action as? CountAction == .add(9))
  }

  @Test func `it keeps no more than it may`() throws {
    let history = History<Desk>(limit: 3)
    let store = Store(initialState: Desk(), coverage: .partial, middleware: [history])
    try store.register(
      Mutator(\Desk.count) { (count: inout Int, action: CountAction) in count += 1 })
    for _ in 0..<10 { store.dispatch(CountAction.keep) }
    #expect(history.entries.map(\.state.count) == [7, 8, 9, 10])
    while history.undo() {}
    #expect(store.count == 7)
  }

  @Test func `observers hear of undo as of a replacement, and no effect of a changed value starts`()
    async throws
  {
    let ran = Recorder<Int>()
    let store = try store {
      Effect(whenChanged: \Desk.count) { count, _ in ran.append(count) }
    }
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    try await store.dispatch(CountAction.add(1)).finish()
    history.undo()
    try await store.dispatch(CountAction.add(5)).finish()
    #expect(heard.values == [0, 1, 0, 5])
    #expect(ran.values == [1, 5])
    subscription.cancel()
  }

  @Test func `what effects and asynchronous reducers did is in it, and is not done again`()
    async throws
  {
    let runs = Counter()
    let store = try store {
      Effect(
        on: TitleAction.self,
        when: { _, _ in
          runs.increment()
          return true
        }
      ) { _, context in context.dispatch(CountAction.add(7)) }
      AsyncMutator(\Desk.notes) { (notes: [Int], action: NoteAction) -> AsyncResult<[Int]> in
        AsyncResult { notes + [1] }.whileLoading([])
      }
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    try await store.dispatch(NoteAction.append(1)).finish()
    let session = try #require(RecordedSession(history))
    #expect(
      history.entries.map(\.cause) == [
        .replacement, .action, .action, .asyncResult,
      ])
    var states: [Desk] = []
    store.replay(session) { _, state in states.append(state) }
    #expect(states == Array(session.count == 3 ? expected : []))
    #expect(runs.value == 1)
    #expect(store.notes == [1])
  }

  private var expected: [Desk] {
    var desk = Desk()
    desk.count = 7
    let states = [desk, desk]
    desk.notes = [1]
    return states + [desk]
  }

  @Test func `threads that dispatch, undo and redo never part the history from the state`() throws {
    let history = History<Desk>(limit: 10_000)
    let store = Store(initialState: Desk(), coverage: .partial, middleware: [history])
    try store.register(
      Mutator(\Desk.count) { (count: inout Int, action: CountAction) in count += 1 })
    Threads.run(4) { thread in
      for _ in 0..<500 {
        switch thread {
        case 0, 1: store.dispatch(CountAction.keep)
        case 2: history.undo()
        default: history.redo()
        }
      }
    }
    let (entries, position) = (history.entries, history.position)
    #expect(entries[position].state == store.state)
    for (before, after) in zip(entries, entries.dropFirst()) {
      #expect(after.state.count == before.state.count + 1)
    }
  }

  @Test func `once its store has gone it stays as it was, and keeps nothing alive`() throws {
    var store: Store<Desk>? = try store()
    let gone = WeakReference(store)
    store?.dispatch(CountAction.add(1))
    store = nil
    #expect(gone.object == nil)
    #expect(!history.undo())
    #expect(history.entries.count == 2)
  }
}
