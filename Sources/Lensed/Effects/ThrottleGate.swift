/// Lets a trigger pass that comes late enough after the one before.
final class ThrottleGate: Sendable {
  /// What becomes of a trigger.
  enum Decision: Sendable {
    case pass
    case ignore
    /// It passes after a wait, unless a newer one replaces it.
    case wait(@Sendable () async throws -> Void)
  }

  private let duration: Duration
  /// The time since the gate was made; the operations of an instant are the clock's own code.
  private let elapsed: @Sendable () -> Duration
  /// Whether the newest trigger in the silence waits for its end.
  private let keepsLatest: Bool
  private let sleep: @Sendable (Duration) async throws -> Void
  /// When the next trigger may pass; nil before the first one.
  private let earliest = Locked<Duration?>(nil)

  init<C: Clock>(_ duration: Duration, _ clock: C, keepsLatest: Bool) where C.Duration == Duration {
    let start = clock.now
    self.duration = duration
    elapsed = { start.duration(to: clock.now) }
    self.keepsLatest = keepsLatest
    sleep = { try await clock.sleep(for: $0) }
  }

  /// Asks about a trigger.
  func decide() -> Decision {
    let now = elapsed()
    let wait = earliest.withLock { next -> Duration? in
      if let earliest = next, now < earliest { return earliest - now }
      next = now + duration
      return nil
    }
    guard let wait else { return .pass }
    return keepsLatest ? .wait { [sleep] in try await sleep(wait) } : .ignore
  }

  /// Begins a new time of silence, because a trigger that waited passes.
  func passLate() {
    let now = elapsed()
    earliest.withLock { $0 = now + duration }
  }

  /// Whether a trigger that came now would not pass.
  var isShut: Bool {
    let now = elapsed()
    return earliest.withLock { next in next.map { now < $0 } ?? false }
  }
}
