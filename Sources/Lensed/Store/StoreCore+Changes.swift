extension StoreCore {
  /// Adds a feed; nil when the store has gone.
  ///
  /// `begin` is lent the state, and given the last commit, in the same critical section.
  func install(
    _ hook: FeedHook, onClose: @escaping @Sendable () -> Void,
    begin: (_ revision: UInt64, _ state: StateAddress) -> Void = { _, _ in }
  ) -> UInt64? {
    withLock("read the changes of the store") { protected in
      if protected.table.isClosed { return nil }
      begin(protected.table.revision, state)
      let id = protected.table.makeID()
      protected.feeds[id] = (hook, onClose)
      return id
    }
  }

  func removeFeed(_ id: UInt64) {
    let removed = withLock("stopped reading the changes of the store") { protected in
      protected.feeds.removeValue(forKey: id)?.hook
    }
    _ = removed
  }

  /// Keeps, before a commit, what somebody wants to see after it; under the lock.
  func prepare(_ occasion: CommitRequest, _ protected: inout Protected) -> (
    any AnyObject & Sendable
  )? {
    assertLocked()
    for feed in protected.feeds.values { feed.hook.prepare(state) }
    if protected.listeners.isEmpty { return nil }
    for member in occasion.members { _ = route(of: Swift.type(of: member), &protected) }
    if occasion.isFocused { requireReduced(occasion, protected) }
    let isWanted =
      protected.listeners.everything.contains(where: \.needsPrevious)
      || protected.listeners.partsNeedPrevious
      || occasion.members.contains { member in
        protected.router.hearers(of: Swift.type(of: member))?.needPrevious ?? false
      }
    return isWanted ? protected.type.keep(state) : nil
  }

  /// Traps when an action whose outcome is waited for would be queued.
  private func requireReduced(_ occasion: CommitRequest, _ protected: Protected) {
    let queued = occasion.members.first { member in
      protected.router.hearers(of: Swift.type(of: member))?.haveHandler ?? false
    }
    guard let queued else { return }
    let site = occasion.site.map { " at \($0)" } ?? ""
    fatalError(
      """
      Lensed: `\(Swift.type(of: queued))` was dispatched with focusingOn:\(site), but an asynchronous \
      reducer owns its sub-state, whose outcome is not there when dispatch returns. Dispatch it \
      without focusingOn:, wait for finish(), and read the state.
      """)
  }

  /// Gathers, after a commit, who hears of it beside the observers; under the lock.
  func tell(
    _ occasion: CommitRequest, touching reach: TouchedParts, isHandled: Bool,
    previous: (any AnyObject & Sendable)?, _ protected: inout Protected,
    into aftermath: inout AfterCommit
  ) -> PendingNotification? {
    assertLocked()
    if protected.feeds.isEmpty && protected.listeners.isEmpty { return nil }
    let late = hearings(of: occasion, protected)
    let revision = protected.table.revision
    let record = CommitRecord(
      state: state, action: occasion.action, list: occasion.members, site: occasion.site,
      cause: occasion.cause, revision: revision,
      isHandled: isHandled || late.haveHandler,
      reach: reach.narrowed(to: protected.table.touched(reach.slots, by: revision)))
    for feed in protected.feeds.values {
      if let dropped = feed.hook.record(record) { aftermath.trash.append(dropped) }
      aftermath.wake.append(feed.hook.signal)
    }
    let early = protected.listeners.everything
    if early.isEmpty && late.isEmpty { return nil }
    let work = late.isEmpty ? nil : work(for: occasion, &protected)
    let report = protected.type.keep(state, of: record, previous: previous)
    return PendingNotification(report, early: early, late: late, work: work)
  }

  private func hearings(of occasion: CommitRequest, _ protected: Protected)
    -> PendingNotification.Hearings
  {
    var late = PendingNotification.Hearings()
    if occasion.isReplay || protected.listeners.isEmpty { return late }
    for member in occasion.members {
      guard let hearers = protected.router.hearers(of: Swift.type(of: member)) else { continue }
      late.add(hearers, hearOf: .member(member))
    }
    if !protected.listeners.hearsOfParts { return late }
    let revision = protected.table.revision
    late.add(Hearers(protected.listeners.touched { protected.table.newest($0) == revision }))
    return late
  }
}

extension StoreCore {
  /// Adds listeners; nil when the store has gone.
  func attach(_ attachment: Attachment) -> UInt64? {
    var aftermath = AfterCommit()
    let id = withLock("installed an effect") { protected -> UInt64? in
      if protected.table.isClosed { return nil }
      if let tenure = attachment.tenure, protected.table.tenure(of: tenure.slot) != tenure {
        return nil
      }
      let id = protected.table.makeID()
      protected.listeners.add(attachment, id: id)
      for listener in attachment.listeners { listener.begin?(state) }
      redraw(&protected, into: &aftermath)
      return id
    }
    finish(aftermath)
    if id != nil { for listener in attachment.listeners { listener.didBegin?() } }
    return id
  }

  /// Adds somebody to be asked before each action, as the last.
  func add(_ gate: ErasedMiddleware) {
    gates.withLock { $0.append(gate) }
    withLock("attached middleware") { $0.hasMiddleware = true }
  }

  /// Removes listeners.
  func detach(_ id: UInt64) {
    var aftermath = AfterCommit()
    let removed = withLock("removed an effect") { protected -> Attachment? in
      let removed = protected.listeners.remove(id)
      if removed != nil { redraw(&protected, into: &aftermath) }
      return removed
    }
    finish(aftermath)
    if let removed { dismiss([removed]) }
  }

  /// Stops what attachments started that were removed, and then tells whoever wanted to know.
  func dismiss(_ attachments: [Attachment]) {
    for attachment in attachments { attachment.stop() }
    for attachment in attachments { attachment.onRemove() }
  }

  /// Who owns the sub-state that `footprint` covers, if it has an owner.
  func tenure(of footprint: Footprint) -> OwnershipEpoch? {
    withLock("registered a mutator") { protected in
      let owner = protected.owners.first { $0.footprint == footprint }
      return owner.map { protected.table.tenure(of: $0.slot) }
    }
  }

  /// Forgets the routes, and draws the interests of the listeners anew.
  func redraw(_ protected: inout Protected, into aftermath: inout AfterCommit) {
    assertLocked()
    protected.table.retire(protected.router.clear(), into: &aftermath)
    let table = protected.table
    protected.listeners.redraw { table.interest(in: $0) }
  }
}
