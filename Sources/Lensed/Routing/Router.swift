/// Finds the route of a type of action.
struct Router: ~Copyable, Sendable {
  private struct Entry: Sendable {
    let key: ObjectIdentifier
    let route: Route
    let fastPath: FastPath
  }

  /// The table of the cache.
  private var table: RouteCache.Table?
  /// Those before it, which a thread may have found before it takes the lock.
  private var formerTables: [RouteCache.Table] = []
  private var entries: ContiguousArray<Entry> = []
  /// The numbers of the routes, once there are more than are found faster by looking at each.
  private var indices: [ObjectIdentifier: Int] = [:]

  private static let fewRoutes = 8

  /// Whether no route was made yet.
  var isEmpty: Bool { entries.isEmpty }

  /// The number of the route of a type, if there is one yet.
  func index(of key: ObjectIdentifier) -> Int? {
    if entries.count > Self.fewRoutes { return indices[key] }
    return entries.firstIndex { $0.key == key }
  }

  /// The route with a number; the router keeps it alive until `clear`.
  func route(_ index: Int) -> Unretained<Route> { Unretained(entries[index].route) }

  /// Copies the route with a number into an entry of the cache.
  func copyEntry(_ index: Int, into place: StateAddress) {
    let entry = entries[index]
    let content = RouteCacheEntry(entry.key, entry.route, index: index, entry.fastPath)
    // The router holds each route, so nothing is released with the old content.
    place.edit(RouteCacheEntry.self) { $0 = content }
  }

  /// Adds a route, and returns its number.
  mutating func add(_ route: Route, _ fastPath: FastPath, _ cache: borrowing RouteCache) -> Int {
    let index = entries.count
    entries.append(Entry(key: ObjectIdentifier(route.type), route: route, fastPath: fastPath))
    if entries.count > Self.fewRoutes {
      for known in indices.count...index { indices[entries[known].key] = known }
    }
    if let new = cache.reserve(entries.count) {
      if let former = table {
        former.clear()
        formerTables.append(former)
      }
      table = new
    }
    return index
  }

  /// Removes every route, to be made anew when it is needed; returns what is to be released without the lock.
  mutating func clear() -> [any Sendable] {
    if isEmpty { return [] }
    let old: [any Sendable] = [table?.clear() ?? [], entries]
    (indices, entries) = ([:], [])
    return old
  }
}
