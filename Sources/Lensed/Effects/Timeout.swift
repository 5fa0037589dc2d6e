// An effect with a limit of time:
//
// 1. A run, or an attempt of one, becomes a work of its own, which the run owns (`beginPart`).
// 2. Its code and a sleep race in a task group. The sleep counts for no work, so a test does not take the run to be asleep.
// 3. If the sleep ends first, the part is dropped alone: none of its commits begins, and its sequences end. The run fails
//    with `EffectTimeout`, and may be tried again (`Retry.swift`).
//
// `withLimit` races a wait of a context in the same way: `context.next(within:)`, `context.until(within:)`.

extension Effect {
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
      // A work of its own, which the run owns, so that the limit drops it alone.
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
            return EffectTimeout(effect: work.waitLabel.effect ?? name, limit: duration)
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

/// Runs some code of an effect, but no longer than a limit.
nonisolated(nonsending) func withLimit<C: Clock, Value: Sendable>(
  _ limit: Duration?, _ clock: C, of effect: String, for awaited: String,
  _ body: @escaping @concurrent @Sendable () async throws -> Value
) async throws -> Value where C.Duration == Duration {
  guard let limit = limit.map(waitable) else { return try await body() }
  return try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await body() }
    group.addTask {
      // The work does not sleep because its limit does.
      try await WorkNode.$current.withValue(nil) { try await clock.sleep(for: limit) }
      return nil
    }
    defer { group.cancelAll() }
    if let first = try await group.next(), let value = first { return value }
    // The limit is over. What was found meanwhile counts: it is read, and would be lost.
    group.cancelAll()
    do {
      if let last = try await group.next(), let value = last { return value }
    } catch is CancellationError {}
    try Task.checkCancellation()
    throw EffectTimeout(effect: effect, limit: limit, awaited: awaited)
  }
}
