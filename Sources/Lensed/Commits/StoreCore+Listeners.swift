extension StoreCore {
  /// Attaches listeners; nil when the store, or the owner that they belong to, has gone.
  func attach(_ attachment: Attachment) -> UInt64? {
    var work = AfterCommit()
    let id = withLock(attachment.purpose) { protected -> UInt64? in
      if protected.table.isClosed { return nil }
      if let epoch = attachment.epoch, protected.table.epoch(of: epoch.slot) != epoch {
        return nil
      }
      let id = protected.table.makeID()
      let table = protected.table
      protected.listeners.add(attachment, id: id) { table.interest(in: $0) }
      let revision = protected.table.revision
      for listener in attachment.listeners { listener.onAttach?(revision, state) }
      forgetRoutes(&protected, into: &work)
      return id
    }
    finish(work)
    if id != nil { for listener in attachment.listeners { listener.didAttach?() } }
    return id
  }

  /// Detaches listeners, and stops what they started.
  func detach(_ id: UInt64) {
    var work = AfterCommit()
    let removed = withLock("detached a listener of commits") { protected -> Attachment? in
      let removed = protected.listeners.remove(id)
      if removed != nil { forgetRoutes(&protected, into: &work) }
      return removed
    }
    finish(work)
    if let removed { dismiss([removed]) }
  }

  /// Stops what detached listeners started, and then tells them so.
  func dismiss(_ attachments: [Attachment]) {
    for attachment in attachments { attachment.stop() }
    for attachment in attachments { attachment.onRemove() }
  }

  /// The present ownership of the sub-state that `footprint` covers, if it has an owner.
  func epoch(of footprint: Footprint) -> OwnershipEpoch? {
    withLock("registered a mutator") { protected in
      let owner = protected.owners.first { $0.footprint == footprint }
      return owner.map { protected.table.epoch(of: $0.slot) }
    }
  }

  /// Has the changes of later commits know the way back to the store.
  ///
  /// Not all of them do: a weak reference makes each count of the references to the core cost more.
  func makeHome() {
    let home = Boxed(StoreHome(self))
    withLock("installed an effect") { protected in
      if protected.home == nil { protected.home = home }
    }
  }

  /// Forgets the routes, which are made anew when they are needed.
  func forgetRoutes(_ protected: inout Protected, into work: inout AfterCommit) {
    assertLocked()
    if protected.router.isEmpty { return }
    protected.table.retire(protected.router.clear(), into: &work)
    protected.table.forgetRoutes(into: &work)
    protected.listeners.forgetRoutes()
  }
}
