/// The values that a throttle let through a short while ago: the machine, and its lock.
///
/// No code of a value's type runs under the lock, because that code may lead back here.
final class ThrottleMemory: Sendable {
  private let machine = Locked(ThrottleMachine<ActionKey>())

  /// How many values are remembered.
  var count: Int { machine.withLock(\.count) }

  /// Whether a value may pass; if so it may not again before `deadline`.
  ///
  /// It is compared, without the lock, with the values that have its hash, and then let in if none with
  /// that hash has come meanwhile. Otherwise those are compared too; so each repetition is one that
  /// another thread let in.
  func admit(_ key: ActionKey, now: Duration, until deadline: Duration) -> Bool {
    let entry = ThrottleMachine.Entry(key: key, hash: key.hashValue, deadline: deadline)
    var seen: UInt64 = 0
    while true {
      let outcome = machine.withLock { $0.admit(entry, now: now, unlessNewerThan: seen) }
      switch outcome {
      case .admitted(let expired):
        // Released here, without the lock.
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

/// Which values were let through a short while ago, as a pure machine.
///
/// It neither compares nor hashes a value: it is told the hash, and gives the values to compare. Whatever
/// it drops it returns, to be released by its caller.
struct ThrottleMachine<Key: Sendable>: Sendable {
  struct Entry: Sendable {
    let key: Key
    let hash: Int
    let deadline: Duration
    /// Grows with each that is let in.
    fileprivate(set) var number: UInt64 = 0

    init(key: Key, hash: Int, deadline: Duration) {
      (self.key, self.hash, self.deadline) = (key, hash, deadline)
    }
  }

  enum Outcome: Sendable {
    /// It was let in.
    case admitted(expired: [Key])
    /// These have its hash and are newer than those it was compared with; ask again with `newest`.
    case compare(rivals: [Key], newest: UInt64, expired: [Key])
  }

  /// By hash, in the order they were let in.
  private var entries: [Int: [Entry]] = [:]
  /// In the order of their deadlines, since all wait equally long.
  private var order = RingBuffer<(hash: Int, deadline: Duration)>()
  private var last: UInt64 = 0

  /// How many values are remembered.
  var count: Int { order.count }

  /// Lets a value in, unless others with its hash are newer than `seen`.
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

  /// Forgets those whose time has passed.
  private mutating func expire(_ now: Duration) -> [Key] {
    var expired: [Key] = []
    while let oldest = order.first, oldest.deadline <= now {
      _ = order.popFirst()
      guard var same = entries[oldest.hash] else { continue }
      expired.append(same.removeFirst().key)
      entries[oldest.hash] = same.isEmpty ? nil : same
    }
    // A dictionary keeps the room of its largest size.
    if entries.isEmpty && entries.capacity > 64 { entries = [:] }
    return expired
  }
}
