/// The observers of one commit; never changed once made, so it is handed out without a copy.
///
/// It counts no references to its observers. They live as long as they are in the table, and those
/// that left it are kept until there is no deliverer.
final class Audience: Sendable {
  /// The one observer and the one part it reads: the usual case, without the loops.
  private struct Solo: Sendable {
    let observer: Unretained<Observer>
    let capture: Unretained<PartCapture>
  }

  private let solo: Solo?
  private let observers: ContiguousArray<Unretained<Observer>>
  private let captures: ContiguousArray<Unretained<PartCapture>>
  let baton: Baton
  /// The commit whose calls are made; belongs to the deliverer.
  let delivered = UnsafeCell<UInt64>(0)

  /// `isTouched` says which parts the commits touch that it is drawn for: what they do not touch is
  /// not captured, however many of its observers read it.
  init(
    _ observers: [Observer], baton: Baton,
    touching isTouched: (PartCapture) -> Bool = { _ in true }
  ) {
    self.observers = ContiguousArray(observers.map { Unretained($0) })
    self.baton = baton
    let touched = observers.flatMap(\.captures.all).filter(isTouched)
    solo =
      observers.count == 1 && touched.count == 1
      ? Solo(observer: Unretained(observers[0]), capture: Unretained(touched[0])) : nil
    captures = ContiguousArray(touched.map { Unretained($0) })
  }

  var isEmpty: Bool { observers.isEmpty }

  /// Has the parts captured that a commit touched; under the lock, for the deliverer.
  @inline(__always)
  func capture(_ state: StateAddress, _ revision: UInt64) {
    delivered.value = revision
    if let solo { return solo.capture.lend { $0.capture(state, revision) } }
    captureAll(state, revision)
  }

  @inline(never)
  private func captureAll(_ state: StateAddress, _ revision: UInt64) {
    for index in captures.indices {
      captures[index].lend { $0.capture(state, revision) }
    }
  }

  /// Calls the observers, then releases the values that were captured for them.
  @inline(__always)
  func deliver(_ revision: UInt64) {
    if let solo {
      // What the observer reads, it has taken; unless it was cancelled.
      if !solo.observer.lend({ $0.notify(revision) }) { solo.capture.lend { $0.slot.release() } }
    } else {
      deliverAll(revision)
    }
  }

  @inline(never)
  private func deliverAll(_ revision: UInt64) {
    var allNotified = true
    for index in observers.indices {
      if !observers[index].lend({ $0.notify(revision) }) { allNotified = false }
    }
    // An observer has taken what it reads, unless it was cancelled.
    if allNotified { return }
    for index in captures.indices { captures[index].lend { $0.slot.release() } }
  }

  /// Hands out each part that is read.
  func forEachCapture(_ body: (PartCapture) -> Void) {
    for capture in captures { capture.lend(body) }
  }
}

// MARK: The audiences of the routes

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
  var everyone: Audience?
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
