import Lensed
import LensedTestSupport
import Testing

@Suite("An async sequence of actions is an action", .timeLimit(.minutes(30)))
struct AsyncActionsTests {
  @Test func `each element is a commit of its own, as it comes`() async throws {
    let store = try Desk.makeStore()
    let (notes, continuation) = AsyncStream<Int>.makeStream()
    let heard = Recorder<[Int]>()
    let subscription = store.states(\.notes).subscribe { heard.append($0) }
    let task = store.dispatch(notes.map { NoteAction.append($0) })
    for note in 1...3 {
      continuation.yield(note)
      #expect(await heard.waitForCount(note + 1).last == Array(1...note))
    }
    continuation.finish()
    try await task.finish()
    #expect(heard.values == [[], [1], [1, 2], [1, 2, 3]])
    subscription.cancel()
  }

  @Test func `elements may be of any type`() async throws {
    let store = try Desk.makeStore()
    let script = ScriptedActions<any Action>(
      giving: CountAction.add(1), TitleAction.rename("a"), [CountAction.add(2), .add(3)],
      ActionList([NoteAction.append(1), CountAction.add(4)]))
    try await store.dispatch(script).finish()
    #expect(store.state == Desk(count: 10, title: "a", notes: [1]))
  }

  @Test func `it is started by the dispatch, exactly once, whether anybody looks or not`()
    async throws
  {
    let store = try Desk.makeStore()
    let script = ScriptedActions(giving: CountAction.add(1))
    store.dispatch(script)
    await script.pulls.waitForCount(2)
    #expect(script.starts.count == 1)
    let other = ScriptedActions(giving: CountAction.add(1))
    let task = store.dispatch(AsyncActions(other))
    for _ in 0..<3 { try await task.finish() }
    #expect(other.starts.count == 1)
    #expect(store.count == 2)
  }

  @Test func `the next element is asked for when the one before has been applied`() async throws {
    let store = try Desk.makeStore()
    let seen = Recorder<Int>()
    let counts = AsyncStream<CountAction>(
      unfolding: { [weak store] in
        let count = store?.count ?? -1
        seen.append(count)
        return count < 5 ? .add(1) : nil
      })
    try await store.dispatch(counts).finish()
    #expect(seen.values == [0, 1, 2, 3, 4, 5])
  }

  @Test func `an element that is itself asynchronous is applied whole before the next`()
    async throws
  {
    let store = try Desk.makeStore()
    let gate = Gate()
    let inner = ScriptedActions<NoteAction>(
      .give(.append(1)), .wait(gate), .give(.append(2)))
    let outer = ScriptedActions<any Action>(
      giving: AsyncActions(inner), NoteAction.append(3))
    let task = store.dispatch(outer)
    await gate.waitForWaiters()
    #expect(store.notes == [1])
    #expect(outer.pulls.count == 1)
    gate.open()
    try await task.finish()
    #expect(store.notes == [1, 2, 3])
  }

  @Test func `an array among the elements is one commit`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<[Int]>()
    let subscription = store.states(\.notes).subscribe { heard.append($0) }
    let script = ScriptedActions<[NoteAction]>(
      giving: [.append(1), .append(2)], [], [.append(3)])
    try await store.dispatch(script).finish()
    #expect(heard.values == [[], [1, 2], [1, 2, 3]])
    subscription.cancel()
  }

  @Test func `a sequence may dispatch while it is pulled`() async throws {
    let store = try Desk.makeStore()
    let numbers = AsyncStream<Int> { continuation in
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
    }
    let actions = numbers.map { [weak store] number in
      store?.dispatch(NoteAction.append(-number))
      return NoteAction.append(number)
    }
    try await store.dispatch(actions).finish()
    #expect(store.notes == [-1, 1, -2, 2, -3, 3])
  }

  @Test func `a throwing stream is a sequence too`() async throws {
    let store = try Desk.makeStore()
    let (stream, continuation) = AsyncThrowingStream<CountAction, any Error>.makeStream()
    continuation.yield(.add(1))
    continuation.finish(throwing: Mishap("stream"))
    let task = store.dispatch(stream)
    await #expect(throws: Mishap("stream")) { try await task.finish() }
    #expect(store.count == 1)
  }

  @Test func `an empty sequence is no commit`() async throws {
    let store = try Desk.makeStore()
    var changes = store.changes().makeAsyncIterator()
    try await store.dispatch(ScriptedActions<CountAction>()).finish()
    store.dispatch(CountAction.add(1))
    #expect(await changes.next()?.revision == 1)
  }

  @Test func `a reducer alone refuses a sequence with a sentence`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let reducer = Reducer { (count: inout Int, action: CountAction) in count += 1 }
        var count = 0
        reducer.reduce(&count, AsyncActions(ScriptedActions(giving: CountAction.add(1))))
      })
    #expect(result.message.contains("AsyncActions"))
    #expect(result.message.contains("dispatch it"))
  }
}

@Suite("A list with an async member runs front to back", .timeLimit(.minutes(30)))
struct AsyncMemberTests {
  @Test func `what comes before it is one commit, the rest follows one by one`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<[Int]>()
    let subscription = store.states(\.notes).subscribe { heard.append($0) }
    let script = ScriptedActions<NoteAction>(giving: .append(3), .append(4))
    let task = store.dispatch(
      [
        NoteAction.append(1), NoteAction.append(2), AsyncActions(script), NoteAction.append(5),
        NoteAction.append(6),
      ] as [any Action])
    #expect(store.notes.starts(with: [1, 2]), "what comes before is applied on return")
    try await task.finish()
    #expect(
      heard.values == [
        [], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6],
      ])
    subscription.cancel()
  }

  @Test func `the members before it are applied when dispatch returns, however it is nested`()
    async throws
  {
    let store = try Desk.makeStore()
    let gate = Gate()
    let script = ScriptedActions<NoteAction>(.wait(gate), .give(.append(3)))
    let task = store.dispatch(
      ActionList([
        [NoteAction.append(1)],
        ActionList([NoteAction.append(2), AsyncActions(script), NoteAction.append(4)]),
        [NoteAction.append(5), .append(6)],
      ]))
    #expect(store.notes == [1, 2])
    gate.open()
    try await task.finish()
    #expect(store.notes == [1, 2, 3, 4, 5, 6])
  }

  @Test func `other dispatches may come between what follows`() async throws {
    let store = try Desk.makeStore()
    let gate = Gate()
    let script = ScriptedActions<NoteAction>(.give(.append(1)), .wait(gate), .give(.append(2)))
    let task = store.dispatch([AsyncActions(script), NoteAction.append(3)] as [any Action])
    await gate.waitForWaiters()
    store.dispatch(NoteAction.append(99))
    gate.open()
    try await task.finish()
    #expect(store.notes == [1, 99, 2, 3])
  }

  @Test func `a sequence among the members begins when its turn has come`() async throws {
    let store = try Desk.makeStore()
    let gate = Gate()
    let first = ScriptedActions<NoteAction>(.wait(gate), .give(.append(1)))
    let second = ScriptedActions<NoteAction>(giving: .append(2))
    let task = store.dispatch([AsyncActions(first), AsyncActions(second)] as [any Action])
    await gate.waitForWaiters()
    #expect(second.starts.count == 0)
    gate.open()
    try await task.finish()
    #expect(store.notes == [1, 2])
    #expect(second.starts.count == 1)
  }

  @Test func `an array of sequences of one type is a list too`() async throws {
    let store = try Desk.makeStore()
    let sequences = (1...3).map { AsyncActions(ScriptedActions(giving: NoteAction.append($0))) }
    try await store.dispatch(sequences).finish()
    #expect(store.notes == [1, 2, 3])
  }
}
