internal import Synchronization

extension StoreCore {
  /// Ends streams, releases observers, cancels tasks.
  @usableFromInline
  func close() {
    hasClosed.store(true, ordering: .releasing)
    var afterCommit = AfterCommit()
    let (works, attachments) = withLock("let go of the last reference to the store") { protected in
      let waits = protected.settling.removeAll()
      protected.table.close(into: &afterCommit)
      protected.table.retire(protected.router.clear(), into: &afterCommit)
      protected.table.forgetRoutes(into: &afterCommit)
      afterCommit.trash.append(exchange(&protected.owners, with: []))
      return (
        exchange(&protected.works, with: SlotMap()).members + waits,
        protected.listeners.removeAll()
      )
    }
    for work in works { work.abandon() }
    dismiss(attachments)
    finish(afterCommit)
  }
}
