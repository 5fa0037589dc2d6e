/// The recent actions of a throttle, as a pure state machine.
///
/// It neither compares nor hashes actions: the caller passes the hash, and compares the returned
/// actions. The caller also releases expired actions, which the machine returns.
struct ThrottleMachine: Sendable {
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

  /// The number of stored actions.
  var count: Int { order.count }

  /// Admits an action until `deadline`, unless actions with its hash are newer than `seen`.
  ///
  /// - Returns: Those newer actions, in order, to be compared; the action is admitted if there are none. And the
  ///   actions that have expired.
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

  /// Removes and returns the expired actions.
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
