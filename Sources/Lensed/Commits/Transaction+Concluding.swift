// The last step of a transaction: what the commit touched, and who is notified of it.

extension Transaction {
  /// Ends the commit: finds everything that is notified of it.
  ///
  /// - Returns: What is left to do; nil where that is nothing.
  mutating func conclude(
    _ request: CommitRequest, _ protected: inout StoreCore.Protected
  ) -> CommitConclusion? {
    let isReduced = flags.contains(.handled)
    if !isReduced { protected.table.noteUnhandled() }
    let all = isReduced ? flags.union(protected.table.flags).subtracting(.recorded) : []
    if protected.listeners.isEmpty && protected.unproved.isEmpty && !all.needsNotification
      && !replacesAll
    {
      return nil
    }
    return conclude(request, all, isReduced: isReduced, &protected)
  }

  private mutating func conclude(
    _ request: CommitRequest, _ all: CommitFlags, isReduced: Bool,
    _ protected: inout StoreCore.Protected
  ) -> CommitConclusion {
    var conclusion = CommitConclusion()
    (conclusion.kind, protected.table.deliveryKind) = (kind, kind)
    defer { protected.table.deliveryKind = .ordinary }
    if !protected.unproved.isEmpty {
      let unproved = protected.takeUnproved(
        touchedBy: revision, on: routes, in: core.state)
      if !unproved.isEmpty { conclusion.unproved = Boxed(unproved) }
    }
    if protected.listeners.hasGuards {
      let revision = revision
      let guards = protected.listeners.guards { protected.table.newest($0) == revision }
      let gone = stopGone(guards, by: request)
      if !gone.isEmpty {
        conclusion.gone = Boxed(gone)
        protected.placeholders = protected.placeholders?.filter { !$0.hasGone() }
      }
    }
    let isNotified =
      !protected.listeners.isEmpty
      && notifyListeners(of: request, all, isReduced: isReduced, &protected, &conclusion)
    if isNotified { return conclusion }
    // Kept in vain, it may be the last to hold a part of the old state.
    if let previous = previous.take() { conclusion.trash.append(previous) }
    if all.needsNotification || replacesAll {
      conclusion.afterCommit = announce(request, all, nil, &protected)
    }
    return conclusion
  }

  /// Stops what belongs to children that the commit dismissed.
  private func stopGone(_ guards: [any ChildGuard], by request: CommitRequest) -> GoneChildren {
    var gone = GoneChildren()
    if guards.isEmpty { return gone }
    let names = ElementNames(depth: namedDepth, actions: request.actions.members)
    for guardian in guards { guardian.stopGone(in: core.state, by: names, into: &gone) }
    return gone
  }

  /// Lets recorders record the commit and listeners decide, and finds those that are notified of it later.
  ///
  /// - Returns: Whether it has notified readers and observers of the commit with them.
  private mutating func notifyListeners(
    of request: CommitRequest, _ all: CommitFlags, isReduced: Bool,
    _ protected: inout StoreCore.Protected, _ conclusion: inout CommitConclusion
  ) -> Bool {
    // What is under way has to learn of a replacement, also of that in a replay.
    if protected.listeners.dependOnParts && !(request.isReplay && request.cause == .action) {
      let revision = revision
      let touched = protected.listeners.touched(onRoute: routes.only) {
        protected.table.newest($0) == revision
      }
      if !touched.isEmpty { listeners.add(ofParts: ActionListeners(touched)) }
    }
    let early =
      request.isReplay ? ListenerTable.noListeners : protected.listeners.everyCommit
    let isNotified = !(early.listeners.isEmpty && listeners.isEmpty)
    if !isNotified && protected.listeners.recorders.isEmpty { return false }
    let record = makeRecord(of: request, isReduced: isReduced, &protected)
    for recorder in protected.listeners.recorders {
      if let dropped = recorder.record(record) { conclusion.trash.append(dropped) }
    }
    conclusion.recorders = protected.listeners.recorders
    if !isNotified { return false }
    // Behind the recording: what they begin to record begins with the next commit.
    if request.parent.node == nil && early.listeners.isEmpty, let starter = listeners.soleStarter {
      beginJob(by: starter, of: request, record, &protected, &conclusion)
      return false
    }
    return decide(request, record, early, all, &protected, &conclusion)
  }

  /// Makes the work of the dispatch the one job that the commit starts.
  private mutating func beginJob(
    by starter: any JobStarter, of request: CommitRequest, _ record: borrowing CommitRecord,
    _ protected: inout StoreCore.Protected, _ conclusion: inout CommitConclusion
  ) {
    // Its queue keeps it alive from now on.
    core.workCount.add()
    let work = WorkNode(
      WorkLabel(request), in: core, queue: starter.queue,
      hasClaim: true, isCounted: true, origin: CommitPlace(revision: revision, member: 0))
    let report = protected.witness.makeReport(
      core.state, of: record, to: nil, previous: previous.take())
    var decisions = CommitDecisions(
      core.state, at: CommitPlace(revision: revision, member: 0), request.cause, of: report,
      under: nil)
    conclusion.work = work
    if starter.admit(work, for: report, into: &decisions) {
      (conclusion.starter, conclusion.report) = (starter, report)
    }
    conclusion.take(decisions.jobs)
  }

  /// Lets the listeners decide, and gathers those that are notified of the commit later.
  ///
  /// - Returns: Whether there are any, so that observers and readers are notified with them.
  private mutating func decide(
    _ request: CommitRequest, _ record: borrowing CommitRecord, _ early: ActionListeners,
    _ all: CommitFlags, _ protected: inout StoreCore.Protected,
    _ conclusion: inout CommitConclusion
  ) -> Bool {
    let (begin, areNotified) = (listeners.begin, listeners.areNotified)
    if begin || areNotified {
      conclusion.work = core.makeWork(
        WorkLabel(request), under: request.parent,
        setOffBy: revision, &protected)
    }
    var report: (any CommitReport)?
    if begin || areNotified || !early.listeners.isEmpty {
      report = protected.witness.makeReport(
        core.state, of: record, to: nil, previous: previous.take())
    }
    var decisions = CommitDecisions(
      core.state, at: CommitPlace(revision: revision, member: -1), request.cause, of: report,
      under: conclusion.work)
    listeners.decide(&decisions, record.actions)
    conclusion.take(decisions.jobs)
    guard let report, areNotified || !early.listeners.isEmpty || !decisions.later.isEmpty else {
      conclusion.endsClaim = conclusion.work != nil
      return false
    }
    report.setListeners(
      PendingListeners(
        early: early, decisions: decisions.later,
        late: exchange(&listeners, with: NotifiedListeners()), work: conclusion.work))
    // Where only listeners are notified and no thread delivers, this thread does, and nothing is queued.
    if !all.needsNotification && !replacesAll && core.baton.claimIfIdle() {
      conclusion.report = report
    } else {
      conclusion.afterCommit = announce(request, all, report, &protected)
    }
    return true
  }

  /// How many collections deep the commit touched nothing but the elements that its actions name.
  private var namedDepth: Int { routes.isEmpty || namesDoubled ? 0 : elementDepth }

  private func makeRecord(
    of request: CommitRequest, isReduced: Bool, _ protected: inout StoreCore.Protected
  ) -> CommitRecord {
    let touched = candidates(request, &protected).filter(namesDoubled: namesDoubled) { slot in
      protected.table.slotRecord(slot).value.revision == revision
    }
    var record = CommitRecord(
      state: core.state, actions: request.actions, site: request.site, cause: request.cause,
      revision: revision,
      isHandled: request.cause == .replacement
        ? request.recorded?.value.isHandled ?? false : isReduced || listeners.handleActions,
      touched: touched, elementDepth: namedDepth,
      home: protected.home)
    record.reaction = reaction
    (record.parent, record.isReplayed) = (reaction?.revision, request.isReplay)
    if let work = request.parent.node {
      record.source = work.waitLabel
      if work.cause > 0 { record.parent = work.cause }
    }
    if !protected.listeners.recorders.isEmpty || protected.listeners.everyCommit.listeners.count > 0
    {
      record.time = core.clock.elapsed
    }
    if let recorded = request.recorded {
      record.recorded = recorded
      (record.parent, record.time) = (recorded.value.parent, recorded.value.time)
    }
    record.placeholders = protected.placeholders
    record.leavesSettled = request.cause == .placeholder || request.isRestoring
    return record
  }

  private func announce(
    _ request: CommitRequest, _ flags: CommitFlags, _ notification: (any CommitNotification)?,
    _ protected: inout StoreCore.Protected
  ) -> Unretained<AfterCommitCell>? {
    if replacesAll {
      return protected.table.announceReplacement(notification: notification)
    }
    let route = routes.only
    // What is delivered by way of the cache has no mark, by which to know what observers dispatch meanwhile.
    if notification == nil, let route, flags == [.handled, .observed],
      kind == .ordinary, protected.listeners.recorders.isEmpty,
      let work = protected.table.captureForCachedAudience(ofRoute: route)
    {
      return work
    }
    return protected.table.announce(
      slots: candidates(request, &protected).slots, route: route, flags: flags,
      notification: notification)
  }

  /// The parts that the reducers own which were run.
  private func candidates(
    _ request: CommitRequest, _ protected: inout StoreCore.Protected
  ) -> TouchedParts {
    if case .result(let epoch, _, _, _) = request.content {
      return TouchedParts([epoch.slot], protected.ownership)
    }
    if !replacedSlots.isEmpty { return TouchedParts(replacedSlots, protected.ownership) }
    if let only = routes.only { return protected.router.route(only).lend(\.touched) }
    var slots: Set<Int> = []
    routes.forEach { index in
      slots.formUnion(protected.router.route(index).lend(\.slots))
    }
    return TouchedParts(slots.sorted(), protected.ownership)
  }
}
