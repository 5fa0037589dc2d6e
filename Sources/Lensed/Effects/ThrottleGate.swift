/// Lets a trigger pass that comes late enough after the one before.
struct ThrottleGate: Sendable {
  /// What becomes of a trigger.
  enum Decision: Sendable {
    case pass
    case ignore
    /// It passes after a wait, unless a newer one replaces it.
    case wait(@Sendable () async throws -> Void)
  }

  /// Asks about a trigger.
  let decide: @Sendable () -> Decision
  /// Begins a new time of silence, because a trigger that waited passes.
  let passLate: @Sendable () -> Void
  /// Whether a trigger that came now would not pass.
  let isShut: @Sendable () -> Bool

  init<C: Clock>(_ duration: Duration, _ clock: C, keepsLatest: Bool) where C.Duration == Duration {
    // The lock guards durations: the operations of an instant are the clock's own code.
    let start = clock.now
    let next = Boundary()
    let elapsed: @Sendable () -> Duration = { start.duration(to: clock.now) }
    decide = {
      let now = elapsed()
      let wait = next.earliest.withLock { next -> Duration? in
        if let earliest = next, now < earliest { return earliest - now }
        next = now + duration
        return nil
      }
      guard let wait else { return .pass }
      return keepsLatest ? .wait { try await clock.sleep(for: wait) } : .ignore
    }
    passLate = {
      let now = elapsed()
      next.earliest.withLock { $0 = now + duration }
    }
    isShut = {
      let now = elapsed()
      return next.earliest.withLock { next in next.map { now < $0 } ?? false }
    }
  }

  private final class Boundary: Sendable {
    /// When the next trigger may pass; nil before the first one.
    let earliest = Locked<Duration?>(nil)
  }
}
