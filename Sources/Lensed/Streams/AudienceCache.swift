/// The audiences of the routes, each kept until an observer comes or goes that it concerns.
///
/// An audience that was invalidated may be in use: a deliverer counts no references to it. So it stays here until
/// the table defers its release.
struct AudienceCache: Sendable {
  private var byRoute: ContiguousArray<CachedAudience?> = []
  /// The same, without a count.
  private var unretained: ContiguousArray<CachedAudience.UnretainedAudience?> = []
  /// For each sub-state, the routes whose audiences have its observers.
  private var routes: [Int: [Int]] = [:]
  /// The audience of a replacement: all observers.
  private(set) var everyone: Audience?
  private var outdated: [any Sendable] = []
  /// How often observers of each sub-state came and went, or of its rows; and observers of everything.
  private var changes: ContiguousArray<UInt64> = []
  private var changesOfAll: UInt64 = 0

  /// The audience of a route, without a count.
  @inline(__always)
  func unretained(ofRoute index: Int) -> CachedAudience.UnretainedAudience? {
    index < unretained.count ? unretained[index] : nil
  }

  /// The audience of a route.
  func audience(ofRoute index: Int) -> Audience? {
    index < byRoute.count ? byRoute[index]?.audience : nil
  }

  /// Stores the audience of a route that leads to some sub-states.
  mutating func insert(_ audience: Audience, ofRoute index: Int, through slots: [Int]) {
    while byRoute.count <= index {
      byRoute.append(nil)
      unretained.append(nil)
    }
    let cached = CachedAudience(audience)
    (byRoute[index], unretained[index]) = (cached, cached.unretained)
    for slot in slots where !(routes[slot]?.contains(index) ?? false) {
      routes[slot, default: []].append(index)
    }
  }

  /// Stores the audience of a replacement.
  mutating func insert(everyone audience: Audience) {
    everyone = audience
  }

  /// Invalidates the audiences that an observer with this interest is or would be in.
  mutating func invalidate(_ interest: Interest) {
    if let everyone = everyone.take() { outdated.append(everyone) }
    switch interest {
    case .everything:
      changesOfAll &+= 1
      invalidateRoutes()
    case .slots(let slots):
      noteChange(of: slots)
      for slot in slots {
        for route in routes.removeValue(forKey: slot) ?? [] { invalidate(route: route) }
      }
    case .row(let row):
      // The observers of rows are in no audience of a route.
      noteChange(of: row.slots)
    case .any(let interests):
      for interest in interests { invalidate(interest) }
    }
  }

  private mutating func noteChange(of slots: [Int]) {
    for slot in slots {
      while changes.count <= slot { changes.append(0) }
      changes[slot] &+= 1
    }
  }

  /// A number that grows when an observer comes or goes that a commit on some slots concerns, or on a row of them.
  func version(of slots: [Int]) -> UInt64 {
    slots.reduce(changesOfAll) { $1 < changes.count ? $0 &+ changes[$1] : $0 }
  }

  private mutating func invalidate(route index: Int) {
    unretained[index] = nil
    if let cached = byRoute[index].take() { outdated.append(cached) }
  }

  /// Invalidates the audiences of all routes, which get new numbers.
  mutating func invalidateRoutes() {
    if byRoute.isEmpty { return }
    outdated.append(exchange(&byRoute, with: []))
    (unretained, routes) = ([], [:])
  }

  /// What was invalidated, for the table to release later.
  mutating func takeOutdated() -> [any Sendable] {
    outdated.isEmpty ? [] : exchange(&outdated, with: [])
  }
}
