import Lensed
import LensedTestSupport
import Testing

@Suite("SessionRecorder: a session of any length, without its states", .timeLimit(.minutes(30)))
struct SessionRecorderTests {
  private let recorder = SessionRecorder<Desk>()

  @StoreBuilder<Desk>
  private static func mutators() -> [StorePart<Desk>] {
    Desk.countMutator
    Desk.titleMutator
    Desk.notesMutator
  }

  private func store(
    _ desk: Desk = Desk(), _ middleware: [any Middleware<Desk>] = [],
    @StoreBuilder<Desk> _ parts: () -> [StorePart<Desk>] = { Self.mutators() }
  ) throws -> Store<Desk> {
    try Store(initialState: desk, middleware: [recorder] + middleware, parts: parts)
  }

  /// Every state of the session, from the initial one on, as a fresh store replays it.
  private func replayed() throws -> [Desk] {
    let session = try #require(recorder.session)
    let fresh = try Desk.makeStore()
    var states = [session.initial]
    fresh.replay(session) { _, state in states.append(state) }
    #expect(fresh.state == states.last)
    return states
  }

  @Test(.warnsOnPurpose) func `the session gives every state again, from the first on`() throws {
    let store = try store(Desk(count: 5))
    store.dispatch(CountAction.add(1))
    store.dispatch([CountAction.add(2), .add(3)])
    store.dispatch([TitleAction.rename("x"), NoteAction.append(1)] as [any Action])
    store.dispatch(StrayAction())
    #expect(
      try replayed() == [
        Desk(count: 5), Desk(count: 6), Desk(count: 11),
        Desk(count: 11, title: "x", notes: [1]), Desk(count: 11, title: "x", notes: [1]),
      ])
  }

  @Test func `what sequences, effects and middleware dispatched is in it, what was dropped is not`()
    async throws
  {
    struct Guard: Middleware {
      func willReduce(_ action: any Action, _ context: MiddlewareContext<Desk>) -> Verdict {
        switch action {
        case CountAction.keep: .drop
        case CountAction.reset: .replace(with: CountAction.add(50))
        default: .proceed
        }
      }
    }
    let runs = Counter()
    let store = try store(Desk(), [Guard()]) {
      Self.mutators()
      Effect(on: TitleAction.self) { _, context in
        runs.increment()
        context.dispatch(CountAction.add(7))
      }
    }
    let (actions, feed) = AsyncStream.makeStream(of: CountAction.self)
    for action in [CountAction.add(1), .keep, .add(2)] { feed.yield(action) }
    feed.finish()
    try await store.dispatch(AsyncActions(actions)).finish()
    store.dispatch(CountAction.reset)
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(try replayed().map(\.count) == [0, 1, 3, 53, 53, 60])
    #expect(runs.value == 1)
  }

  @Test func `replacements and outcomes of asynchronous reducers are in it as states`() async throws
  {
    let runs = Counter()
    let history = History<Desk>(limit: 10)
    let store = try store(Desk(), [history]) {
      Desk.countMutator
      Desk.titleMutator
      AsyncMutator(\Desk.notes) { (notes: [Int], action: NoteAction) -> AsyncResult<[Int]> in
        runs.increment()
        return AsyncResult { notes + [1] }.whileLoading([0])
      }
    }
    try await store.dispatch(NoteAction.append(1)).finish()
    store.replaceState(Desk(count: 9))
    store.dispatch(CountAction.add(1))
    history.undo()
    let session = try #require(recorder.session)
    let fresh = try Store(initialState: Desk(), coverage: .partial) { Desk.countMutator }
    var states: [Desk] = []
    fresh.replay(session) { _, state in states.append(state) }
    #expect(
      states == [
        Desk(), Desk(notes: [0]), Desk(notes: [1]), Desk(count: 9), Desk(count: 10), Desk(count: 9),
      ])
    #expect(runs.value == 1)
  }

  @Test func `a commit copies nothing of what it touches`() throws {
    let store = try store(Desk(notes: Array(repeating: 0, count: 10_000)))
    // The session holds the initial state, so the first write has to leave it as it is.
    store.dispatch(NoteAction.write(at: 0, 1))
    let address = store.notes.address
    for note in 1...100 {
      store.dispatch(NoteAction.write(at: 7, note))
      // A session that somebody holds has no state in it either, but for the first.
      let session = recorder.session
      #expect(session?.count == note + 1)
      guard store.notes.address == address else {
        Issue.record("copied at \(note)")
        return
      }
    }
    #expect(try replayed().last == store.state)
  }

  @Test func `a session that was asked for stays as it was`() throws {
    #expect(recorder.session == nil)
    let store = try store()
    let first = recorder.session
    store.dispatch(CountAction.add(1))
    let second = recorder.session
    store.dispatch(CountAction.add(1))
    #expect([first, second, recorder.session].map { $0?.count } == [0, 1, 2])
  }

  @Test func `what several threads dispatch replays to the state they came to`() throws {
    let store = try store()
    Threads.run(2) { thread in
      for number in 0..<500 {
        // Neither order of two threads' actions comes to the same.
        store.dispatch([NoteAction.append(thread), CountAction.add(number)] as [any Action])
        store.dispatch(TitleAction.rename("\(thread): \(store.count)"))
        if number % 100 == 0 { store.dispatch(CountAction.reset) }
      }
    }
    #expect(recorder.session?.count == 2_010)
    #expect(try replayed().last == store.state)
  }

  @Test func `it keeps no store alive, and stays when its store has gone`() throws {
    var store: Store<Desk>? = try store()
    let gone = WeakReference(store)
    store?.dispatch(CountAction.add(1))
    store = nil
    #expect(gone.object == nil)
    #expect(try replayed() == [Desk(), Desk(count: 1)])
  }

  @Test func `once its store has gone, another one goes on with the session`() throws {
    var first: Store<Desk>? = try store()
    first?.dispatch(CountAction.add(1))
    first = nil
    let second = try store(Desk(count: 70))
    second.dispatch(CountAction.add(1))
    #expect(try replayed().map(\.count) == [0, 1, 70, 71])
  }

  @Test func `one session after another is one session`() throws {
    let sessions = try (1...3).map { number in
      let recorder = SessionRecorder<Desk>()
      let store = try Store(
        initialState: Desk(count: number * 10), middleware: [recorder], parts: Self.mutators)
      store.dispatch(CountAction.add(number))
      return try #require(recorder.session)
    }
    let all = sessions[0].followed(by: sessions[1]).followed(by: sessions[2])
    let fresh = try Desk.makeStore()
    var counts = [all.initial.count]
    fresh.replay(all) { _, state in counts.append(state.count) }
    #expect(counts == [10, 11, 20, 22, 30, 33])
  }

  @Test(.warnsOnPurpose) func `what it held is let go of without the lock of the store`() throws {
    /// Does something when nobody holds it any more.
    final class Farewell: Sendable {
      let say: @Sendable () -> Void
      init(_ say: @escaping @Sendable () -> Void) { self.say = say }
      deinit { say() }
    }
    struct Leave: Action { let farewell: Farewell }
    let goodbyes = Counter()
    var store: Store<Desk>? = try Store(
      initialState: Desk(), middleware: [SessionRecorder()], parts: Self.mutators)
    let changes = try #require(store?.changes())
    // Reading the changes enters the store, which would trap where its lock is held.
    store?.dispatch(
      Leave(
        farewell: Farewell {
          _ = changes.makeAsyncIterator()
          goodbyes.increment()
        }))
    #expect(goodbyes.value == 0)
    store = nil
    #expect(goodbyes.value == 1)
  }
}
