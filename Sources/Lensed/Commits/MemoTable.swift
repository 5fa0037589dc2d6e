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
  /// `isAbandoned` says of a memo whether no caller can ask for it any more.
  ///
  /// - Returns: Memos that were abandoned, to be released without the lock.
  mutating func insert(
    _ memo: ValueBox, by key: MemoKey, forgetting isAbandoned: (_ memo: ValueBox) -> Bool
  ) -> [ValueBox] {
    var abandoned: [ValueBox] = []
    if count >= limit {
      abandoned =
        Self.removeMemos(isAbandoned, from: &whole) + Self.removeMemos(isAbandoned, from: &placed)
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
    _ isMeant: (_ memo: ValueBox) -> Bool, from memos: inout [Key: ValueBox]
  ) -> [ValueBox] {
    let taken = memos.filter { isMeant($0.value) }
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

/// The identity of what a memo is about, and of the part of the state that it is seen from.
struct MemoKey: Hashable, Sendable {
  /// The part of the state, where its identity shows.
  enum Place: Hashable, Sendable {
    /// So many bytes behind the start of the state.
    case offset(Int)
    /// Reached by key paths, of which some have no offset.
    case keyPaths([any AnyKeyPath & Sendable])

    /// Whether it starts where the state starts.
    var isWhole: Bool { if case .offset(0) = self { true } else { false } }

    static func == (left: Place, right: Place) -> Bool {
      switch (left, right) {
      case (.offset(let left), .offset(let right)): left == right
      case (.keyPaths(let left), .keyPaths(let right)):
        left.count == right.count && zip(left, right).allSatisfy { $0 as AnyKeyPath == $1 }
      default: false
      }
    }

    func hash(into hasher: inout Hasher) {
      if case .offset(let offset) = self { hasher.combine(offset) }
    }
  }

  /// The memo keeps the object alive, so no other takes over its identity.
  let object: ObjectIdentifier
  let place: Place

  func hash(into hasher: inout Hasher) {
    // An object is seldom seen from several places.
    hasher.combine(object)
  }
}
