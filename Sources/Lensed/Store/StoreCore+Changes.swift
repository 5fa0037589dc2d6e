extension StoreCore {
  /// Adds a feed; nil when the store has gone.
  ///
  /// `begin` is lent the state, and given the last commit, in the same critical section.
  func install(
    _ hook: FeedHook, onClose: @escaping @Sendable () -> Void,
    begin: (_ revision: UInt64, _ state: Place) -> Void = { _, _ in }
  ) -> UInt64? {
    withGuts("read the changes of the store") { guts in
      if guts.table.isClosed { return nil }
      begin(guts.table.revision, state)
      let id = guts.table.makeID()
      guts.feeds[id] = (hook, onClose)
      return id
    }
  }

  func removeFeed(_ id: UInt64) {
    let removed = withGuts("stopped reading the changes of the store") { guts in
      guts.feeds.removeValue(forKey: id)?.hook
    }
    _ = removed
  }

  /// Keeps, before a commit, what somebody wants to see after it; under the lock.
  func prepare(_ occasion: Occasion, _ guts: inout Guts) -> (any AnyObject & Sendable)? {
    assertLocked()
    for feed in guts.feeds.values { feed.hook.prepare(state) }
    if guts.listeners.isEmpty { return nil }
    for member in occasion.members { _ = route(of: Swift.type(of: member), &guts) }
    if occasion.isFocused { requireReduced(occasion, guts) }
    let isWanted =
      guts.listeners.everything.contains(where: \.needsPrevious)
      || guts.listeners.partsNeedPrevious
      || occasion.members.contains { member in
        guts.router.hearers(of: Swift.type(of: member))?.needPrevious ?? false
      }
    return isWanted ? guts.type.keep(state) : nil
  }

  /// Traps when an action whose outcome is waited for would be queued.
  private func requireReduced(_ occasion: Occasion, _ guts: Guts) {
    let queued = occasion.members.first { member in
      guts.router.hearers(of: Swift.type(of: member))?.haveHandler ?? false
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
    _ occasion: Occasion, touching reach: Reach, isHandled: Bool,
    previous: (any AnyObject & Sendable)?, _ guts: inout Guts, into aftermath: inout Aftermath
  ) -> CommitNews? {
    assertLocked()
    if guts.feeds.isEmpty && guts.listeners.isEmpty { return nil }
    let late = hearings(of: occasion, guts)
    let revision = guts.table.revision
    let record = CommitRecord(
      state: state, action: occasion.action, list: occasion.members, site: occasion.site,
      cause: occasion.cause, revision: revision,
      isHandled: isHandled || late.haveHandler,
      reach: reach.narrowed(to: guts.table.touched(reach.slots, by: revision)))
    for feed in guts.feeds.values {
      if let dropped = feed.hook.record(record) { aftermath.trash.append(dropped) }
      aftermath.wake.append(feed.hook.signal)
    }
    let early = guts.listeners.everything
    if early.isEmpty && late.isEmpty { return nil }
    let work = late.isEmpty ? nil : work(for: occasion, &guts)
    let report = guts.type.keep(state, of: record, previous: previous)
    return CommitNews(report, early: early, late: late, work: work)
  }

  private func hearings(of occasion: Occasion, _ guts: Guts) -> CommitNews.Hearings {
    var late = CommitNews.Hearings()
    if occasion.isReplay || guts.listeners.isEmpty { return late }
    for member in occasion.members {
      guard let hearers = guts.router.hearers(of: Swift.type(of: member)) else { continue }
      late.add(hearers, hearOf: .member(member))
    }
    if !guts.listeners.hearsOfParts { return late }
    let revision = guts.table.revision
    late.add(Hearers(guts.listeners.touched { guts.table.newest($0) == revision }))
    return late
  }
}

extension StoreCore {
  /// Adds listeners; nil when the store has gone.
  func attach(_ attachment: Attachment) -> UInt64? {
    var aftermath = Aftermath()
    let id = withGuts("installed an effect") { guts -> UInt64? in
      if guts.table.isClosed { return nil }
      if let tenure = attachment.tenure, guts.table.tenure(of: tenure.slot) != tenure {
        return nil
      }
      let id = guts.table.makeID()
      guts.listeners.add(attachment, id: id)
      for listener in attachment.listeners { listener.begin?(state) }
      redraw(&guts, into: &aftermath)
      return id
    }
    finish(aftermath)
    if id != nil { for listener in attachment.listeners { listener.didBegin?() } }
    return id
  }

  /// Adds somebody to be asked before each action, as the last.
  func add(_ gate: ActionGate) {
    gates.withLock { $0.append(gate) }
    withGuts("attached middleware") { $0.isGated = true }
  }

  /// Removes listeners.
  func detach(_ id: UInt64) {
    var aftermath = Aftermath()
    let removed = withGuts("removed an effect") { guts -> Attachment? in
      let removed = guts.listeners.remove(id)
      if removed != nil { redraw(&guts, into: &aftermath) }
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
  func tenure(of footprint: Footprint) -> Tenure? {
    withGuts("registered a mutator") { guts in
      let owner = guts.owners.first { $0.footprint == footprint }
      return owner.map { guts.table.tenure(of: $0.slot) }
    }
  }

  /// Forgets the routes, and draws the interests of the listeners anew.
  func redraw(_ guts: inout Guts, into aftermath: inout Aftermath) {
    assertLocked()
    guts.table.retire(guts.router.clear(), into: &aftermath)
    let table = guts.table
    guts.listeners.redraw { table.interest(in: $0) }
  }
}
