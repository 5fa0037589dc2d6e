/// What rooms above keep with a store, by identity, and what goes with it: the nodes of derived values.
///
/// A memo is an object whose type the room above knows. The table is a plain value, guarded by the store's lock.
struct MemoTable: ~Copyable, Sendable {
  /// Those about objects that are seen from the whole state, as most are: two words each.
  private var whole: [ObjectIdentifier: ValueBox] = [:]
  /// Those about objects that are seen from a part of it.
  private var placed: [MemoKey: ValueBox] = [:]
  var cache = MemoCache()
  /// The number of memos at which abandoned ones are looked for.
  private var limit = Self.leastLimit
  private static var leastLimit: Int { 16 }

  func memo(_ key: MemoKey) -> ValueBox? {
    key.place.isWhole ? whole[key.object] : placed[key]
  }

  var count: Int { whole.count + placed.count }

  /// Stores a memo; returns those that were abandoned, to be released without the lock.
  ///
  /// `isAbandoned` says of a memo whether no caller can ask for it any more. Those about places that come and go may be
  /// many, so they are removed whenever such memos are looked for.
  mutating func insert(
    _ memo: ValueBox, by key: MemoKey, forgetting isAbandoned: (_ memo: ValueBox) -> Bool
  ) -> [ValueBox] {
    var abandoned: [ValueBox] = []
    if count >= limit {
      abandoned =
        Array(whole.removeAll { isAbandoned($0.value) }.values)
        + placed.removeAll { $0.key.place.comesAndGoes || isAbandoned($0.value) }.values
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

  /// Returns the memos, to be released without the lock.
  mutating func removeAll() -> [ValueBox] {
    defer { self = MemoTable() }
    return Array(whole.values) + placed.values
  }
}

// MARK: Its keys

/// The identity of what a memo is about, and of the part of the state that it is seen from.
@usableFromInline
struct MemoKey: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    /// So many bytes behind the start of the state.
    case offset(Int)
    /// Reached by steps, of which some have no offset.
    case steps([Way.Step])
    /// A value that a feature is given: the number of who gives it, and the rows on the way to the feature.
    indirect case given(by: UInt64, to: [Way.Step])
    /// The part that something is seen from, and the places of the values that it is given.
    case several([Place])
  }

  /// The memo keeps the object alive, so no other takes its identity over.
  let object: ObjectIdentifier
  let place: Place
}

extension MemoKey.Place {
  /// Whether it starts where the state starts.
  var isWhole: Bool { if case .offset(0) = self { true } else { false } }

  /// Whether it can be found again: no functions lead to it.
  var canBeFound: Bool {
    switch self {
    case .offset, .given: true
    case .steps(let steps): steps.allSatisfy(\.canBeFound)
    case .several(let places): places.allSatisfy(\.canBeFound)
    }
  }

  /// Whether the part is one of many: a row, a case.
  var comesAndGoes: Bool {
    switch self {
    case .offset: false
    case .steps(let steps), .given(_, let steps): steps.contains(where: \.comesAndGoes)
    case .several(let places): places.contains(where: \.comesAndGoes)
    }
  }

  /// The same with the places of values that are given.
  func given(_ givers: [Self]) -> Self { givers.isEmpty ? self : .several([self] + givers) }
}

// MARK: One value

/// The value of a memo, and how long it is known to be that of the present commit: what each read looks at.
struct MemoValue: Sendable {
  /// The value at commit `verifiedAt`; nil while it was never computed.
  var value: ValueBox?
  /// The newest commit that the value is known to be of.
  var verifiedAt: UInt64 = 0
  var interest = Interest.everything
  /// The set of owners that the interest was computed for; the largest number before there is one.
  var ownership = UInt64.max

  /// Whether it is that of the present commit, as far as this can be seen at once.
  ///
  /// The table is not changed; it is `inout` because the compiler would copy a borrowed one.
  @inline(never)
  mutating func verify(in table: inout ObserverTable) -> Bool {
    guard ownership == table.ownership, table.departed.isEmpty,
      table.newest(interest) <= verifiedAt
    else { return false }
    verifiedAt = table.revision
    return true
  }
}

/// The memos that were read last, found without hashing.
struct MemoCache: Sendable {
  private struct Entry: Sendable {
    let object: UInt
    let offset: Int
    /// Of a `MemoValue`; the table of memos keeps it alive.
    let value: StateAddress
  }

  /// None, until a memo was read.
  private var entries: [Entry?] = []
  private static var count: Int { 16 }

  @inline(__always)
  func value(of object: UInt, at offset: Int) -> StateAddress? {
    if entries.isEmpty { return nil }
    guard let entry = entries[Self.index(object, offset)], entry.object == object,
      entry.offset == offset
    else { return nil }
    return entry.value
  }

  mutating func insert(_ value: StateAddress, of object: UInt, at offset: Int) {
    if entries.isEmpty { entries = Array(repeating: nil, count: Self.count) }
    entries[Self.index(object, offset)] = Entry(object: object, offset: offset, value: value)
  }

  mutating func clear() {
    if !entries.isEmpty { entries = [] }
  }

  @inline(__always)
  private static func index(_ object: UInt, _ offset: Int) -> Int {
    // Objects lie sixteen bytes apart, at least.
    Int(truncatingIfNeeded: (object >> 4) ^ (object >> 8) ^ UInt(bitPattern: offset)) & (count - 1)
  }
}

// MARK: In a store

extension StoreCore {
  /// Reads the value of a memo about an object that is seen from the part at an offset, where it is that of the
  /// present commit and this can be seen at once.
  @inlinable
  @inline(__always)
  func readMemo<Value: Sendable>(_ type: Value.Type, of object: UInt, at offset: Int) -> Value? {
    lock.withLock(as: ThreadIdentity.current) {
      // The memo keeps the box alive until another value is stored, under this lock.
      Unretained<Boxed<Value>>(bits: currentMemo(of: object, at: offset))?.lend { $0.value }
    } reentry: {
      trapIntrusion("read a derived value")
    }
  }

  /// The box of a memo's value, without a count; zero where it is not known to be current; under the lock.
  @usableFromInline
  @inline(never)
  func currentMemo(of object: UInt, at offset: Int) -> UInt {
    guard let address = protected.value.memos.cache.value(of: object, at: offset) else { return 0 }
    return address.edit(MemoValue.self) { memo in
      guard let value = memo.value else { return 0 }
      let isCurrent =
        memo.verifiedAt == protected.value.table.revision
        || memo.verify(in: &protected.value.table)
      return isCurrent ? Unretained(value).bits : 0
    }
  }
}
