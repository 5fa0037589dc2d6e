/// A part of a store's state, with the types of both erased: what a scope, or a lifted value, is about.
///
/// It is the part itself, and never what stands for it while a child is not there.
struct StatePlace: Sendable {
  /// Lends the part for the length of a call; returns false, and calls nothing, while it is not there.
  private typealias Lend =
    @Sendable (_ state: StateAddress, _ body: (StateAddress) -> Void) -> Bool

  private enum Location: Sendable {
    case offset(Int)
    /// The part is computed, or might not be there.
    case lent(Lend, MemoKey.Place)
  }

  private let location: Location
  let way: Way
  /// What a value covers of the state that is given there; nil for a part.
  private(set) var givenFootprint: Boxed<Footprint>?

  private init(_ location: Location, _ way: Way) {
    self.location = location
    self.way = way
  }

  static let whole = StatePlace(.offset(0), .whole)

  init<Part>(_ path: PartPath<Part>) {
    way = path.way
    location =
      if let offset = path.offset { .offset(offset) } else {
        .lent(path.lend, .steps(path.way.distinctSteps))
      }
  }

  /// Where a given value lies, for the child with these `ids`; `key` tells it from others.
  init(_ giver: Giver, ids: [AnyID], key: MemoKey.Place) {
    way = .whole
    let lend = giver.lend
    location =
      if let offset = giver.offset { .offset(offset) } else {
        .lent({ state, body in lend(state, ids[...], body) }, key)
      }
    givenFootprint = Boxed(giver.footprint)
  }

  var isWhole: Bool { offset == 0 && way.isEmpty && givenFootprint == nil }

  var offset: Int? { if case .offset(let offset) = location { offset } else { nil } }

  /// The identity of the part; where functions of the user lead to it, only copies of this place have it.
  var key: MemoKey.Place {
    switch location {
    case .offset(let offset): .offset(offset)
    case .lent(_, let key): key
    }
  }

  /// Whether both are one place; a part that comes first in another one has the key of that.
  func isSame(as other: StatePlace) -> Bool { key == other.key && steps == other.steps }

  private var steps: [Way.Step] {
    switch key {
    case .offset: way.distinctSteps
    case .steps(let steps): steps
    // No part of a given value is a place.
    case .given, .several: [.function(makeUniqueNumber())]
    }
  }

  @discardableResult
  func lend(_ state: StateAddress, _ body: (StateAddress) -> Void) -> Bool {
    switch location {
    case .offset(let offset): body(state.advanced(by: offset))
    case .lent(let lend, _): return lend(state, body)
    }
    return true
  }

  func appending(_ next: StatePlace) -> StatePlace {
    if next.offset == 0, next.way.isEmpty { return self }
    let way = way.appending(next.way, at: offset)
    if let offset, let further = next.offset {
      return StatePlace(.offset(offset + further), way)
    }
    return StatePlace(
      .lent(
        { state, body in
          var isThere = false
          return lend(state) { isThere = next.lend($0, body) } && isThere
        }, .steps(steps + next.steps)), way)
  }
}
