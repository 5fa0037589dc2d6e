extension Work {
  /// Keeps the caller's context for what this work sets off, if it has none yet.
  func keepContext() {
    if desk.withLock({ $0.context != nil }) { return }
    let context = DispatchContext()
    desk.withLock { $0.context = $0.context ?? context }
  }

  /// Keeps the context of what has set this work off.
  func keep(_ context: DispatchContext) {
    desk.withLock { $0.context = context }
  }

  /// Where it was dispatched, if it begins elsewhere.
  var context: DispatchContext? { desk.withLock { $0.context } }
}
