/// Whether the child is there that an action is for, as a listener in children knows it.
enum ChildPresence: Sendable {
  /// The action is not for its children.
  case notMeant
  case isThere
  /// A child on the way is missing, in the part of the state with a name.
  case isMissing(MissingChild, in: String)

  /// Looks whether a child is there.
  init(_ missing: MissingChild?, in container: Footprint) {
    self = missing.map { .isMissing($0, in: container.name) } ?? .isThere
  }
}
