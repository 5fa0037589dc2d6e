// The children that actions are for, looked for where a commit is watched for warnings, or might be reported.

extension Route {
  /// What the reducers know of the children that an action is for; `name` names a sub-state.
  func search(for action: StateAddress, _ name: (_ slot: Int) -> String) -> ChildSearch {
    var search = ChildSearch()
    if needsNoChild { search.add(.isThere, in: "") }
    for child in children {
      let handler = handler(child.handler)
      handler.noteRunning()
      search.add(child.finder.find(handler.part, action), in: name(handler.slot))
    }
    return search
  }

  /// Looks whether two elements have an identity that an action names; only in what was reduced in a commit, if one is
  /// given.
  ///
  /// - Complexity: O(*n*) in the number of elements of the collections that were touched.
  func lookForDoubled(
    by action: StateAddress, in revision: UInt64? = nil, into search: inout ChildSearch,
    _ name: (_ slot: Int) -> String
  ) {
    for child in children where child.finder.canBeDoubled {
      let handler = handler(child.handler)
      if let revision, handler.lastRun != revision { continue }
      handler.noteRunning()
      search.add(child.finder.find(handler.part, action), in: name(handler.slot))
    }
  }
}
