/// Finds the route of a type of action.
///
/// A small direct-mapped cache stands before the dictionary, so that an app which alternates between
/// a few types of action hashes nothing.
struct Router: Sendable {
  private struct Line: Sendable {
    var key: ObjectIdentifier?
    /// Kept alive by `entries`.
    var route: Uncounted<Route>
    var index: Int
  }

  private struct Entry: Sendable {
    let route: Route
    var audience: Audience?
  }

  private static let nowhere = Route(ActionList.self, []) { _ in Unguarded(SlotRecord()) }
  private static let lineCount = 64

  private var lines: ContiguousArray<Line>
  private var indices: [ObjectIdentifier: Int] = [:]
  private var entries: ContiguousArray<Entry> = []

  init() {
    lines = ContiguousArray(
      repeating: Line(route: Uncounted(Self.nowhere), index: 0), count: Self.lineCount)
  }

  /// The route of a type and its number, if there is one yet.
  @inline(__always)
  mutating func route(of key: ObjectIdentifier) -> (route: Uncounted<Route>, index: Int)? {
    // Type metadata is aligned to 16 bytes at least, and apart by more.
    let bits = UInt(bitPattern: key)
    let position = Int(truncatingIfNeeded: (bits >> 4) ^ (bits >> 10)) & (Self.lineCount - 1)
    if lines[position].key == key { return (lines[position].route, lines[position].index) }
    return lookUp(key, for: position)
  }

  @inline(never)
  private mutating func lookUp(
    _ key: ObjectIdentifier, for position: Int
  ) -> (route: Uncounted<Route>, index: Int)? {
    guard let index = indices[key] else { return nil }
    let route = Uncounted(entries[index].route)
    lines[position] = Line(key: key, route: route, index: index)
    return (route, index)
  }

  mutating func add(_ route: Route) {
    indices[ObjectIdentifier(route.type)] = entries.count
    entries.append(Entry(route: route))
  }

  func slots(_ index: Int) -> [Int] { entries[index].route.slots }

  /// Announces a commit to the audience of one route.
  mutating func announce(
    _ index: Int, on table: inout ObserverTable, into aftermath: inout Aftermath
  ) {
    table.announce(
      slots: entries[index].route.slots, audience: &entries[index].audience, into: &aftermath)
  }

  /// Forgets every route; they are made anew when they are asked for.
  ///
  /// - Returns: What is to be released without the lock.
  mutating func clear() -> any Sendable {
    let old = self
    self = Router()
    return old
  }
}
