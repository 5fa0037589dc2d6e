extension WorkMachine {
  /// Whether no more commits of the work's own are to begin.
  var isCancelled: Bool { cancellation > .none }

  /// Cancels the work, unless it was cancelled as far, or has finished.
  ///
  /// - Parameters:
  ///   - wanted: How far the cancellation goes.
  ///   - isSilent: Whether the work gives way to another, so that its waiters throw nothing.
  /// - Returns: The children, some of which the cancellation may reach; nil when it changed nothing.
  mutating func cancel(_ wanted: Cancellation, isSilent: Bool = false) -> [Link]? {
    if isFinished || cancellation >= wanted { return nil }
    cancellation = wanted
    if !isSilent { reportsCancellation = true }
    return links.values
  }

  /// Whether the cancellation of this work reaches a child further than the child was cancelled.
  func isYetToCancel(_ child: Child, _ own: Cancellation) -> Bool {
    guard let link = links[ObjectIdentifier(child)] else { return false }
    return cancellation.reaches(link.relation) && own < cancellation
  }

  /// Notes that the store has gone.
  ///
  /// - Returns: All waiters; their waits are over.
  mutating func abandon() -> [Waiter] {
    cancellation = .abandoned
    reportsCancellation = true
    return waits.removeAll { _ in true }.map(\.waiter).all
  }
}
