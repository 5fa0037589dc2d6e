/// The time of a throttled effect, or of a queue with pauses: the silence after a run has begun, or has ended, and the
/// clock that it is measured by.
///
/// When the silence ends is known to the `JobQueue`: whether a trigger comes too soon, and whether it begins a run,
/// is one decision.
final class ThrottleClock: Sendable {
  let silence: Duration
  /// Whether the newest trigger in the silence waits for its end.
  let keepsLatest: Bool
  /// The time since this was made; the operations of an instant are the clock's own code.
  private let elapsed: @Sendable () -> Duration
  private let pause: @Sendable (Duration) async throws -> Void

  init<C: Clock>(_ silence: Duration, _ clock: C, keepsLatest: Bool) where C.Duration == Duration {
    let start = clock.now
    (self.silence, self.keepsLatest) = (silence, keepsLatest)
    elapsed = { start.duration(to: clock.now) }
    pause = { try await clock.sleep(for: $0) }
  }

  /// The time since this was made.
  var now: Duration { elapsed() }

  nonisolated(nonsending) func sleep(_ duration: Duration) async throws {
    try await pause(duration)
  }
}
