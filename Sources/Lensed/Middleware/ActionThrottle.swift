/// Middleware that drops an action if it let an equal one through a short while ago.
///
/// ```swift
/// let throttle = ActionThrottle<AppState>(for: .milliseconds(300))
/// let store = try Store(initialState: AppState(), middleware: [throttle]) { … }
/// store.dispatch(BuyAction.buy("p1"))   // applied
/// store.dispatch(BuyAction.buy("p1"))   // dropped: a double tap
/// store.dispatch(BuyAction.buy("p2"))   // applied: another value
/// ```
///
/// Put it behind all middleware that drops or replaces actions. Then what it lets through is applied. Middleware
/// behind it might drop that, and equal actions would be dropped all the same until the interval has passed.
///
/// **Guarantees.**
/// - Only `Hashable` actions are throttled, each value separately.
/// - The interval starts with an action that is let through (the leading edge); dropped actions do not prolong it.
/// - An action's `==`, `hash(into:)` and `deinit`, and the clock, run outside of every lock, so they can dispatch.
///
/// **Cost.** It stores the values of the last interval and discards expired ones.
public final class ActionThrottle<State: Sendable>: Middleware {
  private let duration: Duration
  private let now: @Sendable () -> Duration
  private let machine = Locked(ThrottleMachine())

  /// Creates a throttle.
  ///
  /// - Parameters:
  ///   - duration: The interval in which equal actions are dropped; 300 ms by default. Zero or less
  ///     drops none, and more than a century counts as a century.
  ///   - clock: The clock that measures the interval.
  public init<C: Clock>(
    for duration: Duration = .milliseconds(300), clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    self.duration = waitable(duration)
    let start = clock.now
    now = { start.duration(to: clock.now) }
  }

  var count: Int { machine.withLock(\.count) }

  /// Drops an action if an equal one was let through within the interval.
  public func willReduce(_ action: any Action, _ context: MiddlewareContext<State>) -> Verdict {
    guard let action = action as? any Action & Hashable else { return .proceed }
    return admit(action) ? .proceed : .drop
  }

  /// Admits an action unless an equal one was admitted recently.
  ///
  /// It is compared, without the lock, with the stored actions of its hash, and again with those that other threads
  /// have admitted meanwhile.
  private func admit(_ action: any Action & Hashable) -> Bool {
    let now = now()
    let (hash, deadline) = (action.hashValue, now + duration)
    var seen: UInt64 = 0
    while true {
      let (rivals, expired) = machine.withLock {
        $0.admit(action, hash: hash, now: now, until: deadline, unlessNewerThan: seen)
      }
      // Released here, without the lock.
      withExtendedLifetime(expired) {}
      guard let newest = rivals.last?.number else { return true }
      if rivals.contains(where: { AnyHashable($0.action) == AnyHashable(action) }) { return false }
      seen = newest
    }
  }
}

// MARK: Its machine

/// The recent actions of a throttle, as a pure state machine.
///
/// It neither hashes nor compares nor releases actions: the caller does, with what it passes and what is returned.
private struct ThrottleMachine: Sendable {
  struct Entry: Sendable {
    let action: any Action & Hashable
    /// The number of the admission, in ascending order.
    let number: UInt64
  }

  /// The entries by hash, in the order of their admission.
  private var entries: [Int: [Entry]] = [:]
  /// All entries in the order of their deadlines, because all have the same interval.
  private var order = RingBuffer<(hash: Int, deadline: Duration)>()
  private var last: UInt64 = 0

  var count: Int { order.count }

  /// Admits an action until `deadline`, and returns those that have expired.
  ///
  /// Actions with its hash that are newer than `seen` are returned in order to be compared, and then it is not
  /// admitted.
  mutating func admit(
    _ action: any Action & Hashable, hash: Int, now: Duration, until deadline: Duration,
    unlessNewerThan seen: UInt64
  ) -> (rivals: [Entry], expired: [any Action & Hashable]) {
    let expired = expire(now)
    let rivals = entries[hash, default: []].filter { $0.number > seen }
    if !rivals.isEmpty { return (rivals, expired) }
    last += 1
    entries[hash, default: []].append(Entry(action: action, number: last))
    order.append((hash, deadline))
    return ([], expired)
  }

  private mutating func expire(_ now: Duration) -> [any Action & Hashable] {
    var expired: [any Action & Hashable] = []
    while let oldest = order.first, oldest.deadline <= now {
      _ = order.popFirst()
      guard var same = entries[oldest.hash] else { continue }
      expired.append(same.removeFirst().action)
      entries[oldest.hash] = same.isEmpty ? nil : same
    }
    // A dictionary keeps the capacity of its largest size.
    if entries.isEmpty && entries.capacity > 64 { entries = [:] }
    return expired
  }
}
