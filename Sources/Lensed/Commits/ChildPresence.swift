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

extension ActionListeners {
  /// What is missing for an action, if all of the listeners are in children, and none of these is there.
  func missing(
    for action: any Action, in state: StateAddress
  ) -> (children: [MissingChild], parts: [String])? {
    var (children, parts): ([MissingChild], [String]) = ([], [])
    for listener in listeners {
      switch listener.findChild?(state, action) ?? .isThere {
      case .notMeant: continue
      case .isThere: return nil
      case .isMissing(let child, let part):
        children.append(child)
        if !parts.contains(part) { parts.append(part) }
      }
    }
    return children.isEmpty ? nil : (children, parts)
  }
}
