// A silence is a time in which no run begins:
//
// - A throttled effect has one after each run that was admitted. Whether a trigger comes too soon, and whether it begins
//   a run, is one decision, so the silence is a part of the `JobQueueMachine`.
// - A queue that pauses (`EffectPolicy.pausing`) has one after each run that has ended. The job whose turn has come waits
//   it out (`JobQueue.waitForPause`).
//
// No clock is asked under a lock: the time is read before, and given to the decision.

/// When a silence ends, by times that its holder is given.
struct Silence: Sendable {
  private let length: Duration
  /// Nil before the first one.
  private var end: Duration?

  init(of length: Duration) {
    self.length = length
  }

  /// Begins a silence.
  mutating func begin(at now: Duration) { end = now + length }

  /// How long the silence lasts; nil if it is over.
  func rest(at now: Duration) -> Duration? {
    guard let end, now < end else { return nil }
    return end - now
  }
}

/// The length of silences, and the clock that they are measured and waited by.
final class SilenceClock: Sendable {
  let length: Duration
  /// The time since this was made; the operations of an instant are the clock's own code.
  private let elapsed: @Sendable () -> Duration
  private let pause: @Sendable (Duration) async throws -> Void

  init<C: Clock>(_ length: Duration, _ clock: C) where C.Duration == Duration {
    let start = clock.now
    self.length = length
    elapsed = { start.duration(to: clock.now) }
    pause = { try await clock.sleep(for: $0) }
  }

  /// The time since this was made.
  var now: Duration { elapsed() }

  nonisolated(nonsending) func sleep(_ duration: Duration) async throws {
    try await pause(duration)
  }
}
