extension Effect {
  /// This effect, which begins when no newer occasion has come for `duration`.
  ///
  /// An occasion that gives way to a newer one never begins. The policy then decides about those
  /// that are left. Nothing waits for a `duration` of zero or less, nor for more than a century.
  public func debounced<C: Clock>(for duration: Duration, clock: C = ContinuousClock()) -> Effect
  where C.Duration == Duration {
    let duration = waitable(duration)
    var copy = self
    copy.pause = { try await clock.sleep(for: duration) }
    return copy
  }

  /// This effect, which ignores occasions that come within `duration` after one that it took.
  ///
  /// It ignores none for a `duration` of zero or less. More than a century counts as a century.
  public func throttled<C: Clock>(for duration: Duration, clock: C = ContinuousClock()) -> Effect
  where C.Duration == Duration {
    let duration = waitable(duration)
    var copy = self
    copy.throttle = {
      // Times are durations under the lock: an instant is the clock's own code.
      let start = clock.now
      let next = Locked<Duration?>(nil)
      return {
        let now = start.duration(to: clock.now)
        return next.withLock { next in
          if let earliest = next, now < earliest { return false }
          next = now + duration
          return true
        }
      }
    }
    return copy
  }

  /// This effect, tried again when it throws.
  ///
  /// - Parameters:
  ///   - attempts: How often it is tried in all, at least 1.
  ///   - delay: The wait before the second attempt.
  ///   - factor: What each further wait is multiplied by; 2 doubles it. Waits stop growing at 100 years.
  ///   - clock: Where the time comes from.
  /// - Returns: The effect, which throws what its last attempt threw.
  public func retried<C: Clock>(
    attempts: Int, after delay: Duration, factor: Int = 2, clock: C = ContinuousClock()
  ) -> Effect where C.Duration == Duration {
    if attempts < 1 {
      fatalError("Lensed: the effect \(name) has to be tried at least once, not \(attempts) times.")
    }
    return wrapped { run in
      { subject, context in
        var wait = delay
        for _ in 1..<attempts {
          do {
            return try await run(subject, context)
          } catch {
            if Task.isCancelled { throw error }
          }
          try await clock.sleep(for: wait)
          wait = wait.lengthened(by: factor)
        }
        try await run(subject, context)
      }
    }
  }

  /// This effect, cancelled when it takes longer than `duration`; it then fails with `EffectTimeout`.
  ///
  /// With a `duration` of zero or less it fails unless it ends at once. More than a century counts as a
  /// century.
  public func timedOut<C: Clock>(after duration: Duration, clock: C = ContinuousClock()) -> Effect
  where C.Duration == Duration {
    let (name, duration) = (name, waitable(duration))
    return wrapped { run in
      { subject, context in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await run(subject, context) }
          group.addTask {
            try await clock.sleep(for: duration)
            throw EffectTimeout(effect: name, limit: duration)
          }
          defer { group.cancelAll() }
          try await group.next()
        }
      }
    }
  }
}

/// An effect took longer than it may.
public struct EffectTimeout: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the effect.
  public let effect: String
  /// How long it may take.
  public let limit: Duration

  /// What happened.
  public var description: String { "the effect \(effect) took longer than \(limit)" }
}

extension Duration {
  /// So many times this duration, or 100 years where that is longer.
  fileprivate func lengthened(by factor: Int) -> Duration {
    let limit = Duration.seconds(100 * 365 * 86_400)
    let times = Int(clamping: Swift.max(1, factor.magnitude))
    // Dividing never overflows.
    if self > limit / times { return factor > 0 ? Swift.max(self, limit) : .zero }
    if self < .zero - limit / times { return .zero }
    return self * factor
  }
}
