import Lensed
import LensedTestSupport
import Testing

/// Each test runs in a process of its own: what enters the store under its lock traps.
@Suite("A reducer may release the last copy of a task", .timeLimit(.minutes(30)))
struct ReleasedTaskTests {
  private struct Failure: Error {}

  private struct Holder: Sendable {
    var task: DispatchTask?
  }

  private struct Keep: Action {
    var task: DispatchTask?
  }

  private struct Start: Action {}
  private struct Run: Action {}

  private static let keeper = Mutator(\Holder.task) { (task: inout DispatchTask?, action: Keep) in
    task = action.task
  }

  @Test func `of a failed sequence, whose error is reported without the lock`() async {
    await #expect(processExitsWith: .success) {
      let (own, reported) = (WeakReference<Store<Holder>>(), Counter())
      let store = try Store(
        initialState: Holder(),
        onEffectError: { _ in
          own.object?.dispatch(Keep())
          reported.increment()
        }
      ) { Self.keeper }
      own.refer(to: store)
      store.dispatch(
        Keep(task: store.dispatch(AsyncThrowingStream<Keep, any Error> { throw Failure() })))
      try await store.settled()
      try #require(reported.value == 0)
      store.dispatch(Keep())
      try await store.settled()
      try #require(reported.value == 1)
    }
  }

  @Test func `of another store, whose handler uses the store that the reducer is of`() async {
    await #expect(processExitsWith: .success) {
      let reported = Counter()
      let keeper = try Store(initialState: Holder()) { Self.keeper }
      let failing = try Store(
        initialState: Holder(),
        onEffectError: { _ in
          keeper.dispatch(Keep())
          reported.increment()
        }
      ) { Self.keeper }
      keeper.dispatch(
        Keep(task: failing.dispatch(AsyncThrowingStream<Keep, any Error> { throw Failure() })))
      try await failing.settled()
      try #require(reported.value == 0)
      keeper.dispatch(Keep())
      try await failing.settled()
      try #require(reported.value == 1)
    }
  }

  @Test func `of a store that goes right after it`() async throws {
    let reported = Gate()
    var store: Store<Holder>? = try Store(
      initialState: Holder(), onEffectError: { _ in reported.open() }
    ) { Self.keeper }
    var task = store?.dispatch(AsyncThrowingStream<Keep, any Error> { throw Failure() })
    try await store?.settled()
    #expect(!reported.isOpen)
    withExtendedLifetime(task) {}
    task = nil
    store = nil
    try await reported.wait()
  }

  @Test func `of a dispatch whose effects go on, while somebody waits for the store`() async {
    await #expect(processExitsWith: .success) {
      let gate = Gate()
      let store = try Store(initialState: Holder()) {
        Self.keeper
        Effect(on: Start.self) { _, context in
          context.dispatch(Keep(task: context.dispatch(Run())))
        }
        Effect(on: Run.self) { _, _ in try await gate.wait() }
      }
      store.dispatch(Start())
      await gate.waitForWaiters()
      while store.task == nil { await Task.yield() }
      let waiter = Task.immediate { try await store.settled() }
      store.dispatch(Keep())
      gate.open()
      try await waiter.value
    }
  }
}
