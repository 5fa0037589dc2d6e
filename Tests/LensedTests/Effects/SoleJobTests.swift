import LensedTestSupport
import Testing

@testable import Lensed

/// A dispatch that starts one job is that job, and nobody is to notice.
@Suite("Effects: a dispatch with one job is that job", .timeLimit(.minutes(30)))
struct SoleJobTests {
  private let gate = Gate()
  private let log = Recorder<String>()
  private let tasks = Recorder<DispatchTask>()
  private let errors = Recorder<EffectError>()

  private func store(_ effects: Effect<Desk>...) throws -> Store<Desk> {
    let store = try Store(
      initialState: Desk(), coverage: .partial, onEffectError: { [errors] in errors.append($0) }
    ) {
      Desk.countMutator
      Desk.titleMutator
      for effect in effects { effect }
    }
    return store
  }

  private func waiting(_ policy: EffectPolicy) -> Effect<Desk> {
    Effect(on: CountAction.self, policy) { [gate, log] action, context -> Void in
      guard case .add(let number) = action else { return }
      log.append("begin \(number)")
      defer { log.append("end \(number)") }
      if number > 0 { try await gate.wait() }
    }
  }

  @Test func `it is its job: nothing else is under way`() async throws {
    let store = try store(waiting(.concurrent))
    let task = store.dispatch(CountAction.add(1))
    await gate.waitForWaiters()
    #expect(task.work?.children.isEmpty == true)
    #expect(task.work?.isFinished == false)
    gate.open()
    try await task.finish()
    #expect(task.work?.isFinished == true)
  }

  @Test func `the job that gives way to a newer one is cancelled, and its dispatch is not`()
    async throws
  {
    let store = try store(waiting(.latest))
    let first = store.dispatch(CountAction.add(1))
    await gate.waitForWaiters()
    let second = store.dispatch(CountAction.add(0))
    try await first.finish()
    try await second.finish()
    #expect(!first.isCancelled)
    #expect(Set(log.values) == ["begin 1", "end 1", "begin 0", "end 0"])
    #expect(errors.count == 0)
  }

  @Test func `one that gave way can still be cancelled by whoever dispatched it`() async throws {
    let late = Gate()
    let store = try store(
      Effect(on: CountAction.self, .latest) { [gate] action, _ -> Void in
        guard action == .add(1) else { return }
        try? await gate.wait()
        // It takes no notice of its cancellation.
        await Task { try? await late.wait() }.value
      })
    let first = store.dispatch(CountAction.add(1))
    await gate.waitForWaiters()
    try await store.dispatch(CountAction.add(0)).finish()
    #expect(!first.isCancelled)
    first.cancel()
    #expect(first.isCancelled)
    late.open()
    await #expect(throws: CancellationError.self) { try await first.finish() }
  }

  @Test func `one that an action ends in the queue ends quietly`() async throws {
    let store = try store(waiting(.serial).cancelled(on: ClearAction.self))
    let first = store.dispatch(CountAction.add(1))
    await gate.waitForWaiters()
    let queued = store.dispatch(CountAction.add(2))
    store.dispatch(ClearAction())
    try await queued.finish()
    try await first.finish()
    #expect(!queued.isCancelled && !first.isCancelled)
    #expect(log.values == ["begin 1", "end 1"])
  }

  @Test func `what is ignored, or not alive, has nothing under way`() async throws {
    let store = try store(waiting(.first))
    let first = store.dispatch(CountAction.add(1))
    await gate.waitForWaiters()
    try await store.dispatch(CountAction.add(2)).finish()
    gate.open()
    try await first.finish()
    #expect(log.values == ["begin 1", "end 1"])
    let choosy = try self.store(
      Effect(on: CountAction.self, when: { _, _ in false }) { [log] _, _ -> Void in
        log.append("never")
      })
    try await choosy.dispatch(CountAction.add(1)).finish()
    #expect(log.count == 2)
  }

  @Test func `with several jobs it is none of them`() async throws {
    let store = try store(waiting(.concurrent), waiting(.concurrent))
    let task = store.dispatch(CountAction.add(1))
    await gate.waitForWaiters(2)
    #expect(task.work?.children.count == 2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
  }

  @Test func `what it dispatches belongs to it after its code has ended`() async throws {
    let store = try store(
      Effect(on: TitleAction.self) { _, context -> Void in context.dispatch(CountAction.add(1)) },
      waiting(.concurrent))
    let task = store.dispatch(TitleAction.rename("a"))
    await gate.waitForWaiters()
    #expect(task.work?.isFinished == false)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(log.values == ["begin 1", "end 1"])
  }

  @Test func `an effect that waits for its own dispatch is told so, in both names`() async throws {
    let store = try store(
      Effect(on: CountAction.self) { [gate, tasks] _, _ -> Void in
        try await gate.wait()
        try await tasks.values[0].finish(.applied)
        try await tasks.values[0].finish()
      })
    tasks.append(store.dispatch(CountAction.add(1)))
    await gate.waitForWaiters()
    gate.open()
    try await tasks.values[0].finish()
    let deadlock = errors.values.first?.underlying as? DispatchDeadlock
    #expect(deadlock?.waiter.hasPrefix("the effect of `CountAction`") == true)
    #expect(deadlock?.awaited.hasPrefix("the dispatch of `CountAction`") == true)
  }

  @Test func `it is let go of when it has ended, and the state with it`() async throws {
    let store = try store(waiting(.concurrent))
    var task: DispatchTask? = store.dispatch(CountAction.add(0))
    try await task?.finish()
    let work = WeakReference(task?.work)
    task = nil
    while work.object != nil { await Task.yield() }
    #expect(store.view.core.withLock("looked for works") { $0.works.members.isEmpty })
  }
}
