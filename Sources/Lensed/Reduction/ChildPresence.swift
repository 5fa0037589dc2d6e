/// Whether the child is there that an action names, as one that handles the action knows it.
enum ChildPresence: Sendable {
  /// The action is not for its children: a prism on the way does not match, or a tag is another's.
  case notMeant
  /// The child is there, whether its reducer then takes the action or passes over it.
  case isThere
  /// The first child on the way that is not there.
  case isMissing(ChildPlace)
  /// Two elements of a collection on the way have the identity.
  case isDoubled(DoubledIdentity)

  /// The same, seen from what holds it.
  func inside(
    _ way: @autoclosure () -> Way, ids: @autoclosure () -> [AnyID] = []
  ) -> ChildPresence {
    switch self {
    case .notMeant, .isThere: self
    case .isMissing(let place): .isMissing(place.inside(way(), ids: ids()))
    case .isDoubled(let identity): .isDoubled(identity.inside(way(), ids: ids()))
    }
  }
}

/// An identity that two elements of a collection have.
struct DoubledIdentity: Sendable {
  let collection: ChildPlace
  let id: AnyID

  init(_ id: AnyID, in collection: ChildPlace = ChildPlace(.whole)) {
    (self.id, self.collection) = (id, collection)
  }

  /// The same, seen from what holds it.
  func inside(_ way: Way, ids: [AnyID] = []) -> DoubledIdentity {
    DoubledIdentity(id, in: collection.inside(way, ids: ids))
  }
}

/// Looks for the child that actions are for, under the lock: for warnings, and where two elements may have one id.
struct ChildFinder: Sendable {
  typealias Find = @Sendable (_ state: StateAddress, _ action: StateAddress) -> ChildPresence

  /// Whether the actions name an element of a collection.
  let namesElements: Bool
  /// Whether two elements of a collection on the way can have one identity.
  let canBeDoubled: Bool
  let find: Find

  init(
    namesElements: Bool = false, canBeDoubled: Bool = false, _ find: @escaping Find
  ) {
    (self.namesElements, self.canBeDoubled, self.find) = (namesElements, canBeDoubled, find)
  }

  /// The same for other states and actions.
  func mapped(_ change: (@escaping Find) -> Find) -> ChildFinder {
    ChildFinder(
      namesElements: namesElements, canBeDoubled: canBeDoubled, change(find))
  }
}

/// What all that handle an action know of the children that it is for: decides what is worth a warning.
struct ChildSearch: Sendable {
  /// Whether something takes the action, or passes over it though its child is there.
  private(set) var isReached = false
  private var places: [ChildPlace] = []
  private var parts: [String] = []
  /// The first identity on the way that occurs twice, and the part of the state in which.
  private(set) var doubled: DoubledIdentity?
  private(set) var doubledPart: String?

  /// Adds what one of them knows; `part` is the name of the part of the state that its children are in.
  mutating func add(_ presence: ChildPresence, in part: @autoclosure () -> String) {
    switch presence {
    case .notMeant: break
    case .isThere: isReached = true
    case .isDoubled(let identity):
      isReached = true
      if doubled == nil { (doubled, doubledPart) = (identity, part()) }
    case .isMissing(let place):
      places.append(place)
      let name = part()
      if !parts.contains(name) { parts.append(name) }
    }
  }

  /// Whether the action is for no child of theirs.
  var isEmpty: Bool { !isReached && places.isEmpty }

  /// What is missing: nothing, where the child is there for one of them.
  var missing: (places: [ChildPlace], parts: [String])? {
    isReached || places.isEmpty ? nil : (places, parts)
  }
}
