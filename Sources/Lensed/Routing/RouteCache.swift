/// The routes that were used last: a direct-mapped table at an address that does not move.
///
/// It is guarded by the lock of the store; but where to look is found before the lock is taken, and what
/// is found there is found in one step. An app that alternates between a few types of action hashes
/// nothing.
@usableFromInline
struct RouteCache: Sendable {
  @usableFromInline
  let lines: UnsafeCellRow<RouteCacheEntry>

  init(empty: RouteCacheEntry) {
    lines = UnsafeCellRow(repeating: empty)
  }

  /// Where a type of action is looked up; of a `RouteCacheEntry`.
  @inlinable
  @inline(__always)
  func place(of key: ObjectIdentifier) -> StateAddress {
    // Type metadata is apart by more than 16 bytes.
    let bits = UInt(bitPattern: key)
    return lines.place(at: (bits >> 4) ^ (bits >> 10))
  }

  /// The route in the line at the address `bits`, and the sub-state of the lead that runs.
  func underWay(at bits: UInt) -> (route: Unretained<Route>, slot: Int)? {
    StateAddress(bits: bits)?.edit(RouteCacheEntry.self) { line in
      (line.route, line.route.lend(\.running))
    }
  }

  /// Forgets everything.
  ///
  /// - Returns: What is to be released without the lock.
  func clear(_ empty: RouteCacheEntry) -> [RouteCacheEntry] {
    (0..<UInt(UnsafeCellRow<RouteCacheEntry>.count)).compactMap { index in
      lines.place(at: index).edit(RouteCacheEntry.self) { line in
        guard line.key != nil else { return nil }
        defer { line = empty }
        return line
      }
    }
  }
}
