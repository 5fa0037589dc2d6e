extension Effect {
  /// This effect, which begins once no newer trigger has come for `duration`.
  ///
  /// ```swift
  /// save.debounced(for: .milliseconds(300), atMost: .seconds(5))
  /// ```
  ///
  /// A trigger that a newer one replaces never begins. The policy then decides about those that are left.
  /// A `duration` of zero or less is no wait, and one of more than a century counts as a century. Where it is
  /// said twice, the last one counts.
  ///
  /// - Parameters:
  ///   - duration: The lull.
  ///   - limit: How long the first of some triggers may wait for a lull that never comes: then the newest one begins. Of
  ///     zero or less, each begins at once. What ends the effect ends this time too.
  ///   - clock: The clock to measure and to wait by.
  /// - Returns: The effect, debounced.
  public func debounced<C: Clock>(
    for duration: Duration, atMost limit: Duration? = nil, clock: C = ContinuousClock()
  ) -> Effect where C.Duration == Duration {
    let duration = waitable(duration)
    guard let limit = limit.map(waitable) else {
      return with { $0.options.pause = { _ in try await clock.sleep(for: duration) } }
    }
    let start = clock.now
    return with {
      $0.options.pause = { lull in
        let now = start.duration(to: clock.now)
        let rest = lull.beginning(at: now) + limit - now
        try await clock.sleep(for: max(.zero, min(duration, rest)))
      }
    }
  }

  /// This effect, which ignores triggers within `duration` after one that began a run.
  ///
  /// A trigger that the policy ignores begins none. Of an effect that is `debounced(for:)` too, a trigger is first
  /// debounced, and then throttled. `throttled` ignores none for a `duration` of zero or less. More than a century
  /// counts as a century. Where it is said twice, the last one counts.
  ///
  /// - Parameters:
  ///   - duration: The time of silence after a run has begun, or was queued to begin.
  ///   - keepsLatest: Whether the last trigger of that time begins a run at its end, rather than none.
  ///   - clock: The clock to measure and to wait by.
  /// - Returns: The effect, throttled.
  public func throttled<C: Clock>(
    for duration: Duration, latest keepsLatest: Bool = false, clock: C = ContinuousClock()
  ) -> Effect where C.Duration == Duration {
    let duration = waitable(duration)
    return with {
      $0.options.throttle = ThrottleClock(duration, clock, keepsLatest: keepsLatest)
    }
  }

  /// This effect, tried again when it throws.
  ///
  /// - Parameters:
  ///   - attempts: The number of attempts in all, at least 1.
  ///   - delay: The wait before the second attempt.
  ///   - factor: Each further wait is multiplied by it; 2 doubles it. Waits stop growing at 100 years.
  ///   - clock: The clock to wait by.
  /// - Returns: The effect, which throws the error of its last attempt; also where the clock throws one.
  public func retried<C: Clock>(
    attempts: Int, after delay: Duration, factor: Int = 2, clock: C = ContinuousClock()
  ) -> Effect where C.Duration == Duration {
    if attempts < 1 {
      fatalError("Lensed: the effect \(name) has to be tried at least once, not \(attempts) times.")
    }
    return wrapped { work, attempt in
      var wait = delay
      // A clock whose sleeps are over at once does not suspend.
      var turn = JobTurn()
      for _ in 1..<attempts {
        do {
          return try await attempt(work)
        } catch {
          if Task.isCancelled { throw error }
          if turn.isOver(on: nil) { await Task.yield() }
          // Without a wait there is no further attempt: this error is the last one.
          guard (try? await clock.sleep(for: wait)) != nil else { throw error }
        }
        wait = wait.lengthened(by: factor)
      }
      try await attempt(work)
    }
  }

  /// This effect, cancelled when it takes longer than `duration`; it then fails with `EffectTimeout`.
  ///
  /// What it has under way by then ends with it: its sequences, and the dispatches that it awaits. The effects that
  /// its applied commits have set off go on. What it still dispatches is ignored, also where it is `retried`
  /// afterwards. The run goes on until its code has noticed: until then it counts under every policy, and under
  /// `.first` new triggers are ignored. With a `duration` of zero or less it fails unless
  /// it ends at once. More than a century counts as a century.
  public func timedOut<C: Clock>(after duration: Duration, clock: C = ContinuousClock()) -> Effect
  where C.Duration == Duration {
    let (name, duration) = (name, waitable(duration))
    return wrapped { work, attempt in
      let part = work.beginPart()
      defer { part.endClaim() }
      try await withThrowingTaskGroup(of: (any Error)?.self) { group in
        group.addTask {
          try await attempt(part)
          return nil
        }
        group.addTask {
          // The work does not sleep because its limit does.
          await WorkNode.$current.withValue(nil) {
            do { try await clock.sleep(for: duration) } catch { return error }
            return EffectTimeout(effect: name, limit: duration)
          }
        }
        defer { group.cancelAll() }
        if let failure = try await group.next() ?? nil {
          WorkNode.drop([part])
          throw failure
        }
      }
    }
  }

  /// This effect with something done around each run.
  private func wrapped(_ wrap: @escaping EffectOptions.Wrap) -> Effect {
    with { $0.options.wraps.append(wrap) }
  }
}

/// An effect took longer than its limit, or waited longer than its limit for something.
public struct EffectTimeout: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the effect.
  public let effect: String
  /// The limit.
  public let limit: Duration
  /// What it waited for: an action, or a condition; nil where the limit is that of the effect as a whole.
  public internal(set) var awaited: String?

  /// The name of the effect, its limit, and what it waited for.
  public var description: String {
    guard let awaited else { return "the effect \(effect) took longer than \(limit)" }
    return "the effect \(effect) waited longer than \(limit) for \(awaited)"
  }
}

extension Duration {
  /// This duration times `factor`, or 100 years where that is longer.
  fileprivate func lengthened(by factor: Int) -> Duration {
    let limit = Duration.seconds(100 * 365 * 86_400)
    let times = Int(clamping: Swift.max(1, factor.magnitude))
    // Dividing never overflows.
    if self > limit / times { return factor > 0 ? Swift.max(self, limit) : .zero }
    if self < .zero - limit / times { return .zero }
    return self * factor
  }
}
