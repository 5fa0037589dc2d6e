/// The recent values of a throttle: the machine and its lock.
///
/// No code of a value's type runs under the lock, because that code may call back into the
/// throttle.
final class ThrottleMemory: Sendable {
  private let machine = Locked(ThrottleMachine<ActionKey>())

  /// The number of stored values.
  var count: Int { machine.withLock(\.count) }

  /// Admits a value unless an equal one was admitted recently; an admitted value is stored until
  /// `deadline`.
  ///
  /// The value is compared, without the lock, with the stored values of the same hash. It is
  /// admitted if no value with that hash was admitted meanwhile; otherwise the new ones are
  /// compared, too. So each repetition is due to an admission by another thread.
  func admit(_ key: ActionKey, now: Duration, until deadline: Duration) -> Bool {
    let entry = ThrottleMachine.Entry(key: key, hash: key.hashValue, deadline: deadline)
    var seen: UInt64 = 0
    while true {
      let outcome = machine.withLock { $0.admit(entry, now: now, unlessNewerThan: seen) }
      switch outcome {
      case .admitted(let expired):
        // The expired values are released here, without the lock.
        withExtendedLifetime(expired) {}
        return true
      case .compare(let rivals, let newest, let expired):
        withExtendedLifetime(expired) {}
        if rivals.contains(where: { $0 == key }) { return false }
        seen = newest
      }
    }
  }
}

/// The recent values of a throttle, as a pure state machine.
///
/// It neither compares nor hashes values: the caller passes the hash, and compares the returned
/// values. The caller also releases expired values, which the machine returns.
struct ThrottleMachine<Key: Sendable>: Sendable {
  struct Entry: Sendable {
    let key: Key
    let hash: Int
    let deadline: Duration
    /// The number of the admission, in ascending order.
    fileprivate(set) var number: UInt64 = 0

    init(key: Key, hash: Int, deadline: Duration) {
      (self.key, self.hash, self.deadline) = (key, hash, deadline)
    }
  }

  enum Outcome: Sendable {
    /// The value was admitted.
    case admitted(expired: [Key])
    /// Newer values with the same hash must be compared; ask again with `newest`.
    case compare(rivals: [Key], newest: UInt64, expired: [Key])
  }

  /// The entries by hash, in the order of their admission.
  private var entries: [Int: [Entry]] = [:]
  /// All entries in the order of their deadlines, because all have the same interval.
  private var order = RingBuffer<(hash: Int, deadline: Duration)>()
  private var last: UInt64 = 0

  /// The number of stored values.
  var count: Int { order.count }

  /// Admits a value, unless values with its hash are newer than `seen`.
  mutating func admit(
    _ entry: Entry, now: Duration, unlessNewerThan seen: UInt64
  ) -> Outcome {
    let expired = expire(now)
    let rivals = entries[entry.hash, default: []].filter { $0.number > seen }
    if let newest = rivals.last?.number {
      return .compare(rivals: rivals.map(\.key), newest: newest, expired: expired)
    }
    last += 1
    var entry = entry
    entry.number = last
    entries[entry.hash, default: []].append(entry)
    order.append((entry.hash, entry.deadline))
    return .admitted(expired: expired)
  }

  /// Removes and returns the expired entries.
  private mutating func expire(_ now: Duration) -> [Key] {
    var expired: [Key] = []
    while let oldest = order.first, oldest.deadline <= now {
      _ = order.popFirst()
      guard var same = entries[oldest.hash] else { continue }
      expired.append(same.removeFirst().key)
      entries[oldest.hash] = same.isEmpty ? nil : same
    }
    // A dictionary keeps the capacity of its largest size.
    if entries.isEmpty && entries.capacity > 64 { entries = [:] }
    return expired
  }
}
