import LensedTestSupport
import Synchronization
import Testing

@testable import Lensed

/// Who knows of a dispatch that is its own job: its line while it runs, then the store; so that whoever
/// waits is let go when the store goes.
@Suite(
  "Effects: a dispatch that runs a single effect is released with its store",
  .timeLimit(.minutes(30)))
struct SoleJobKeepingTests {
  private let gate = Gate()
  private let late = Gate()

  private func store(_ effects: Effect<Desk>...) throws -> Store<Desk> {
    try Store(initialState: Desk(), coverage: .partial) {
      Desk.countMutator
      Desk.titleMutator
      for effect in effects { effect }
    }
  }

  /// Takes no notice of its cancellation.
  private func stubborn(_ policy: EffectPolicy = .concurrent) -> Effect<Desk> {
    Effect(on: CountAction.self, policy) { [gate, late] _, _ -> Void in
      await Task {
        try? await gate.wait()
        try? await late.wait()
      }.value
    }
  }

  private func noted(_ core: StoreCore) -> Int {
    core.withLock("counted works") { $0.works.members.count }
  }

  @Test(arguments: [EffectPolicy.concurrent, .latest, .first, .serial])
  func `while it runs its line alone knows of it`(_ policy: EffectPolicy) async throws {
    var store: Store<Desk>? = try store(stubborn(policy))
    let core = try #require(store?.view.core)
    let task = try #require(store?.dispatch(CountAction.add(1)))
    await gate.waitForWaiters()
    #expect(noted(core) == 0)
    store = nil
    try await task.finish()
    gate.open()
    late.open()
  }

  @Test func `while it waits for its turn too`() async throws {
    var store: Store<Desk>? = try store(stubborn(.serial))
    let first = try #require(store?.dispatch(CountAction.add(1)))
    await gate.waitForWaiters()
    let second = try #require(store?.dispatch(CountAction.add(2)))
    store = nil
    try await second.finish()
    try await first.finish()
    gate.open()
    late.open()
  }

  @Test func `once its effect is removed its store does`() async throws {
    var store: Store<Desk>? = try store()
    let core = try #require(store?.view.core)
    var installed = try #require(store?.install(stubborn()))
    let task = try #require(store?.dispatch(CountAction.add(1)))
    await gate.waitForWaiters()
    installed.cancel()
    #expect(noted(core) == 1)
    store = nil
    try await task.finish()
    gate.open()
    late.open()
    installed = StoreSubscription {}
  }

  @Test func `its store forgets it when it has ended after all`() async throws {
    let store = try store()
    let installed = store.install(stubborn())
    let task = store.dispatch(CountAction.add(1))
    await gate.waitForWaiters()
    installed.cancel()
    gate.open()
    late.open()
    try await task.finish()
    while noted(store.view.core) > 0 { await Task.yield() }
  }

  @Test func `a job that is part of something else is not noted beside that`() async throws {
    let store = try store(stubborn())
    let installed = store.install(stubborn())
    let task = store.dispatch(CountAction.add(1))
    await gate.waitForWaiters(2)
    #expect(noted(store.view.core) == 1)
    installed.cancel()
    #expect(noted(store.view.core) == 1)
    gate.open()
    late.open()
    try await task.finish()
  }

  @Test func `once only what it has started is left its store does`() async throws {
    var store: Store<Desk>? = try store(
      Effect(on: TitleAction.self) { _, context -> Void in context.dispatch(CountAction.add(1)) },
      stubborn())
    let core = try #require(store?.view.core)
    let task = try #require(store?.dispatch(TitleAction.rename("a")))
    await gate.waitForWaiters()
    while noted(core) == 0 { await Task.yield() }
    store = nil
    try await task.finish()
    gate.open()
    late.open()
  }

  @Test func `its store forgets it when that has ended too`() async throws {
    let store = try store(
      Effect(on: TitleAction.self) { _, context -> Void in context.dispatch(CountAction.add(1)) },
      stubborn())
    let task = store.dispatch(TitleAction.rename("a"))
    await gate.waitForWaiters()
    gate.open()
    late.open()
    try await task.finish()
    while noted(store.view.core) > 0 { await Task.yield() }
  }

  @Test func `one that was cancelled before its delivery has begun, and made others give way`()
    async throws
  {
    let ended = Recorder<Int>()
    let store = try store(
      Effect(on: CountAction.self, .latest) { [gate] action, _ -> Void in
        guard case .add(let number) = action else { return }
        try await gate.wait()
        ended.append(number)
      })
    let first = store.dispatch(CountAction.add(1))
    await gate.waitForWaiters()
    // Held up by an observer of the same thread, the commit of the second is delivered once that returns.
    let second = Recorder<DispatchTask>()
    let subscription = store.states(\.title).subscribe { [weak store] title in
      guard title == "b", let store else { return }
      let task = store.dispatch(CountAction.add(2))
      task.cancel()
      second.append(task)
    }
    store.dispatch(TitleAction.rename("b"))
    await #expect(throws: CancellationError.self) { try await second.values[0].finish() }
    gate.open()
    try await first.finish()
    #expect(ended.values == [])
    #expect(!first.isCancelled)
    subscription.cancel()
  }

  @Test func `with several jobs none begins of what was cancelled before it is told`() async throws
  {
    let (began, tasks) = (Recorder<Int>(), Recorder<DispatchTask>())
    // Held from the dispatch to its cancellation: no run looks in between whether it is cancelled.
    let isCancelling = Locked(())
    let effect = Effect<Desk>(on: CountAction.self) { _, _ -> Void in
      if isCancelling.withLock({ _ in !Task.isCancelled }) { began.append(1) }
    }
    let store = try store(effect, effect)
    let subscription = store.states(\.title).subscribe { [weak store] title in
      guard title == "b", let store else { return }
      isCancelling.withLock { _ in
        tasks.append(store.dispatch(CountAction.add(1)))
        tasks.values[0].cancel()
      }
    }
    store.dispatch(TitleAction.rename("b"))
    await #expect(throws: CancellationError.self) { try await tasks.values[0].finish() }
    #expect(began.count == 0)
    subscription.cancel()
  }

  @Test func `one that is yet to be told of is let go of quietly too`() async throws {
    let holder = Mutex<Store<Desk>?>(try store(stubborn()))
    let tasks = Recorder<DispatchTask>()
    let core = try #require(holder.withLock { $0?.view.core })
    let titles = try #require(holder.withLock { $0?.states(\.title) })
    let subscription = titles.subscribe { title in
      guard title == "b", let task = holder.withLock({ $0?.dispatch(CountAction.add(1)) }) else {
        return
      }
      // It is told once this call returns; by then its store has gone.
      task.cancel()
      tasks.append(task)
      holder.withLock { $0 = nil }
    }
    _ = ActionBatch.lending(TitleAction.rename("b")) { core.dispatch($0, from: CallSite()) }
    // A run that has begun is let go with its store; one that has not ended as it was cancelled.
    do { try await tasks.values[0].finish() } catch is CancellationError {}
    subscription.cancel()
  }

  @Test func `all jobs are stopped before anybody is told that a service is removed`() async throws
  {
    let log = Recorder<String>()
    let gate = gate
    let first = Feature<Desk>("first", onRemove: { log.append("removed") }) {}
    let second = Effect<Desk>(on: CountAction.self) { _, _ -> Void in
      try await withTaskCancellationHandler {
        try await gate.wait()
      } onCancel: {
        log.append("stopped")
      }
    }
    var store: Store<Desk>? = try Store(initialState: Desk(), coverage: .partial) {
      Desk.countMutator
      first
      second
    }
    let task = store?.dispatch(CountAction.add(1))
    await gate.waitForWaiters()
    store = nil
    #expect(log.values == ["stopped", "removed"])
    try await task?.finish()
  }
}
