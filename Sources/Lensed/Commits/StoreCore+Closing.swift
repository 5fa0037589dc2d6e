internal import Synchronization

extension StoreCore {
  /// Ends streams, releases observers, cancels tasks.
  func close() {
    hasClosed.store(true, ordering: .releasing)
    var afterCommit = AfterCommit()
    var queued: [WorkNode] = []
    let (works, attachments) = withLock("let go of the last reference to the store") { protected in
      if warnings != nil { queued = protected.listeners.works }
      let waits = protected.settling.removeAll()
      protected.table.close(into: &afterCommit)
      protected.table.deferRelease(protected.router.clear(), into: &afterCommit)
      protected.table.invalidateRoutes(into: &afterCommit)
      // All that holds owners, and with them what their reducers have captured.
      afterCommit.trash.append(exchange(&protected.owners, with: []))
      afterCommit.trash.append(exchange(&protected.unproved, with: []))
      afterCommit.trash.append(exchange(&protected.ownership, with: .empty))
      afterCommit.trash.append(exchange(&protected.footprints, with: OwnerIndex()))
      afterCommit.trash.append(protected.memos.removeAll())
      return (
        exchange(&protected.works, with: SlotMap()).members + waits,
        protected.listeners.removeAll()
      )
    }
    let lost = queued.compactMap(\.lullWarning)
    for work in works { work.abandon() }
    // Nothing can wait for the jobs of a store that was released.
    for job in attachments.flatMap({ $0.close() }) { job.abandon() }
    finishDetaching(attachments)
    perform(afterCommit)
    for warning in lost { warnings?.report(warning) }
  }
}

extension WorkNode {
  /// The warning that the work was waiting for a lull, and never begins; nil if it did not wait for one.
  fileprivate var lullWarning: StoreWarning? {
    guard let queue = queue as? JobQueue, queue.holdsLulls, hasOwnCode, let name = label.effect
    else { return nil }
    var warning = StoreWarning(.lostEffect)
    warning.effect = name
    return warning.about(self)
  }
}
