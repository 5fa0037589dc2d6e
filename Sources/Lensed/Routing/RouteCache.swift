/// The routes that were used last: a direct-mapped table at an address that does not move.
///
/// The lock of the store guards its content. The address of an entry is computed before the lock is taken,
/// and one comparison under the lock finds the route. So an app that alternates between a few types of
/// action hashes nothing.
@usableFromInline
struct RouteCache: Sendable {
  @usableFromInline
  let entries: UnsafeCellRow<RouteCacheEntry>

  init(empty: RouteCacheEntry) {
    entries = UnsafeCellRow(repeating: empty)
  }

  /// The address of the entry for a type of action; of a `RouteCacheEntry`.
  @inlinable
  @inline(__always)
  func address(of key: ObjectIdentifier) -> StateAddress {
    // Type metadata is apart by more than 16 bytes.
    let bits = UInt(bitPattern: key)
    return entries.place(at: (bits >> 4) ^ (bits >> 10))
  }

  /// The route in the entry at an address, and the sub-state whose direct reducer runs.
  func running(at address: StateAddress) -> (route: Unretained<Route>, slot: Int) {
    address.edit(RouteCacheEntry.self) { entry in
      (entry.route, entry.route.lend(\.running))
    }
  }

  /// Empties every entry.
  ///
  /// - Returns: What is to be released without the lock.
  func clear(_ empty: RouteCacheEntry) -> [RouteCacheEntry] {
    (0..<UInt(UnsafeCellRow<RouteCacheEntry>.count)).compactMap { index in
      entries.place(at: index).edit(RouteCacheEntry.self) { entry in
        guard entry.key != nil else { return nil }
        defer { entry = empty }
        return entry
      }
    }
  }
}
