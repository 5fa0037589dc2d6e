// What a run says of the child that an action is for, so that no warning has to look for it again:
//
// 1. Each lift adds what it knows to the outcome of the run inside of it: `missing`, `insideChild`, `insideElement`.
// 2. The `Handler` keeps the outcome of a run in which its reducer did not run. The flags of the commit show other
//    runs.
// 3. If there was none, a `ChildSearch` gathers the outcomes of all that handle the action, effects too. If one of them
//    has reached its child, nothing is worth a warning.

/// How the run of a reducer ended, or the look of an effect for its child.
@usableFromInline
enum RunOutcome: Equatable, Sendable {
  case ran
  /// The child is there, and its reducer passed over the action.
  case passedOver
  /// The action is not for the child: a prism on the way does not match, or a tag is another's.
  case notMeant
  /// The reducer ran, and gave the element of a collection another id.
  ///
  /// So the ids in the actions do not tell which elements the commit touched: others may have had the former id, or the
  /// new.
  case changedID
  /// The same, of a collection in an element.
  case changedInnerID
  /// The first child on the way that is not there has this number; they are counted from the outside in, from one.
  case missing(Int)

  @inlinable
  var didRun: Bool {
    switch self {
    case .ran, .changedID, .changedInnerID: true
    case .passedOver, .notMeant, .missing: false
    }
  }

  /// Whether the child is there, if there has to be one.
  var isReached: Bool {
    switch self {
    case .ran, .passedOver, .changedID, .changedInnerID: true
    case .notMeant, .missing: false
    }
  }

  /// The same, seen from what holds a child that is there.
  @inlinable
  var insideChild: RunOutcome {
    if case .missing(let number) = self { .missing(number &+ 1) } else { self }
  }

  /// The same, seen from a collection whose element is there that the action names.
  var insideElement: RunOutcome {
    switch self {
    case .notMeant: .passedOver
    case .changedID: .changedInnerID
    default: insideChild
    }
  }

  /// What the commit has to know of it beside that a reducer ran.
  var flags: CommitFlags {
    switch self {
    case .changedID: .changedID
    case .changedInnerID: .changedInnerID
    default: []
    }
  }
}

/// The way to the child that a case reduces, and the ids on it in an action.
struct ChildWay: Sendable {
  let way: Way
  let ids: @Sendable (_ action: StateAddress) -> [AnyID]

  /// The way on to the child inside of one, where there is one.
  init(
    _ way: Way, then inner: ChildWay?, actionAt offset: Int = 0,
    id: (@Sendable (_ action: StateAddress) -> AnyID)? = nil
  ) {
    self.way = inner.map { way.appending($0.way) } ?? way
    ids = { action in
      (id.map { [$0(action)] } ?? []) + (inner?.ids(action.advanced(by: offset)) ?? [])
    }
  }

  /// The same way for actions that hold those of this one so many bytes behind their start.
  func behind(_ distance: Int) -> ChildWay { ChildWay(.whole, then: self, actionAt: distance) }

  /// The same way for wide actions, of which a prism extracts those of this one.
  func extracting<Wide, Narrow>(_ prism: Prism<Wide, Narrow>) -> ChildWay {
    ChildWay(way) { [ids] action in
      prism.extract(action.read(Wide.self)).map {
        StateAddress.reading($0, as: Narrow.self, ids)
      } ?? []
    }
  }

  private init(_ way: Way, _ ids: @escaping @Sendable (_ action: StateAddress) -> [AnyID]) {
    (self.way, self.ids) = (way, ids)
  }
}

/// What all that handle an action know of the children that it is for: decides what is worth a warning.
struct ChildSearch: Sendable {
  /// Whether something takes the action, or passes over it though its child is there.
  private(set) var isReached = false
  private var places: [ChildPlace] = []
  private var parts: [String] = []

  /// Adds what one of them knows, whose children are in the part with a name, the child with a number in a `place`.
  mutating func add(
    _ outcome: RunOutcome, in part: @autoclosure () -> String, _ place: (Int) -> ChildPlace
  ) {
    if outcome.isReached { isReached = true }
    guard case .missing(let number) = outcome else { return }
    places.append(place(number))
    let name = part()
    if !parts.contains(name) { parts.append(name) }
  }

  mutating func noteReached() { isReached = true }

  /// Whether the action is for no child of theirs.
  var isEmpty: Bool { !isReached && places.isEmpty }

  /// What is missing: nothing, where the child is there for one of them.
  var missing: (places: [ChildPlace], parts: [String])? {
    isReached || places.isEmpty ? nil : (places, parts)
  }
}
