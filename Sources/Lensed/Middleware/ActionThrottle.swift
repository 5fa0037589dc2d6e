/// Middleware that lets an action through once, and drops equal ones that follow too soon.
///
/// ```swift
/// let throttle = ActionThrottle<AppState>(for: .milliseconds(300))
/// let store = try Store(initialState: AppState(), middleware: [throttle]) { … }
/// store.dispatch(BuyAction.buy("p1"))   // applied
/// store.dispatch(BuyAction.buy("p1"))   // dropped: a double tap
/// store.dispatch(BuyAction.buy("p2"))   // applied: another value
/// ```
///
/// Only `Hashable` actions are throttled, each value on its own, from the first of them on (the leading
/// edge): what is dropped does not prolong the wait. Values whose time has passed are forgotten, so it
/// keeps as many as came within one such time. Actions are hashed, compared and released, and the clock
/// is asked, outside of every lock: their code may dispatch.
public final class ActionThrottle<State: Sendable>: Middleware {
  private let passesThrottle: @Sendable (ActionKey) -> Bool
  private let size: @Sendable () -> Int

  /// A throttle.
  ///
  /// - Parameters:
  ///   - duration: How long equal actions are dropped, 300 ms unless told otherwise. Zero or less drops
  ///     none, and more than a century counts as a century.
  ///   - clock: Where the time comes from.
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

  /// How many values it remembers.
  var count: Int { size() }

  /// Drops an action that equals one which was let through a short while ago.
  public func willReduce(_ action: any Action, _ context: MiddlewareContext<State>) -> Verdict {
    guard let action = action as? any Action & Hashable else { return .proceed }
    return passesThrottle(ActionKey(action)) ? .proceed : .drop
  }
}
