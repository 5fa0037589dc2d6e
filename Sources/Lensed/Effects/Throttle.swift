// The silence of a throttle is kept by the queue of the jobs (`JobQueue`), which decides in the commit whether a trigger
// comes too soon. The last trigger of a silence waits for its end as one of a debounce waits for a lull (`Debounce`).

extension Effect {
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
}
