extension WorkNode {
  /// Keeps the caller's context for what this work sets off, if it has none yet.
  func keepContext() {
    if state.withLock({ $0.context != nil }) { return }
    let context = DispatchContext()
    state.withLock { $0.context = $0.context ?? context }
  }

  /// Keeps the context of what has set this work off.
  func keep(_ context: DispatchContext) {
    state.withLock { $0.context = context }
  }

  /// Where it was dispatched, if it begins elsewhere.
  var context: DispatchContext? { state.withLock { $0.context } }
}
