/// Looks for the fewest elements of a list with which something still fails: delta debugging.
///
/// `Explorer` shrinks the steps of a failed run by it, and then the commits of a replayed session.
struct Shrinking<Element: Sendable>: Sendable {
  /// The fewest elements that were found.
  private(set) var best: [Element]
  /// How often it was tried.
  private(set) var tries = 0
  private let limit: Int

  init(_ elements: [Element], limit: Int) {
    best = elements
    self.limit = limit
  }

  /// Leaves out larger parts first, then smaller ones, down to single elements, until nothing more can go.
  ///
  /// - Parameter fails: Whether it still fails with these elements.
  mutating func run(_ fails: ([Element]) async -> Bool) async {
    var size = max(1, best.count / 2)
    while true {
      let isSmaller = await leaveOut(size, fails)
      if tries >= limit { return }
      if isSmaller {
        size = min(size, max(1, best.count / 2))
      } else if size == 1 {
        return
      } else {
        size = max(1, size / 2)
      }
    }
  }

  /// - Returns: Whether some part could go.
  private mutating func leaveOut(_ size: Int, _ fails: ([Element]) async -> Bool) async -> Bool {
    var (end, isSmaller) = (best.count, false)
    while end > 0 && tries < limit {
      let start = max(0, end - size)
      var shorter = best
      shorter.removeSubrange(start..<end)
      tries += 1
      if await fails(shorter) {
        best = shorter
        isSmaller = true
      }
      end = start
    }
    return isSmaller
  }
}
