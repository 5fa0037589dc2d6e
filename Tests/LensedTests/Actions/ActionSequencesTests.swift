import Lensed
import LensedTestSupport
import Testing

@Suite("AsyncActions.merge runs sequences at once", .timeLimit(.minutes(30)))
struct MergedActionsTests {
  @Test func `all have begun before the first has ended, and all are applied`() async throws {
    let store = try Desk.makeStore()
    let gate = Gate()
    let first = ScriptedActions<NoteAction>(.give(.append(1)), .wait(gate), .give(.append(2)))
    let second = ScriptedActions<NoteAction>(.give(.append(3)), .wait(gate), .give(.append(4)))
    let third = ScriptedActions<CountAction>(giving: .add(5))
    let task = store.dispatch(AsyncActions.merge(first, second, third))
    await gate.waitForWaiters(2)
    #expect(Set(store.notes) == [1, 3])
    gate.open()
    try await task.finish()
    #expect(store.notes.count == 4)
    #expect(store.notes.filter { $0 < 3 } == [1, 2], "elements of one sequence keep their order")
    #expect(store.notes.filter { $0 > 2 } == [3, 4], "elements of one sequence keep their order")
    #expect(store.count == 5)
  }

  @Test func `the first failure cancels the others and is what finish() throws`() async throws {
    let store = try Desk.makeStore()
    let gate = Gate()
    let endless = ScriptedActions<NoteAction>(.give(.append(1)), .hang, .give(.append(2)))
    let failing = ScriptedActions<NoteAction>(.wait(gate), .fail(Mishap("first")))
    let task = store.dispatch(AsyncActions.merge(endless, failing))
    await endless.pulls.waitForCount(2)
    gate.open()
    await #expect(throws: Mishap("first")) { try await task.finish() }
    #expect(store.notes == [1], "what was applied stays, nothing follows")
    store.dispatch(NoteAction.append(3))
    #expect(store.notes == [1, 3])
  }

  @Test func `in a list, what follows waits for all of them`() async throws {
    let store = try Desk.makeStore()
    let gate = Gate()
    let slow = ScriptedActions<NoteAction>(.wait(gate), .give(.append(2)))
    let quick = ScriptedActions<NoteAction>(giving: .append(1))
    let task = store.dispatch(
      [AsyncActions.merge(slow, quick), NoteAction.append(3)] as [any Action])
    await gate.waitForWaiters()
    await quick.pulls.waitForCount(2)
    #expect(store.notes == [1])
    gate.open()
    try await task.finish()
    #expect(store.notes == [1, 2, 3])
  }

  @Test func `merging nothing, or sequences without elements, is no commit`() async throws {
    let store = try Desk.makeStore()
    var changes = store.changes().makeAsyncIterator()
    try await store.dispatch(AsyncActions.merge()).finish()
    try await store.dispatch(AsyncActions.merge(ScriptedActions<CountAction>())).finish()
    store.dispatch(CountAction.add(1))
    #expect(await changes.next()?.revision == 1)
  }
}

@Suite("AsyncActions.concat runs sequences one after another", .timeLimit(.minutes(30)))
struct ConcatenatedActionsTests {
  @Test func `each begins when the one before has ended`() async throws {
    let store = try Desk.makeStore()
    let gate = Gate()
    let first = ScriptedActions<NoteAction>(.give(.append(1)), .wait(gate), .give(.append(2)))
    let second = ScriptedActions<NoteAction>(giving: .append(3))
    let task = store.dispatch(AsyncActions.concat(first, second))
    await gate.waitForWaiters()
    #expect(store.notes == [1])
    #expect(second.starts.count == 0)
    gate.open()
    try await task.finish()
    #expect(store.notes == [1, 2, 3])
  }

  @Test func `a failure ends the whole, and finish() throws it`() async throws {
    let store = try Desk.makeStore()
    let failing = ScriptedActions<NoteAction>(.give(.append(1)), .fail(Mishap("early")))
    let second = ScriptedActions<NoteAction>(giving: .append(2))
    let task = store.dispatch(AsyncActions.concat(failing, second))
    await #expect(throws: Mishap("early")) { try await task.finish() }
    #expect(store.notes == [1])
    #expect(second.starts.count == 0)
  }

  @Test func `sequences of different types and kinds go together`() async throws {
    let store = try Desk.makeStore()
    let stream = AsyncStream<Int> { continuation in
      continuation.yield(1)
      continuation.finish()
    }
    try await store.dispatch(
      AsyncActions.concat(
        stream.map { NoteAction.append($0) }, ScriptedActions(giving: CountAction.add(2)))
    ).finish()
    #expect(store.state == Desk(count: 2, notes: [1]))
  }

  @Test func `merged and concatenated sequences can be nested`() async throws {
    let store = try Desk.makeStore()
    let (one, two) = (ScriptedActions(giving: NoteAction.append(1)), NoteAction.append(2))
    let inner = AsyncActions.concat(one, ScriptedActions(giving: two))
    let outer: [any Action] = [inner, NoteAction.append(3), AsyncActions.merge(one)]
    try await store.dispatch(outer).finish()
    #expect(store.notes == [1, 2, 3, 1])
  }

  @Test func `sequences of any action, and merged ones, go in as actions`() async throws {
    let store = try Desk.makeStore()
    let mixed = ScriptedActions<any Action>(giving: CountAction.add(1), TitleAction.rename("a"))
    let plain = ScriptedActions(giving: NoteAction.append(1))
    let merged = AsyncActions.merge(AsyncActions(mixed), AsyncActions(plain))
    try await store.dispatch(AsyncActions.concat(merged, AsyncActions(plain))).finish()
    #expect(store.state == Desk(count: 1, title: "a", notes: [1, 1]))
  }
}
