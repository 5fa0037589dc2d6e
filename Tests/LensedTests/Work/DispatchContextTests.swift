import Lensed
import LensedTestSupport
import Testing

private enum Context {
  @TaskLocal static var name = "none"
}

@Suite(
  "An effect has the task-local values and the priority of its dispatch", .timeLimit(.minutes(30)))
struct DispatchContextTests {
  private func makeStore(_ policy: EffectPolicy, _ seen: Recorder<String>, _ gate: Gate) throws
    -> Store<Desk>
  {
    try Store(initialState: Desk(), coverage: .partial) {
      Desk.countMutator
      Desk.titleMutator
      Effect(on: TitleAction.self, policy) { action, _ -> Void in
        guard case .rename(let title) = action else { return }
        seen.append("\(title) in \(Context.name)")
        if title == "first" { try await gate.wait() }
      }
    }
  }

  @Test func `a queued effect has the task-local values of its dispatch`() async throws {
    let (seen, gate) = (Recorder<String>(), Gate())
    let store = try makeStore(.serial, seen, gate)
    Context.$name.withValue("one") { _ = store.dispatch(TitleAction.rename("first")) }
    await seen.waitForCount(1)
    Context.$name.withValue("two") { _ = store.dispatch(TitleAction.rename("second")) }
    Context.$name.withValue("three") { _ = store.dispatch(TitleAction.rename("third")) }
    gate.open()
    let all = await seen.waitForCount(3)
    #expect(all == ["first in one", "second in two", "third in three"])
  }

  @Test func `an effect that another thread delivers has the task-local values of its dispatch`()
    async throws
  {
    let (seen, gate) = (Recorder<String>(), Gate())
    let store = try makeStore(.concurrent, seen, gate)
    let inside = ThreadGate()
    let subscription = store.states(\.count).subscribe { count in if count == 1 { inside.wait() } }
    // One thread delivers, and is held there, while another dispatches.
    let delivering = Threads.start {
      Context.$name.withValue("deliverer") { _ = store.dispatch(CountAction.add(1)) }
    }
    inside.waitForWaiters()
    let task = Context.$name.withValue("dispatcher") {
      store.dispatch(TitleAction.rename("second"))
    }
    inside.open()
    delivering.wait()
    try await task.finish()
    #expect(seen.values == ["second in dispatcher"])
    subscription.cancel()
  }

  @Test func `an effect of an action that an observer dispatches has the values of the observer`()
    async throws
  {
    let (seen, gate) = (Recorder<String>(), Gate())
    let store = try makeStore(.concurrent, seen, gate)
    let subscription = store.states(\.count).subscribe { [weak store] count in
      guard count == 1 else { return }
      Context.$name.withValue("observer") { _ = store?.dispatch(TitleAction.rename("second")) }
    }
    Context.$name.withValue("outside") { _ = store.dispatch(CountAction.add(1)) }
    #expect(await seen.waitForCount(1) == ["second in observer"])
    subscription.cancel()
  }

  @Test func `an effect has the priority of its dispatch`() async throws {
    let (seen, gate) = (Recorder<TaskPriority>(), Gate())
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Desk.titleMutator
      Effect(on: TitleAction.self, .serial) { action, _ -> Void in
        seen.append(Task.currentPriority)
        if action == .rename("first") { try await gate.wait() }
      }
    }
    await Task(priority: .high) { _ = store.dispatch(TitleAction.rename("first")) }.value
    await seen.waitForCount(1)
    await Task(priority: .low) { _ = store.dispatch(TitleAction.rename("second")) }.value
    gate.open()
    #expect(await seen.waitForCount(2) == [.high, .low])
  }

  @Test func `2,000 queued effects each have the task-local values of their dispatch`()
    async throws
  {
    let (seen, gate) = (Recorder<String>(), Gate())
    let store = try makeStore(.serial, seen, gate)
    let count = 2_000
    _ = store.dispatch(TitleAction.rename("first"))
    await seen.waitForCount(1)
    for number in 1...count {
      Context.$name.withValue("\(number)") { _ = store.dispatch(TitleAction.rename("\(number)")) }
    }
    gate.open()
    let all = await seen.waitForCount(count + 1)
    #expect(all.dropFirst() == (1...count).map { "\($0) in \($0)" }[...])
  }

  /// A commit that another thread delivers keeps the context of its dispatch.
  ///
  /// Of a commit of a sequence the running work is the sequence itself, and the sequence ends before the effect that it
  /// has caused.
  @Test func `a sequence that ends before its effects keeps no store`() async throws {
    let (goOn, inside, applied, begun) = (Gate(), ThreadGate(), Gate(), Gate())
    let (end, isGone) = (Gate(), Gate())
    var store: Store<Desk>? = try Store(
      initialState: Desk(), coverage: .partial,
      onEffectError: { [last = LastReference(isGone)] _ in withExtendedLifetime(last) {} }
    ) {
      Desk.countMutator
      Desk.titleMutator
      Effect(on: TitleAction.self) { action, context -> Void in
        if action == .rename("first") {
          try await goOn.wait()
          // The handle goes at once: nothing but its effects keeps the sequence.
          try await context.dispatch(Rename.second).finish(.applied)
          applied.open()
        } else {
          begun.open()
          try await end.wait()
        }
      }
    }
    let counting = store?.states(\.count).subscribe { count in if count == 1 { inside.wait() } }
    store?.dispatch(TitleAction.rename("first"))
    let delivering = Threads.start { [store] in _ = store?.dispatch(CountAction.add(1)) }
    inside.waitForWaiters()
    goOn.open()
    try await applied.wait()
    inside.open()
    delivering.wait()
    try await begun.wait()
    counting?.cancel()
    store = nil
    end.open()
    try await isGone.wait()
  }
}

private enum Rename {
  static var second: AsyncStream<TitleAction> {
    AsyncStream {
      $0.yield(.rename("second"))
      $0.finish()
    }
  }
}
