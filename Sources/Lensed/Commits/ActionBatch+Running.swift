extension ActionBatch {
  /// Runs the reducers of a route for one action after another.
  ///
  /// - Returns: The flags of all that.
  func run(_ route: Route, _ revision: UInt64) -> CommitFlags {
    if count == 1 { return route.run(first, revision) }
    if route.canRunInBulk { return route.runAll(first, count: count, stride: stride, revision) }
    return takeTurns(route, revision)
  }

  private func takeTurns(_ route: Route, _ revision: UInt64) -> CommitFlags {
    var (action, flags) = (first, CommitFlags())
    for _ in 0..<count {
      flags.formUnion(route.run(action, revision))
      action = action.advanced(by: stride)
    }
    return flags
  }

  /// One of the actions, as a batch of its own.
  func single(_ number: Int) -> ActionBatch {
    ActionBatch(type, first.advanced(by: number * stride))
  }

  /// Whether the actions stand for others, which are routed by their own types.
  var isList: Bool { Routability(of: type) == .list }
}
