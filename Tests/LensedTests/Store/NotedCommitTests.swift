import Lensed
import LensedTestSupport
import Testing

@Suite("Each commit is noted, with the kept parts that it touched", .timeLimit(.minutes(30)))
struct NotedCommitTests {
  /// Notes what commits touch of a title and a count.
  private final class Keeper: StateKeeping {
    typealias State = Desk
    let noted = Recorder<UInt64>()
    private let subscription = Recorder<StoreSubscription>()

    func keep(_ store: ScopedStore<Desk>, isNew: Bool) {
      let noting = store.noteTouched(
        [StatePart(Lens(\Desk.title)), StatePart(Lens(\Desk.count))],
        note: { [noted] touched, _, _ in noted.append(touched) }, wake: {}, end: {})
      if let noting { subscription.append(noting.subscription) }
    }
  }

  @Test func `also one that touches none of them`() throws {
    let keeper = Keeper()
    let store = try Store(initialState: Desk(), middleware: [keeper]) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
    store.dispatch(TitleAction.rename("a"))
    store.dispatch(NoteAction.append(1))
    store.dispatch(CountAction.keep)
    store.dispatch([ClearAction(), ClearAction()])
    store.dispatch([NoteAction.append(2), CountAction.add(1)] as [any Action])
    store.replaceState(Desk())
    #expect(Array(keeper.noted.values.prefix(5)) == [0b01, 0, 0b10, 0b11, 0b10])
    #expect(keeper.noted.values.count == 6)
    #expect(keeper.noted.last.map { $0 & 0b11 } == 0b11)
  }

  @Test(.warnsOnPurpose) func `also one that no reducer takes`() throws {
    let keeper = Keeper()
    let store = try Store(initialState: Desk(), coverage: .partial, middleware: [keeper]) {
      Desk.countMutator
    }
    store.dispatch(StrayAction())
    #expect(keeper.noted.values == [0])
  }

  @Test func `nothing is lent to it that it would have to keep`() throws {
    let keeper = Keeper()
    let store = try Store(initialState: Desk(), coverage: .partial, middleware: [keeper]) {
      Desk.titleMutator
    }
    try store.register(Desk.countMutator)
    store.dispatch(CountAction.add(1))
    store.unregister(\.count)
    try store.register(Desk.notesMutator)
    store.dispatch(NoteAction.append(1))
    store.dispatch(TitleAction.rename("b"))
    #expect(keeper.noted.values == [0b10, 0, 0b01])
  }
}
