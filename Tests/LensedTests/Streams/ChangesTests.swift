import Lensed
import LensedTestSupport
import Testing

@Suite("changes: every commit, with its action", .timeLimit(.minutes(30)))
struct ChangesTests {
  /// The next few changes of an iterator, which are there already.
  private func take<State>(
    _ count: Int, of changes: inout StateChanges<State>.Iterator
  ) async -> [Change<State>] {
    var taken: [Change<State>] = []
    for _ in 0..<count { if let change = await changes.next() { taken.append(change) } }
    return taken
  }

  @Test func `it registers when the iterator is made, not before and not later`() async throws {
    let store = try Desk.makeStore()
    let changes = store.changes()
    store.dispatch(CountAction.add(1))
    var iterator = changes.makeAsyncIterator()
    store.dispatch(CountAction.add(10))
    store.dispatch(CountAction.add(100))
    let taken = await take(2, of: &iterator)
    #expect(taken.map(\.state.count) == [11, 111])
    #expect(taken.map(\.revision) == [2, 3])
  }

  @Test func `a waiting reader is woken by each commit`() async throws {
    let store = try Desk.makeStore()
    var iterator = store.changes().makeAsyncIterator()
    let dispatched = Threads.start {
      for _ in 0..<500 { store.dispatch(CountAction.add(1)) }
    }
    for count in 1...500 { #expect(await iterator.next()?.state.count == count) }
    dispatched.wait()
  }

  @Test func `the action is what was dispatched, an array as an array`() async throws {
    let store = try Desk.makeStore()
    var iterator = store.changes().makeAsyncIterator()
    store.dispatch(CountAction.add(1))
    store.dispatch([CountAction.add(2), .add(3)])
    store.dispatch([CountAction.add(4), TitleAction.rename("T")])
    let one: any Action = ClearAction()
    store.dispatch(one)
    let actions = await take(4, of: &iterator).map(\.action)
    #expect(actions[0] as? CountAction == .add(1))
    #expect(actions[1] as? [CountAction] == [.add(2), .add(3)])
    let list = try #require(actions[2] as? ActionList)
    #expect(list.actions.count == 2)
    #expect(list.actions[0] as? CountAction == .add(4))
    #expect(list.actions[1] as? TitleAction == .rename("T"))
    #expect(actions[3] as? ClearAction == ClearAction())
  }

  @Test func `an array is one change, dispatchEach one for each`() async throws {
    let store = try Desk.makeStore()
    var iterator = store.changes().makeAsyncIterator()
    store.dispatch([CountAction.add(1), .add(1)])
    store.dispatchEach([CountAction.add(1), .add(1)])
    let taken = await take(3, of: &iterator)
    #expect(taken.map(\.state.count) == [2, 3, 4])
    #expect(taken.map(\.revision) == [1, 2, 3])
  }

  @Test func `an empty array is no commit`() async throws {
    let store = try Desk.makeStore()
    var iterator = store.changes().makeAsyncIterator()
    store.dispatch([CountAction]())
    store.dispatch([any Action]())
    store.dispatch(ActionList([]))
    store.dispatch([[CountAction]()])
    store.dispatch(CountAction.add(1))
    #expect(await iterator.next()?.revision == 1)
  }

  @Test(.warnsOnPurpose) func `a commit that nobody handles is a commit`() async throws {
    let store = try Desk.makeStore()
    var iterator = store.changes().makeAsyncIterator()
    store.dispatch(StrayAction())
    store.dispatch(CountAction.keep)
    let taken = await take(2, of: &iterator)
    #expect(taken.map(\.isHandled) == [false, true])
    #expect(taken.map(\.revision) == [1, 2])
    #expect(taken[0].action as? StrayAction == StrayAction())
  }

  @Test(.warnsOnPurpose) func `touches tells who ran`() async throws {
    let store = try Desk.makeStore()
    var iterator = store.changes().makeAsyncIterator()
    store.dispatch(CountAction.keep)
    store.dispatch(ClearAction())
    store.dispatch(StrayAction())
    store.dispatch([CountAction.add(1), NoteAction.append(1)])
    let taken = await take(4, of: &iterator)
    #expect(taken.map { $0.touches(\.count) } == [true, true, false, true])
    #expect(taken.map { $0.touches(Lens(\.title)) } == [false, true, false, false])
    #expect(taken.map { $0.touches(\.notes) } == [false, false, false, true])
    #expect(taken.map { $0.touches(\.self) } == [true, true, false, true])
    #expect(taken.map { $0.touches(\.summary) } == [true, true, false, true])
  }

  @Test func `a replacement has its cause and no action, and changes everything`() async throws {
    let store = try Desk.makeStore()
    var iterator = store.changes(keepingPrevious: true).makeAsyncIterator()
    store.dispatch(CountAction.add(1))
    store.replaceState(Desk(title: "T"))
    let taken = await take(2, of: &iterator)
    #expect(taken.map(\.cause) == [.action, .replacement])
    #expect(taken[1].action == nil)
    #expect(taken[1].touches(\.count))
    #expect(taken[1].touches(\.notes))
    #expect(taken[1].previous == Desk(count: 1))
    #expect(taken[1].state == Desk(title: "T"))
  }

  @Test func `the state before is there where it was asked for`() async throws {
    let store = try Desk.makeStore()
    var (with, without) = (
      store.changes(keepingPrevious: true).makeAsyncIterator(),
      store.changes().makeAsyncIterator()
    )
    store.dispatch(CountAction.add(1))
    store.dispatch(TitleAction.rename("T"))
    #expect(
      await take(2, of: &with).map(\.previous) == [Desk(), Desk(count: 1)])
    #expect(await take(2, of: &without).map(\.previous) == [nil, nil])
  }

  @Test(.warnsOnPurpose) func `didChange compares values, and is true on first delivery`()
    async throws
  {
    let store = try Desk.makeStore()
    var iterator = store.changes(keepingPrevious: true).makeAsyncIterator()
    store.dispatch(StrayAction())
    store.dispatch(CountAction.keep)
    store.dispatch(CountAction.add(1))
    let taken = await take(3, of: &iterator)
    #expect(taken.map { $0.didChange(\.count) } == [true, false, true])
    #expect(taken.map { $0.didChange(\.title) } == [true, false, false])
    #expect(taken.map { $0.didChange(\.summary) } == [true, false, true])
  }

  @Test func `didChange without the state before traps and says how to ask for it`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Desk.makeStore()
      var iterator = store.changes().makeAsyncIterator()
      store.dispatch(CountAction.add(1))
      _ = await iterator.next()?.didChange(\.count)
    }
    #expect(result.message.contains("changes(keepingPrevious: true)"))
  }
}
