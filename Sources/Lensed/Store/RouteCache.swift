/// The plain routes that were used last: a direct-mapped table at an address that does not move.
///
/// It is guarded by the lock of the store; but where to look is found before the lock is taken, and what
/// is found there is found in one step. Each step would be waited for while the lock is held. An app
/// that alternates between a few types of action hashes nothing.
struct RouteCache: Sendable {
  /// What is kept of a route.
  struct Line: Sendable {
    var key: ObjectIdentifier?
    var index = 0
    /// Kept alive by the router.
    var route: Uncounted<Route>
    var plan: RoutePlan
    /// Who is called for the route's commits, as it was drawn last.
    var drawn: DrawnAudience?
  }

  private static let lineCount = 64
  private let lines: UnguardedRow<Line>

  init(empty: Line) {
    lines = UnguardedRow(repeating: empty, count: Self.lineCount)
  }

  /// Where a type of action is looked up; of a `Line`.
  @inline(__always)
  func place(of key: ObjectIdentifier) -> Place {
    // Type metadata is aligned to 16 bytes at least, and apart by more.
    let bits = UInt(bitPattern: key)
    let position = Int(truncatingIfNeeded: (bits >> 4) ^ (bits >> 10)) & (Self.lineCount - 1)
    return lines.place(at: position)
  }

  /// Forgets everything.
  ///
  /// - Returns: What is to be released without the lock.
  func clear(_ empty: Line) -> [Line] {
    (0..<lines.count).compactMap { index in
      lines.place(at: index).edit(Line.self) { line in
        guard line.key != nil else { return nil }
        defer { line = empty }
        return line
      }
    }
  }
}
