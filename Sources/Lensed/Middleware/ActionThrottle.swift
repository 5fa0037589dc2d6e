/// Middleware that drops an action if an equal one was applied a short while ago.
///
/// ```swift
/// let throttle = ActionThrottle<AppState>(for: .milliseconds(300))
/// let store = try Store(initialState: AppState(), middleware: [throttle]) { … }
/// store.dispatch(BuyAction.buy("p1"))   // applied
/// store.dispatch(BuyAction.buy("p1"))   // dropped: a double tap
/// store.dispatch(BuyAction.buy("p2"))   // applied: another value
/// ```
///
/// **Guarantees.**
/// - Only `Hashable` actions are throttled, each value separately.
/// - The interval starts with an applied action (the leading edge); dropped actions do not prolong
///   it.
/// - An action's `==`, `hash(into:)` and `deinit`, and the clock, run outside of every lock, so
///   they can dispatch.
///
/// **Cost.** It stores the values of the last interval and discards expired ones.
public final class ActionThrottle<State: Sendable>: Middleware {
  private let passesThrottle: @Sendable (ActionKey) -> Bool
  private let size: @Sendable () -> Int

  /// Creates a throttle.
  ///
  /// - Parameters:
  ///   - duration: The interval in which equal actions are dropped; 300 ms by default. Zero or less
  ///     drops none, and more than a century counts as a century.
  ///   - clock: The clock that measures the interval.
  public init<C: Clock>(
    for duration: Duration = .milliseconds(300), clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    let duration = waitable(duration)
    let memory = ThrottleMemory()
    let start = clock.now
    passesThrottle = { key in
      let now = start.duration(to: clock.now)
      return memory.admit(key, now: now, until: now + duration)
    }
    size = { memory.count }
  }

  /// The number of stored values.
  var count: Int { size() }

  /// Drops an action if an equal one was applied within the interval.
  public func willReduce(_ action: any Action, _ context: MiddlewareContext<State>) -> Verdict {
    guard let action = action as? any Action & Hashable else { return .proceed }
    return passesThrottle(ActionKey(action)) ? .proceed : .drop
  }
}
