import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What a store sets off in another one may last longer than the store that set it off.
@Suite("A store is released while what it has set off elsewhere goes on", .timeLimit(.minutes(30)))
struct TwoStoreLifeTests {
  /// A store with an effect that does what it is given, and that holds `last` until it is released itself.
  private func makeFirst(
    _ last: LastReference,
    _ work: @escaping @Sendable (EffectContext<Desk>) async throws -> Void
  ) throws -> Store<Desk> {
    try Store(
      initialState: Desk(), coverage: .partial,
      onEffectError: { _ in withExtendedLifetime(last) {} }
    ) {
      Desk.countMutator
      Effect(on: CountAction.self) { _, context -> Void in try await work(context) }
    }
  }

  /// A store whose effect begins, and waits until `end`.
  private func makeSecond(_ policy: EffectPolicy, _ begun: Gate, _ end: Gate) throws -> Store<Desk>
  {
    try Store(initialState: Desk(), coverage: .partial) {
      Desk.titleMutator
      Effect(on: TitleAction.self, policy) { _, _ -> Void in
        begun.open()
        try await end.wait()
      }
    }
  }

  @Test(arguments: [EffectPolicy.concurrent, .serial, .latest, .first])
  func `an effect of another store`(_ policy: EffectPolicy) async throws {
    let (begun, end) = (Gate(), Gate())
    let second = try makeSecond(policy, begun, end)
    try await outlive(begun, end) { _ in second.dispatch(TitleAction.rename("a")) }
  }

  @Test func `an effect of another store that another thread delivers`() async throws {
    let (begun, end, inside, isCommitted) = (Gate(), Gate(), ThreadGate(), Gate())
    let second = try Store(initialState: Desk(), coverage: .partial) {
      Desk.countMutator
      Desk.titleMutator
      Effect(on: TitleAction.self) { _, _ -> Void in
        begun.open()
        try await end.wait()
      }
    }
    let counting = second.states(\.count).subscribe { count in if count == 1 { inside.wait() } }
    let delivering = Threads.start { _ = second.dispatch(CountAction.add(1)) }
    inside.waitForWaiters()
    let opening = Task {
      try await isCommitted.wait()
      inside.open()
    }
    try await outlive(begun, end) { _ in
      second.dispatch(TitleAction.rename("a"))
      isCommitted.open()
    }
    try await opening.value
    delivering.wait()
    counting.cancel()
  }

  @Test func `a sequence that another store pulls`() async throws {
    let (begun, end) = (Gate(), Gate())
    let second = try Store(initialState: Desk(), coverage: .partial) { Desk.titleMutator }
    try await outlive(begun, end) { _ in
      second.dispatch(
        AsyncStream<TitleAction> {
          begun.open()
          try? await end.wait()
          return nil
        })
    }
  }

  /// Cancelling a task runs its handlers in the midst of the call that cancels.
  @Test func `a task that a cancellation handler starts`() async throws {
    let (begun, end, isWaiting) = (Gate(), Gate(), Gate())
    try await outlive(begun, end, isDroppedAt: isWaiting) { _ in
      await withTaskCancellationHandler {
        isWaiting.open()
        try? await Gate().wait()
      } onCancel: {
        Task {
          begun.open()
          try await end.wait()
        }
      }
    }
  }

  /// Drops a store whose effect does `work`, and returns when it was released: while what it set off waits for `end`.
  private func outlive(
    _ begun: Gate, _ end: Gate, isDroppedAt isReady: Gate? = nil,
    _ work: @escaping @Sendable (EffectContext<Desk>) async throws -> Void
  ) async throws {
    let isGone = Gate()
    try await play(LastReference(isGone), until: isReady ?? begun, work)
    try await begun.wait()
    try await isGone.wait()
    #expect(!end.isOpen)
    end.open()
  }

  private func play(
    _ last: consuming LastReference, until isReady: Gate,
    _ work: @escaping @Sendable (EffectContext<Desk>) async throws -> Void
  ) async throws {
    let first = try makeFirst(last, work)
    first.dispatch(CountAction.add(1))
    try await isReady.wait()
    withExtendedLifetime(first) {}
  }
}
