/// Finds the route of a type of action.
struct Router: Sendable {
  private struct Entry: Sendable {
    let route: Route
    /// What the cache keeps of the route; made once, because making it allocates.
    let cached: RouteCacheEntry
  }

  /// The tables of the cache, the one in use last; a thread may have read where an older one lies.
  private var tables: [RouteCache.Table] = []
  private var indices: [ObjectIdentifier: Int] = [:]
  private var entries: ContiguousArray<Entry> = []

  /// Whether no route was made yet.
  var isEmpty: Bool { entries.isEmpty }

  /// The number of the route of a type, if there is one yet.
  func index(of key: ObjectIdentifier) -> Int? { indices[key] }

  /// The route with a number; the router keeps it alive until `clear`.
  func route(_ index: Int) -> Unretained<Route> { Unretained(entries[index].route) }

  /// Puts the route with a number into an entry of the cache.
  func load(_ index: Int, into entry: StateAddress) {
    entry.edit(RouteCacheEntry.self) { $0 = entries[index].cached }
  }

  /// Adds a route.
  ///
  /// `isPlain` says that observers and readers alone are notified of its commits. Only the reducers of a
  /// plain route run on the fast path.
  ///
  /// - Returns: The number of the route.
  mutating func add(_ route: Route, isPlain: Bool, _ cache: borrowing RouteCache) -> Int {
    let key = ObjectIdentifier(route.type)
    let cached = RouteCacheEntry(key, route, index: entries.count, isPlain: isPlain)
    indices[key] = entries.count
    entries.append(Entry(route: route, cached: cached))
    if let table = cache.reserve(entries.count) {
      // The router holds each route, so nothing is released with an entry.
      _ = tables.last?.clear()
      tables.append(table)
    }
    return entries.count - 1
  }

  /// Empties the cache.
  ///
  /// - Returns: The content of the cache, which the router holds too.
  @discardableResult
  func emptyCache() -> [RouteCacheEntry] { tables.last?.clear() ?? [] }

  /// Forgets every route.
  ///
  /// Routes are made anew when they are needed.
  ///
  /// - Returns: What is to be released without the lock.
  mutating func clear() -> [any Sendable] {
    let old = (emptyCache(), indices, entries)
    (indices, entries) = ([:], [])
    return [old.0, old.1, old.2]
  }
}
