/// A part of a store's state, with the types of both erased: what a scope, or a lifted value, is about.
///
/// It is the part itself, and never what stands for it while a child is not there.
struct StatePlace: Sendable {
  /// Lends the part for the length of a call; returns false, and calls nothing, while it is not there.
  private typealias Lend =
    @Sendable (_ state: StateAddress, _ body: (StateAddress) -> Void) -> Bool

  private enum Location: Sendable {
    /// The part lies so many bytes behind the start of the state.
    case offset(Int)
    /// The part is computed, or might not be there.
    case lent(Lend, steps: [MemoKey.Step])
  }

  private let location: Location
  let labels: InlineList<LensLabel>
  /// What a value covers of the state that is given there; nil for a part.
  private(set) var givenFootprint: Boxed<Footprint>?

  private init(_ location: Location, _ labels: InlineList<LensLabel>) {
    self.location = location
    self.labels = labels
  }

  /// The whole state.
  static let whole = StatePlace(.offset(0), .none)

  init<Part>(_ path: PartPath<Part>) {
    labels = path.labels
    location =
      if let offset = path.offset { .offset(offset) } else {
        .lent(path.lend, steps: path.labels.all.map(Self.step))
      }
  }

  /// Where a given value lies, for the child with these `ids`; `steps` tell it from others.
  init(_ giver: Giver, ids: [AnyID], steps: [MemoKey.Step]) {
    labels = .none
    let lend = giver.lend
    location =
      if let offset = giver.offset { .offset(offset) } else {
        .lent({ state, body in lend(state, ids[...], body) }, steps: steps)
      }
    givenFootprint = Boxed(giver.footprint)
  }

  /// Whether it is the state that it is seen from.
  var isWhole: Bool { offset == 0 && labels.isEmpty && givenFootprint == nil }

  private static func step(of label: LensLabel) -> MemoKey.Step {
    switch label {
    case .keyPath(let keyPath): .keyPath(keyPath)
    case .row(let row): .row(row)
    case .matching(let prism): .matching(prism)
    case .named, .unnamed, .elements: .function(makeUniqueNumber())
    }
  }

  /// The offset of the part in bytes, if it has a fixed one.
  var offset: Int? { if case .offset(let offset) = location { offset } else { nil } }

  /// The identity of the part; that of its copies alone, where functions of the user lead to it.
  var key: MemoKey.Place {
    switch location {
    case .offset(let offset): .offset(offset)
    case .lent(_, let steps): .steps(steps)
    }
  }

  private var steps: [MemoKey.Step] {
    switch location {
    case .offset: labels.all.map(Self.step)
    case .lent(_, let steps): steps
    }
  }

  /// Lends the address of the part; returns false, and calls nothing, while it is not there.
  @discardableResult
  func lend(_ state: StateAddress, _ body: (StateAddress) -> Void) -> Bool {
    switch location {
    case .offset(let offset): body(state.advanced(by: offset))
    case .lent(let lend, _): return lend(state, body)
    }
    return true
  }

  /// A part of this part.
  func appending(_ next: StatePlace) -> StatePlace {
    if next.offset == 0, next.labels.isEmpty { return self }
    let labels = labels.appending(next.labels, at: offset)
    if let offset, let further = next.offset {
      return StatePlace(.offset(offset + further), labels)
    }
    return StatePlace(
      .lent(
        { state, body in
          var isThere = false
          return lend(state) { isThere = next.lend($0, body) } && isThere
        }, steps: steps + next.steps), labels)
  }
}
