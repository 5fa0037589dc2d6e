/// What rooms above keep with a store, by identity, and what goes with it: the nodes of derived values.
///
/// A memo is an object whose type the room above knows. The table is a plain value, guarded by the lock of the
/// store.
struct MemoTable: Sendable {
  /// Those about objects that are seen from the whole state, as most are: two words each.
  private var whole: [ObjectIdentifier: ValueBox] = [:]
  /// Those about objects that are seen from a part of it.
  private var placed: [MemoKey: ValueBox] = [:]
  /// Those that were read last.
  var cache = MemoCache()
  /// The number of memos at which abandoned ones are looked for.
  private var limit = Self.leastLimit
  private static var leastLimit: Int { 16 }

  /// The memo that was stored under a key.
  func memo(_ key: MemoKey) -> ValueBox? {
    key.place.isWhole ? whole[key.object] : placed[key]
  }

  var count: Int { whole.count + placed.count }

  /// Stores a memo.
  ///
  /// `isAbandoned` says of a memo whether no caller can ask for it any more. Those about places that come and go may
  /// be many, so they are removed whenever such memos are looked for.
  ///
  /// - Returns: Memos that were abandoned, to be released without the lock.
  mutating func insert(
    _ memo: ValueBox, by key: MemoKey, forgetting isAbandoned: (_ memo: ValueBox) -> Bool
  ) -> [ValueBox] {
    var abandoned: [ValueBox] = []
    if count >= limit {
      abandoned =
        Self.removeMemos(from: &whole) { isAbandoned($0.value) }
        + Self.removeMemos(from: &placed) { $0.key.place.comesAndGoes || isAbandoned($0.value) }
      limit = max(2 * count, Self.leastLimit)
      cache.clear()
    }
    if key.place.isWhole {
      whole[key.object] = memo
    } else {
      placed[key] = memo
    }
    return abandoned
  }

  /// Removes some memos.
  ///
  /// Each is asked about once: what is removed and not returned would be released here.
  private static func removeMemos<Key>(
    from memos: inout [Key: ValueBox], where isMeant: (_ memo: (key: Key, value: ValueBox)) -> Bool
  ) -> [ValueBox] {
    let taken = memos.filter(isMeant)
    for key in taken.keys { memos[key] = nil }
    return Array(taken.values)
  }

  /// Removes all.
  ///
  /// - Returns: The memos, to be released without the lock.
  mutating func removeAll() -> [ValueBox] {
    defer { self = MemoTable() }
    return Array(whole.values) + placed.values
  }
}
