extension StoreCore {
  /// Attaches listeners; nil when the store has gone, or all owners that they belong to.
  func attach(_ attachment: Attachment) -> UInt64? {
    var attachment = attachment
    var work = AfterCommit()
    var installations: [Unretained<AfterCommitCell>] = []
    let id = withLock(attachment.purpose) { protected -> UInt64? in
      if protected.table.isClosed { return nil }
      if !attachment.epochs.isEmpty {
        attachment.epochs.removeAll { protected.table.epoch(of: $0.slot) != $0 }
        if attachment.epochs.isEmpty { return nil }
      }
      let id = add(attachment, &protected)
      let revision = protected.table.revision
      for listener in attachment.listeners { listener.onAttach?(revision, state) }
      invalidateRoutes(&protected, into: &work)
      for listener in attachment.listeners where listener.startsAtOnce {
        if let installation = announceInstallation(of: listener, &protected) {
          installations.append(installation)
        }
      }
      return id
    }
    perform(work)
    for installation in installations { perform(installation) }
    if id != nil { for listener in attachment.listeners { listener.didAttach?() } }
    return id
  }

  /// Adds listeners under the lock; whoever calls it invalidates the routes.
  func add(_ attachment: Attachment, _ protected: inout Protected) -> UInt64 {
    assertLocked()
    let id = protected.table.makeID()
    let table = protected.table
    protected.listeners.add(attachment, id: id) { table.interest(in: $0) }
    return id
  }

  /// Notifies a listener of the state in which it was attached, before any commit.
  private func announceInstallation(
    of listener: CommitListener, _ protected: inout Protected
  ) -> Unretained<AfterCommitCell>? {
    let record = CommitRecord(
      state: state, actions: .none, site: nil, cause: .replacement,
      revision: protected.table.revision, isHandled: false,
      touched: TouchedParts([], protected.ownership), isInstallation: true)
    let work = makeWork(.effect("that was installed"), under: .root, &protected)
    let report = protected.witness.makeReport(state, of: record, to: nil, previous: nil)
    var decisions = CommitDecisions(
      state, at: CommitPlace(revision: record.revision, member: -1), record.cause, of: report,
      under: work)
    let alone = ActionListeners([listener])
    // An installation ends nothing, and what it begins is decided by whoever delivers it.
    alone.decide(&decisions, of: nil)
    protected.log.add(decisions.backlogs)
    updateRecording(&protected)
    var listeners = NotifiedListeners()
    listeners.add(ofParts: alone)
    report.setListeners(
      PendingListeners(
        early: ListenerTable.noListeners, decisions: decisions.later, late: listeners, work: work))
    return protected.table.announce(slots: [], flags: [], notification: report)
  }

  /// Detaches listeners, and stops what they started.
  func detach(_ id: UInt64) {
    var work = AfterCommit()
    let removed = withLock("detached a listener of commits") { protected -> Detached? in
      guard let removed = protected.listeners.remove(id) else { return nil }
      invalidateRoutes(&protected, into: &work)
      return close([removed])
    }
    perform(work)
    if let removed { finishDetaching(removed) }
  }

  /// Attachments that were removed, and can commit nothing more.
  struct Detached: Sendable {
    let attachments: [Attachment]
    /// Their jobs, which are yet to be dropped.
    let jobs: [WorkNode]
    /// What may run a user's `deinit`.
    let trash: [RevokedWork]
  }

  /// Closes attachments that were removed, under the lock: no commit of what they started begins once the lock
  /// is released, whichever of several calls that end them returns first.
  func close(_ attachments: [Attachment]) -> Detached {
    assertLocked()
    let jobs = attachments.flatMap { $0.close() }
    return Detached(
      attachments: attachments, jobs: jobs, trash: WorkNode.revokeCommits(of: jobs, in: self))
  }

  /// Lets listeners begin nothing more; what they started goes on.
  func retire(_ id: UInt64) {
    var work = AfterCommit()
    let retired = withLock("retired an effect") { protected -> Attachment? in
      let retired = protected.listeners.retire(id)
      if retired != nil { invalidateRoutes(&protected, into: &work) }
      return retired
    }
    perform(work)
    retired?.retire()
  }

  /// Stops what detached listeners started, and then calls their `onRemove`.
  func finishDetaching(_ detached: Detached) {
    drop(detached.jobs)
    finishDetaching(detached.attachments)
  }

  /// Stops what is no job of detached listeners, and then calls their `onRemove`.
  func finishDetaching(_ attachments: [Attachment]) {
    for attachment in attachments { attachment.stop() }
    for attachment in attachments { attachment.onRemove() }
  }

  /// The present ownership of the sub-states of the owners with these identities; nil if all of them have gone.
  ///
  /// What belongs to no owner has none that could go.
  func epochs(of identities: [UInt64]) -> [OwnershipEpoch]? {
    if identities.isEmpty { return [] }
    let identities = Set(identities)
    let epochs = withLock("registered a mutator") { protected in
      protected.owners.filter { !identities.isDisjoint(with: $0.identities) }
        .map { protected.table.epoch(of: $0.slot) }
    }
    return epochs.isEmpty ? nil : epochs
  }

  /// Has the changes of later commits know the way back to the store.
  ///
  /// Not all of them do: a weak reference makes each count of the references to the core cost more.
  func makeHome() {
    let home = StoreHome(self)
    withLock("installed an effect") { protected in
      if protected.home == nil { protected.home = home }
    }
  }

  /// Invalidates the routes, which are made anew when they are needed.
  func invalidateRoutes(_ protected: inout Protected, into work: inout AfterCommit) {
    assertLocked()
    if protected.router.isEmpty { return }
    protected.table.deferRelease(protected.router.clear(), into: &work)
    protected.table.invalidateRoutes(into: &work)
    protected.listeners.invalidateRoutes()
  }
}
