import Lensed
import LensedTestSupport
import Testing

@Suite("Lists of actions")
struct ActionListTests {
  private let store: Store<Desk>
  private let heard = Recorder<Desk>()
  private let subscription: StoreSubscription

  init() throws {
    store = try Desk.makeStore()
    let heard = heard
    subscription = store.states.subscribe { heard.append($0) }
  }

  @Test func `an array of one type is applied in order, and heard of once`() {
    store.dispatch([NoteAction.append(1), .append(2), .write(at: 0, 9)])
    #expect(store.notes == [9, 2])
    #expect(heard.values == [Desk(), Desk(notes: [9, 2])])
  }

  @Test func `an array of mixed types is applied in order, and heard of once`() {
    store.dispatch([CountAction.add(2), TitleAction.rename("a"), ClearAction(), CountAction.add(3)])
    #expect(heard.values == [Desk(), Desk(count: 3)])
  }

  @Test func `arrays nest to any depth, in any kind of list`() {
    let list: [any Action] = [
      NoteAction.append(1),
      [NoteAction.append(2), .append(3)],
      ActionList([NoteAction.append(4), ActionList([CountAction.add(1), [NoteAction.append(5)]])]),
      [[NoteAction.append(6)], [NoteAction.append(7), .append(8)]],
      NoteAction.append(9),
    ]
    store.dispatch(list)
    #expect(heard.values == [Desk(), Desk(count: 1, notes: Array(1...9))])
  }

  @Test func `a list can be written as a literal`() {
    let list: ActionList = [NoteAction.append(1), CountAction.add(2)]
    #expect(list.actions.count == 2)
    store.dispatch(list)
    #expect(heard.values == [Desk(), Desk(count: 2, notes: [1])])
  }

  @Test func `a list behind any Action is a list`() {
    let list: any Action = [NoteAction.append(1), .append(2)]
    store.dispatch(list)
    let mixed: any Action = ActionList([NoteAction.append(3), list])
    store.dispatch(mixed)
    #expect(
      heard.values == [Desk(), Desk(notes: [1, 2]), Desk(notes: [1, 2, 3, 1, 2])])
  }

  @Test func `a list of one thousand is one commit`() {
    store.dispatch((0..<1000).map { NoteAction.append($0) })
    #expect(heard.values == [Desk(), Desk(notes: Array(0..<1000))])
    store.dispatch((0..<1000).map { _ in CountAction.add(1) as any Action })
    #expect(heard.count == 3)
    #expect(store.count == 1000)
  }

  @Test func `dispatchEach is a commit for each`() {
    store.dispatchEach([NoteAction.append(1), .append(2), .append(3)])
    #expect(heard.values.map(\.notes) == [[], [1], [1, 2], [1, 2, 3]])
  }

  @Test func `dispatchEach takes any sequence`() {
    store.dispatchEach((1...3).lazy.map { NoteAction.append($0) })
    #expect(heard.values.map(\.notes) == [[], [1], [1, 2], [1, 2, 3]])
  }
}

@Suite("An empty list is none")
struct EmptyListTests {
  private static var empties: [[any Action]] {
    [
      [],
      [[CountAction]()],
      [ActionList([])],
      [ActionList([[CountAction](), ActionList([]), [[CountAction]]()])],
      [[CountAction]().tagged(Int.self), ElementAction(id: 1, action: [CountAction]())],
    ]
  }

  @Test func `it is no commit, of whatever kind it is`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states.subscribe { _ in heard.append(1) }
    var changes = store.changes().makeAsyncIterator()
    store.dispatch([])
    store.dispatch([CountAction]())
    for empty in Self.empties {
      store.dispatch(empty)
      store.dispatch(ActionList(empty))
      for action in empty { store.dispatch(action) }
    }
    #expect(heard.count == 1)
    store.dispatch(CountAction.add(1))
    let change = try #require(await changes.next())
    #expect(change.action is CountAction)
    #expect(change.revision == 1)
    #expect(heard.count == 2)
    subscription.cancel()
  }

  @Test func `it gives the current value to focusingOn:`() throws {
    let store = try Desk.makeStore(Desk(count: 4))
    #expect(store.dispatch([CountAction](), focusingOn: \.count) == 4)
    #expect(store.dispatch(ActionList([]), focusingOn: \.count) == 4)
  }

  @Test func `it has nothing to wait for`() async throws {
    let store = try Desk.makeStore()
    try await store.dispatch([CountAction]()).finish()
    try await store.dispatch(ActionList([])).finish()
    #expect(store.state == Desk())
  }
}
