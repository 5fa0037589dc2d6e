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
/// keeps as many as came within one such time.
public final class ActionThrottle<State: Sendable>: Middleware {
  private let isTimely: @Sendable (ActionKey) -> Bool
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
    let machine = Guarded(ThrottleMachine<ActionKey, C.Instant>())
    isTimely = { key in
      let now = clock.now
      return machine.withLock { $0.admit(key, now: now, until: now.advanced(by: duration)) }
    }
    size = { machine.withLock(\.count) }
  }

  /// How many values it remembers.
  var count: Int { size() }

  /// Drops an action that equals one which was let through a short while ago.
  public func willReduce(_ action: any Action, _ context: MiddlewareContext<State>) -> Verdict {
    guard let action = action as? any Action & Hashable else { return .proceed }
    return isTimely(ActionKey(action)) ? .proceed : .drop
  }
}

/// Which values were let through a short while ago, as a pure machine.
struct ThrottleMachine<Key: Hashable & Sendable, Instant: InstantProtocol>: Sendable {
  private var deadlines: [Key: Instant] = [:]
  /// In the order of their deadlines, since all wait equally long.
  private var order = Ring<Key>()

  /// How many values are remembered.
  var count: Int { deadlines.count }

  /// Whether a value may pass; if so it may not again before `deadline`.
  mutating func admit(_ key: Key, now: Instant, until deadline: Instant) -> Bool {
    while let oldest = order.first, let end = deadlines[oldest], end <= now {
      _ = order.popFirst()
      deadlines[oldest] = nil
    }
    if deadlines[key] != nil { return false }
    deadlines[key] = deadline
    order.append(key)
    return true
  }
}

/// An action as a key.
struct ActionKey: Hashable, Sendable {
  private let action: any Action & Hashable

  init(_ action: any Action & Hashable) {
    self.action = action
  }

  static func == (left: ActionKey, right: ActionKey) -> Bool {
    AnyHashable(left.action) == AnyHashable(right.action)
  }

  func hash(into hasher: inout Hasher) {
    action.hash(into: &hasher)
  }
}
