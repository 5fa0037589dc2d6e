/// What rooms above keep with a store, by identity, and what goes with it: the nodes of derived values.
///
/// A plain value, guarded by the lock of the store.
struct MemoTable: Sendable {
  private var memos: [MemoKey: any StoreMemo] = [:]
  /// Those that were read last.
  var cache = MemoCache()
  /// The number of memos at which abandoned ones are looked for.
  private var limit = Self.leastLimit
  private static var leastLimit: Int { 16 }

  /// The memo that was kept under a key.
  func memo(_ key: MemoKey) -> (any StoreMemo)? { memos[key] }

  /// The number of memos.
  var count: Int { memos.count }

  /// Keeps a memo.
  ///
  /// - Returns: Memos that were abandoned, to be released without the lock.
  mutating func keep(_ memo: any StoreMemo, by key: MemoKey) -> [any StoreMemo] {
    var abandoned: [any StoreMemo] = []
    if memos.count >= limit {
      abandoned = memos.values.filter(\.isAbandoned)
      memos = memos.filter { !$0.value.isAbandoned }
      limit = max(2 * memos.count, Self.leastLimit)
      cache.clear()
    }
    memos[key] = memo
    return abandoned
  }

  /// Removes all.
  ///
  /// - Returns: The memos, to be released without the lock.
  mutating func removeAll() -> [any StoreMemo] {
    defer { self = MemoTable() }
    return Array(memos.values)
  }
}

/// An object that is kept with a store.
protocol StoreMemo: AnyObject, Sendable {
  /// Whether no caller can ask for it any more.
  var isAbandoned: Bool { get }
}

/// The identity of what a memo is about, and of the part of the state that it is seen from.
struct MemoKey: Hashable, Sendable {
  /// The part of the state, where its identity shows.
  enum Place: Hashable, Sendable {
    /// So many bytes behind the start of the state.
    case offset(Int)
    /// Reached by key paths, of which some have no offset.
    case keyPaths([any AnyKeyPath & Sendable])

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
