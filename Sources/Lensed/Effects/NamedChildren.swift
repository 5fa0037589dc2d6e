// The children that the actions of a commit name.
//
// An action may give its element another id. Then the element with the id in the action is not there after the
// commit, and one may have come, or been replaced, that no action names.

extension ChildPath {
  /// The ids of the children that the actions of a commit name, if its reducers touched only the elements on the way to
  /// these; nil if they may have touched any.
  func namedChildren(of report: any CommitReport) -> [[AnyID]]? {
    if depth == 0 || report.isInstallation || report.elementDepth < depth { return nil }
    var found: [[AnyID]] = []
    for action in report.members {
      let ids = ActionRoute.inner(of: action, through: steps)?.ids
      guard let ids, ids.count == depth else { return nil }
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
