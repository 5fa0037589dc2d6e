#if DEBUG
  import LensedTestSupport
  import Synchronization
  import Testing

  @testable import Lensed

  /// The lock counts its turns in debug builds alone.
  @Suite("How often a dispatch takes the lock of its store", .timeLimit(.minutes(30)))
  struct LockTurnTests {
    private struct Bystander: Middleware {
      typealias State = Desk
    }

    private static let hundred: [any Action] = (0..<50).flatMap {
      [CountAction.add($0), TitleAction.rename("\($0)")] as [any Action]
    }

    /// The turns that `body` takes when it is run for the third time.
    private func turns(_ store: Store<Desk>, _ body: () -> Void) -> Int {
      var count = 0
      for _ in 0..<3 {
        count = -store.core.lock.turns.load(ordering: .relaxed)
        body()
        count += store.core.lock.turns.load(ordering: .relaxed)
      }
      return count
    }

    private func makeStore(
      _ middleware: [any Middleware<Desk>] = [], _ parts: [StorePart<Desk>] = []
    ) throws -> Store<Desk> {
      try Store(initialState: Desk(), coverage: .partial, middleware: middleware) {
        Desk.countMutator
        Desk.titleMutator
        parts
      }
    }

    @Test func `an action, an array and a list are one turn each, however many they are`() throws {
      let store = try makeStore()
      #expect(turns(store) { store.dispatch(CountAction.add(1)) } == 1)
      #expect(turns(store) { store.dispatch(CountAction.add(1) as any Action) } == 1)
      #expect(turns(store) { store.scope(\.self).dispatch(CountAction.add(1)) } == 1)
      #expect(
        turns(store) { store.dispatch(Array(repeating: CountAction.add(1), count: 100)) } == 1)
      #expect(turns(store) { store.dispatch(Self.hundred) } == 1)
      #expect(turns(store) { store.dispatch(ActionList(Self.hundred)) } == 1)
      #expect(turns(store) { _ = store.dispatch(CountAction.add(1), focusingOn: \.count) } == 1)
    }

    @Test func `effects of other actions and observers of other parts add no turn`() throws {
      let store = try makeStore([], [StorePart(Effect(on: NoteAction.self) { _, _ -> Void in })])
      let subscription = store.states(\.title).subscribe { _ in }
      #expect(turns(store) { store.dispatch(CountAction.add(1)) } == 1)
      subscription.cancel()
    }

    @Test func `who delivers a list to observers takes one turn more, after the calls`() throws {
      let store = try makeStore()
      let subscription = store.states(\.count).subscribe { _ in }
      #expect(turns(store) { store.dispatch(CountAction.add(1)) } == 1)
      #expect(turns(store) { store.dispatch(Self.hundred) } == 2)
      subscription.cancel()
    }

    @Test func `with a reader of changes an action and a list are one turn each`() throws {
      let store = try makeStore()
      let reader = store.changes().makeAsyncIterator()
      #expect(turns(store) { store.dispatch(CountAction.add(1)) } == 1)
      #expect(turns(store) { store.asScope.dispatch(CountAction.add(1)) } == 1)
      #expect(turns(store) { store.dispatch(Self.hundred) } == 1)
      withExtendedLifetime(reader) {}
    }

    @Test(.warnsOnPurpose) func `an action that no reducer handles is one turn`() throws {
      let store = try makeStore()
      #expect(turns(store) { store.dispatch(NoteAction.append(1)) } == 1)
    }

    /// The second one hands back the means of the post-commit work.
    @Test func `replacing the state is one turn, and one after it`() throws {
      let store = try makeStore()
      #expect(turns(store) { store.replaceState(Desk(count: 1)) } == 2)
    }

    /// One turn finds the middleware, which is asked without the lock, and one commits.
    @Test func `what middleware is asked about is two turns`() throws {
      let store = try makeStore([Bystander()])
      #expect(turns(store) { store.dispatch(Self.hundred) } == 2)
      #expect(turns(store) { store.dispatch(CountAction.add(1)) } == 2)
    }

    /// The first one finds a list in the place of an action, and the members are gathered without the lock.
    @Test func `a list of lists is two turns`() throws {
      let store = try makeStore()
      #expect(turns(store) { store.dispatch(ActionList([ActionList(Self.hundred)])) } == 2)
    }
  }
#endif
