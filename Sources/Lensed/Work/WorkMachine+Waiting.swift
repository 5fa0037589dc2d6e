extension WorkMachine {
  /// Adds a wait.
  ///
  /// - Returns: The outcome, if there is nothing to wait for; the wait is not added then.
  mutating func wait(_ waiter: Waiter, _ id: UInt64, for extent: WorkExtent) -> WorkOutcome? {
    if cancellation == .abandoned || isOver(extent) {
      isErrorSeen = true
      return outcome
    }
    waits[id] = (extent, waiter)
    return nil
  }

  /// Removes a wait, and returns its waiter.
  mutating func endWait(_ id: UInt64) -> Waiter? {
    defer { waits[id] = nil }
    return waits[id]?.waiter
  }

  /// Shortens a wait for everything: it then lasts until all that a cancellation reaches has ended.
  ///
  /// - Returns: The waiter, if the shortened wait is over already; it is removed then.
  mutating func narrowWait(_ id: UInt64) -> Waiter? {
    guard let wait = waits[id], wait.extent == .everything else { return nil }
    waits[id] = (.cancelled, wait.waiter)
    return isOver(.cancelled) ? endWait(id) : nil
  }

  /// Returns the error of the work's own actions, once, if no waiter has received it and none can come.
  mutating func takeUnseenError() -> (any Error)? {
    guard let error, !isErrorSeen, !hasHandle, !reportsCancellation, cancellation < .abandoned,
      waits.isEmpty
    else { return nil }
    isErrorSeen = true
    return error
  }
}
