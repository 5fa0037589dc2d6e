import Foundation
import Lensed
import LensedTestSupport
import Testing

private typealias AppState = Contract.AppState
private typealias AppAction = Contract.AppAction
private typealias OtherAction = Contract.OtherAction

/// Attacked in depth by `HistoryTests` and `HistoryEdgesTests`.
@Suite("History: undo, redo, jumps and snapshots", .timeLimit(.minutes(30)))
struct HistoryContractTests {
  private let history = History<AppState>(limit: 100)

  @Test func `an entry has an action, a cause, a revision, a state, a file and a line`() throws {
    let store = try Contract.makeStore(middleware: [history])
    let line = UInt(#line + 1)
    store.dispatch(AppAction.increase(1))
    store.replaceState(AppState(counter: 5))
    let entry = history.entries[1]
    #expect(entry.action as? AppAction == .increase(1))
    #expect(entry.cause == .action)
    #expect(entry.revision == 1)
    #expect(entry.state == AppState(counter: 1))
    #expect(entry.fileID == #fileID)
    #expect(entry.line == line)
    #expect(history.entries.map(\.cause) == [.replacement, .action, .replacement])
  }

  @Test func `the limit bounds them`() throws {
    let short = History<AppState>(limit: 2)
    let store = try Contract.makeStore(middleware: [short])
    for _ in 1...5 { store.dispatch(AppAction.increase(1)) }
    #expect(short.entries.map(\.state.counter.value) == [3, 4, 5])
  }

  @Test func `undo, redo and jump, which do nothing at the ends`() throws {
    let store = try Contract.makeStore(middleware: [history])
    for _ in 1...3 { store.dispatch(AppAction.increase(1)) }
    history.redo()
    #expect(store.counter.value == 3)
    history.undo()
    history.undo()
    #expect(store.counter.value == 1)
    history.redo()
    #expect(store.counter.value == 2)
    history.jump(to: 0)
    #expect(store.counter.value == 0)
    history.undo()
    history.jump(to: 99)
    #expect(store.counter.value == 0)
    history.jump(to: 3)
    #expect(store.counter.value == 3)
  }

  @Test func `each is a commit, of which observers hear`() async throws {
    let store = try Contract.makeStore(middleware: [history])
    var changes = store.changes().makeAsyncIterator()
    store.dispatch(AppAction.increase(1))
    history.undo()
    history.redo()
    history.jump(to: 0)
    var causes: [CommitCause] = []
    while causes.count < 4, let change = await changes.next() { causes.append(change.cause) }
    #expect(causes == [.action, .replacement, .replacement, .replacement])
  }

  @Test(arguments: [true, false])
  func `a new action, or a replaceState from elsewhere, drops the redo list`(isAction: Bool) throws
  {
    let store = try Contract.makeStore(middleware: [history])
    for _ in 1...2 { store.dispatch(AppAction.increase(1)) }
    history.undo()
    if isAction {
      store.dispatch(AppAction.increase(10))
    } else {
      store.replaceState(AppState(counter: 11))
    }
    history.redo()
    #expect(store.counter.value == 11)
    #expect(history.entries.map(\.state.counter.value) == [0, 1, 11])
  }

  @Test func `a state goes to JSON and comes back`() throws {
    let store = try Contract.makeStore()
    store.dispatch([AppAction.increase(3), .line(1)])
    let data = try JSONEncoder().encode(store.state)
    store.dispatch(AppAction.clear)
    store.replaceState(try JSONDecoder().decode(AppState.self, from: data))
    #expect(store.counter == Contract.CounterState(value: 3, log: [1]))
  }

  @Test func `going back starts no effect of a changed value, and what runs goes on as ever`()
    async throws
  {
    let (gate, seen) = (Gate(), Recorder<Int>())
    let store = try Contract.makeStore(middleware: [history]) {
      Effect<AppState>(
        whenChanged: \.counter.value,
        when: { value, _ in
          seen.append(value)
          return true
        }
      ) { value, context in
        if value != 1 { return }
        try await gate.wait()
        context.dispatch(OtherAction.logIn("late"))
      }
    }
    let running = store.dispatch(AppAction.increase(1))
    await gate.waitForWaiters()
    try await store.dispatch(AppAction.increase(1)).finish()
    history.undo()
    history.jump(to: 0)
    store.replaceState(AppState(counter: 40))
    history.undo()
    gate.open()
    try await running.finish()
    #expect(store.state == AppState(user: "late"), "an ordinary commit, on the state it met")
    #expect(history.entries.last?.action as? OtherAction == .logIn("late"))
    try await store.dispatch(AppAction.increase(2)).finish()
    #expect(seen.values == [1, 2, 2])
  }
}
