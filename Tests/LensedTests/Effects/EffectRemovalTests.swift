import Lensed
import LensedTestSupport
import Synchronization
import Testing

@Suite("Effects: what was removed does not begin, write or linger", .timeLimit(.minutes(30)))
struct EffectRemovalTests {
  private func makeStore(
    @StoreBuilder<Desk> _ parts: () -> [StorePart<Desk>] = { [] }
  ) throws -> Store<Desk> {
    try Store(initialState: Desk(), coverage: .partial) {
      Desk.countMutator
      parts()
    }
  }

  /// Held from a dispatch to what is done then: no run looks in between whether it is cancelled.
  private final class Turn: Sendable {
    private let lock = Mutex(())
    private let runs = Counter()
    var count: Int { runs.value }

    func take(_ body: () -> Void) { lock.withLock { _ in body() } }

    /// Called by a run: counts it, if it was not cancelled.
    func begin() { take { if !Task.isCancelled { runs.increment() } } }
  }
  private let turn = Turn()

  /// Has an observer of `count` dispatch `action`, and then do `deed`, before `action` is told of.
  private func dispatch<A: Action>(
    _ action: A, thenDoing deed: @escaping @Sendable () -> Void, in store: Store<Desk>
  ) async throws {
    let tasks = Recorder<DispatchTask>()
    let subscription = store.states(\.count).subscribe { [turn, weak store] count in
      guard count == 1, let store else { return }
      turn.take {
        tasks.append(store.dispatch(action))
        deed()
      }
    }
    store.dispatch(CountAction.add(1))
    for task in tasks.values { try? await task.finish() }
    subscription.cancel()
    #expect(tasks.count == 1)
  }

  @Test func `an effect that is removed before it hears of its action does not begin`()
    async throws
  {
    let store = try makeStore()
    let installed = store.install(
      Effect(on: TitleAction.self) { [turn] _, _ -> Void in turn.begin() })
    try await dispatch(
      TitleAction.rename("x"), thenDoing: { installed.cancel() }, in: store)
    #expect(turn.count == 0)
  }

  @Test func `nor does one that waits for its burst to end`() async throws {
    let (store, clock) = (try makeStore(), ManualClock())
    let installed = store.install(
      Effect(on: TitleAction.self) { [turn] _, _ -> Void in turn.begin() }
        .debounced(for: .seconds(1), clock: clock))
    try await dispatch(
      TitleAction.rename("x"), thenDoing: { installed.cancel() }, in: store)
    #expect(clock.sleeperCount == 0)
    #expect(turn.count == 0)
  }

  @Test func `an event whose reducer is unregistered before its turn is not reduced`()
    async throws
  {
    let (reductions, gate) = (Counter(), Gate())
    let store = try makeStore {
      AsyncMutator(\Desk.title) { (title: String, _: TitleAction) -> AsyncResult<String> in
        reductions.increment()
        return AsyncResult {
          try await gate.wait()
          return "late"
        }
      }
    }
    store.dispatch(TitleAction.rename("x"))
    await gate.waitForWaiters()
    store.dispatch(TitleAction.rename("y"))
    store.unregister(\.title)
    gate.open()
    try await store.settled()
    #expect(reductions.value == 1)
    #expect(store.title == "")
  }

  @Test func `an event that runs while its reducer is unregistered writes nothing any more`()
    async throws
  {
    let (begun, gate) = (Gate(), Gate())
    let store = try makeStore {
      AsyncMutator(\Desk.title) { (_: String, _: TitleAction) -> AsyncResult<String> in
        AsyncResult {
          begun.open()
          // In a task of its own, which nobody cancels.
          await Task { try? await gate.wait() }.value
          return "stale"
        }
        .whileLoading("loading")
      }
    }
    let task = store.dispatch(TitleAction.rename("x"))
    try await begun.wait()
    #expect(store.title == "loading")
    #expect(store.unregister(\.title))
    #expect(store.title == "loading")
    try store.register(Desk.titleMutator)
    store.dispatch(ClearAction())
    store.dispatch(TitleAction.rename("new"))
    gate.open()
    try? await task.finish()
    #expect(store.title == "new")
  }

  @Test(.warnsOnPurpose)
  func `what a context dispatches after its effect has ended goes with the store`()
    async throws
  {
    let contexts = Recorder<EffectContext<Desk>>()
    var store: Store<Desk>? = try makeStore {
      Effect(on: TitleAction.self) { _, context -> Void in contexts.append(context) }
    }
    try await store?.dispatch(TitleAction.rename("x")).finish()
    let context = try #require(contexts.last)
    let (ticks, feed) = AsyncStream.makeStream(of: CountAction.self)
    feed.yield(.add(1))
    let task = context.dispatch(AsyncActions(ticks))
    store = nil
    try await task.finish()
    #expect(task.isCancelled)
    #expect(context.state.count <= 1)
  }

  @Test(.warnsOnPurpose) func `what is dispatched late can be waited for and cancelled on its own`()
    async throws
  {
    let contexts = Recorder<EffectContext<Desk>>()
    let (gate, ended) = (Gate(), Recorder<String>())
    let store = try makeStore {
      Effect(on: TitleAction.self) { _, context -> Void in contexts.append(context) }
      Effect(on: NoteAction.self) { _, _ -> Void in
        do { try await gate.wait() } catch { ended.append("cancelled") }
      }
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    let task = try #require(contexts.last).dispatch(NoteAction.append(1))
    await gate.waitForWaiters()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(ended.values == ["cancelled"])
  }
}

@Suite("Effects: a watch begins where it is installed", .timeLimit(.minutes(30)))
struct EffectWatchStartTests {
  /// A state whose property runs something when it is read.
  private struct Peeked: Sendable {
    var title = ""
    let hook: Recorder<@Sendable () -> Void>

    var probe: String {
      hook.last?()
      return title
    }
  }

  @Test func `a commit in the middle of the installation is not missed`() async throws {
    let (hook, seen, peeks) = (Recorder<@Sendable () -> Void>(), Recorder<String>(), Counter())
    let store = Store(initialState: Peeked(hook: hook), coverage: .partial)
    try store.register(
      Mutator(\.title) { (title: inout String, action: TitleAction) in
        if case .rename(let name) = action { title = name }
      })
    hook.append { [weak store] in
      if peeks.increment() == 0 { store?.dispatch(TitleAction.rename("b")) }
    }
    let installed = store.install(
      Effect(whenChanged: \.probe) { value, _ -> Void in seen.append(value) })
    // The value is "b" already, or the effect was told that it became so.
    try await store.dispatch(TitleAction.rename("b")).finish()
    try await store.dispatch(TitleAction.rename("c")).finish()
    #expect(seen.values == ["b", "c"])
    installed.cancel()
  }

  @Test func `among writers that never rest no change is lost and no equal write is taken for one`()
    throws
  {
    let store = try Desk.makeStore()
    let isOver = Atomic(false)
    Threads.run(2) { thread in
      if thread == 0 {
        while !isOver.load(ordering: .acquiring) {
          store.dispatch(CountAction.add(1))
          store.dispatch(CountAction.keep)
        }
        return
      }
      for round in 0..<400 {
        let seen = Recorder<Int>()
        let before = store.count
        let installed = store.install(
          Effect(
            whenChanged: \.count,
            when: { count, _ in
              seen.append(count)
              return false
            }
          ) { _, _ -> Void in })
        let after = store.count
        let deadline = after + 3
        while seen.last ?? 0 < deadline { Threads.yield() }
        installed.cancel()
        let values = seen.values
        let first = values.first ?? 0
        #expect(first > before && first <= after + 1, "round \(round)")
        #expect(values == Array(first..<first + values.count), "round \(round)")
      }
      isOver.store(true, ordering: .releasing)
    }
  }
}
