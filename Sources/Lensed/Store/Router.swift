/// Finds the route of a type of action.
///
/// The last route stands before a small direct-mapped cache, and that before the dictionary, so that
/// an app which alternates between a few types of action hashes nothing.
///
/// Only *plain* routes are in the caches: those whose commits nobody but observers and readers hears
/// of. So what an effect costs is paid by its own actions alone.
struct Router: Sendable {
  private struct Line: Sendable {
    var key: ObjectIdentifier?
    /// Kept alive by `entries`.
    var route: Uncounted<Route>
    var index: Int
  }

  private struct Entry: Sendable {
    let route: Route
    /// Who hears of each action of the type.
    let listeners: [CommitListener]
    let isPlain: Bool
    var audience: Audience?
    /// The audience again, as it is looked at on nearly every dispatch.
    var drawn: DrawnAudience?
  }

  private static let nowhere = Route(ActionList.self, [], noting: Unguarded(Progress())) { _ in
    Unguarded(SlotRecord())
  }
  private static let lineCount = 64

  private var last = Line(route: Uncounted(Self.nowhere), index: 0)
  private var lines: ContiguousArray<Line>
  private var indices: [ObjectIdentifier: Int] = [:]
  private var entries: ContiguousArray<Entry> = []

  init() {
    lines = ContiguousArray(
      repeating: Line(route: Uncounted(Self.nowhere), index: 0), count: Self.lineCount)
  }

  /// The plain route of a type and its number, if there is one yet.
  @inline(__always)
  mutating func plainRoute(of key: ObjectIdentifier) -> (route: Uncounted<Route>, index: Int)? {
    if last.key == key { return (last.route, last.index) }
    return lookUp(key)
  }

  @inline(never)
  private mutating func lookUp(
    _ key: ObjectIdentifier
  ) -> (route: Uncounted<Route>, index: Int)? {
    // Type metadata is aligned to 16 bytes at least, and apart by more.
    let bits = UInt(bitPattern: key)
    let position = Int(truncatingIfNeeded: (bits >> 4) ^ (bits >> 10)) & (Self.lineCount - 1)
    if lines[position].key != key {
      guard let index = indices[key], entries[index].isPlain else { return nil }
      lines[position] = Line(key: key, route: Uncounted(entries[index].route), index: index)
    }
    last = lines[position]
    return (last.route, last.index)
  }

  /// The route of a type and its number, if there is one yet.
  func route(of key: ObjectIdentifier) -> (route: Uncounted<Route>, index: Int)? {
    indices[key].map { (Uncounted(entries[$0].route), $0) }
  }

  mutating func add(_ route: Route, heardBy listeners: [CommitListener], isPlain: Bool) {
    indices[ObjectIdentifier(route.type)] = entries.count
    entries.append(Entry(route: route, listeners: listeners, isPlain: isPlain))
  }

  /// Who hears of each action of a type, once it has a route.
  func listeners(of type: any Action.Type) -> [CommitListener] {
    indices[ObjectIdentifier(type)].map { entries[$0].listeners } ?? []
  }

  func slots(_ index: Int) -> [Int] { entries[index].route.slots }

  /// Announces a commit to the audience of one route.
  @inline(__always)
  mutating func announce(
    _ index: Int, showing signs: Signs, on table: inout ObserverTable
  ) -> Announcement {
    // The usual case: calls to make, to a known audience, with nobody in the way.
    if signs == [.handled, .observed], let drawn = entries[index].drawn, table.capture(for: drawn) {
      return .calls(drawn.audience)
    }
    let announcement = table.announce(
      slots: entries[index].route.slots, showing: signs, audience: &entries[index].audience)
    entries[index].drawn = entries[index].audience.map(DrawnAudience.init)
    return announcement
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
