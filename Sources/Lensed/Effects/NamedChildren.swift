// The children that the actions of a commit name.
//
// An action may give its element another id. Then the element with the id in the action is not there after the
// commit, and one may have come, or been replaced, that no action names.

extension ChildPath {
  /// The ids of the children that the actions of a commit name, if its reducers touched only the elements on the way to
  /// these; nil if they may have touched any.
  func namedChildren(of report: any CommitReport) -> [[AnyID]]? {
    if report.isInstallation || report.elementDepth < depth { return nil }
    return namedChildren(by: ElementNames(depth: report.elementDepth, actions: report.members))
  }

  /// The same while the commit is being made.
  func namedChildren(by names: ElementNames) -> [[AnyID]]? {
    if depth == 0 || names.depth < depth { return nil }
    var found: [[AnyID]] = []
    for action in names.actions {
      let ids = ActionRoute.ids(of: action, through: steps)
      if ids.count != depth { return nil }
      found.append(ids)
    }
    return found
  }

  /// Whether the elements on the way to a child are there, each once, whatever is in them.
  func hasElements(_ root: StateAddress, _ ids: [AnyID]) -> Bool {
    switch presence(root, ids[...]) {
    case .isThere: true
    case .isMissing(let place): !place.isElement
    case .notMeant, .isDoubled: false
    }
  }
}
