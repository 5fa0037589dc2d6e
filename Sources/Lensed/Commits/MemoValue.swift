/// The value of a memo, and how long it is known to be that of the present commit.
///
/// It is the part of a memo that each read looks at; guarded by the lock of the store.
struct MemoValue: Sendable {
  /// The value at commit `verifiedAt`; nil while it was never computed.
  var value: ValueBox?
  /// The newest commit that the value is known to be of.
  var verifiedAt: UInt64 = 0
  /// Which commits touch what it is computed of.
  var interest = Interest.everything
  /// The set of owners that the interest was computed for; the largest number before there is one.
  var ownership = UInt64.max

  /// Whether it is that of the present commit, as far as this can be seen at once.
  ///
  /// The table is not changed. It is not borrowed either, because the compiler would copy it for that.
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

  /// The address of the value of a memo.
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
