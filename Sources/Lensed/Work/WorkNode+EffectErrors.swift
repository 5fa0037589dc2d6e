extension WorkNode {
  /// The first error that an effect in the tree threw and did not catch.
  var effectError: (any Error)? { state.withLock { $0.effectError } }

  /// Notes an error that the work's code threw, for callers that wait for the work or for one that contains it.
  ///
  /// The code has yet to end, so its works are all in the tree.
  func noteEffectError(_ error: any Error) {
    var next: WorkNode? = self
    while let work = next {
      next = work.state.withLock { state in
        if state.effectError == nil { state.effectError = error }
        return state.parent
      }
    }
  }
}
