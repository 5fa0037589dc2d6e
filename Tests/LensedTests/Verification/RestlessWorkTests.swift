import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// On a machine of one core no other thread runs what would cancel it.
@Suite("Work that never waits lets other jobs of its thread run", .timeLimit(.minutes(30)))
struct RestlessWorkTests {
  private struct Failure: Error {}

  private let rounds = Counter()
  private let seen = Recorder<Int>()

  /// Counts a round, and starts a task with the first one; one job at a time runs on a scheduler.
  ///
  /// - Returns: Whether there may be another round: a fault fails the test, and does not hang it.
  @discardableResult
  private func count(
    on scheduler: TestScheduler, then body: @escaping @Sendable () -> Void = {}
  ) -> Bool {
    if rounds.increment() == 0 {
      Task(executorPreference: scheduler) {
        seen.append(rounds.value)
        body()
      }
    }
    return rounds.value < 20_000
  }

  @Test func `a result that goes on with itself, which can be cancelled`() async throws {
    let scheduler = TestScheduler()
    let running = Recorder<Task<Int, any Error>>()
    @Sendable func poll() -> AsyncResult<Int> {
      AsyncResult(value: 0).flatMap { _ in
        count(on: scheduler) { running.last?.cancel() } ? poll() : AsyncResult(value: 1)
      }
    }
    let gate = Gate()
    running.append(
      Task(executorPreference: scheduler) {
        try await gate.wait()
        return try await poll().value()
      })
    gate.open()
    await #expect(throws: CancellationError.self) { try await running.last?.value }
    #expect(seen.values == [4_096])
  }

  @Test func `an effect that is tried again without a pause`() async throws {
    let test = try TestStore(exhaustivity: .off) { try Desk.makeStore() }
    let installed = test.store.install(
      Effect<Desk>(on: TitleAction.self) { [scheduler = test.scheduler] _, _ -> Void in
        if count(on: scheduler) { throw Failure() }
      }
      .retried(attempts: .max, after: .zero, clock: ManualClock()))
    try await test.store.dispatch(TitleAction.rename("a")).finish()
    #expect(seen.values == [4_097])
    installed.cancel()
    await test.finish()
  }
}
