/// Finds the route of a type of action.
///
/// Only *plain* routes have reducers that lead: those whose commits nobody but observers and readers hears
/// of. So what an effect costs is paid by its own actions alone.
struct Router: Sendable {
  private struct Entry: Sendable {
    let route: Route
    /// Made once, because making it allocates.
    let line: RouteCacheEntry
    var audience: Audience?
  }

  private static let nowhere: Route = {
    let anywhere = UnsafeCell(-1)
    return Route(
      ActionList.self, [], OwnershipMap([]), heardBy: Hearers([]), in: anywhere.place,
      noting: anywhere.place
    ) { _ in
      UnsafeCellInRow(UnsafeCellRow(repeating: SlotRecord()), at: 0)
    }
  }()

  private let nothing: RouteCacheEntry
  let cache: RouteCache
  private var indices: [ObjectIdentifier: Int] = [:]
  private var entries: ContiguousArray<Entry> = []

  init() {
    nothing = RouteCacheEntry(nil, Self.nowhere)
    cache = RouteCache(empty: nothing)
  }

  /// Puts the route of a type into the line of the cache where it is looked up, if there is one.
  mutating func find(_ key: ObjectIdentifier, for line: inout RouteCacheEntry) -> Bool {
    if line.key == key { return true }
    guard let index = indices[key] else { return false }
    line = entries[index].line
    line.drawn = entries[index].audience.map(CachedAudience.init)
    return true
  }

  /// The route of a type and its number, if there is one yet.
  func route(of key: ObjectIdentifier) -> (route: Unretained<Route>, index: Int)? {
    indices[key].map { (Unretained(entries[$0].route), $0) }
  }

  mutating func add(_ route: Route, isPlain: Bool) {
    let key = ObjectIdentifier(route.type)
    let line = RouteCacheEntry(key, route, index: entries.count, isPlain: isPlain)
    indices[key] = entries.count
    entries.append(Entry(route: route, line: line))
  }

  /// Who hears of each action of a type, once it has a route.
  func hearers(of type: any Action.Type) -> Hearers? {
    indices[ObjectIdentifier(type)].map { entries[$0].route.hearers }
  }

  /// How far the route with this number reaches.
  func reach(_ index: Int) -> TouchedParts { entries[index].route.reach }

  /// Announces a commit to the audience of the route in a line of the cache.
  @inline(never)
  mutating func announce(
    _ line: inout RouteCacheEntry, showing signs: CommitFlags, on table: inout ObserverTable
  ) -> Unretained<AfterCommitCell>? {
    let index = line.index
    let notice = table.announce(
      slots: entries[index].route.slots, showing: signs, audience: &entries[index].audience)
    line.drawn = entries[index].audience.map(CachedAudience.init)
    return notice
  }

  /// Announces a commit that more than observers may hear of to the audience of a route.
  mutating func announce(
    _ index: Int, showing signs: CommitFlags, bulletin: (any CommitNotification)?,
    on table: inout ObserverTable
  ) -> Unretained<AfterCommitCell>? {
    table.announce(
      slots: entries[index].route.slots, showing: signs, audience: &entries[index].audience,
      bulletin: bulletin)
  }

  /// Empties the cache.
  ///
  /// - Returns: What was in it, which the router holds too.
  @discardableResult
  func empty() -> [RouteCacheEntry] { cache.clear(nothing) }

  /// Forgets every route; they are made anew when they are asked for.
  ///
  /// - Returns: What is to be released without the lock.
  mutating func clear() -> [any Sendable] {
    let old = (empty(), indices, entries)
    (indices, entries) = ([:], [])
    return [old.0, old.1, old.2]
  }
}
