/// One commit on the slow path, from the moment its lock is taken to the moment it is released.
///
/// It is made of three steps, in one critical section: *prepare* checks that the commit is wanted and keeps
/// the state before it for listeners that need it; *reduce* runs reducers, or writes; *conclude* numbers the
/// commit's findings and gathers its notifications. Nothing of a user's runs in between but reducers and
/// lenses.
struct Transaction: ~Copyable {
  private let core: StoreCore
  private let request: CommitRequest
  private let revision: UInt64
  /// The state before, where a listener needs it.
  private var previous: (any AnyObject & Sendable)?
  private var listeners = NotifiedListeners()
  private var flags = CommitFlags()
  /// Whether all of the state was replaced.
  private var replacesAll = false
  /// The sub-states that were replaced, if a part of the state was.
  private var replacedSlots: [Int] = []
  /// The numbers of the routes that were run, each once.
  private var routes = InlineList<Int>()
  /// Whether all reducers that were run touch elements alone which the actions name.
  private var isElementwise = true

  /// Prepares the commit; nil where it is not to be made.
  init?(
    _ request: CommitRequest, in core: StoreCore, _ protected: inout StoreCore.Protected
  ) {
    if protected.table.isClosed || !request.mayCommit { return nil }
    if case .result(let epoch, let origin, let hasGone, _) = request.content,
      protected.table.lastReplacement(of: epoch.slot) > origin
        || protected.table.epoch(of: epoch.slot) != epoch || hasGone()
    {
      return nil
    }
    switch request.content {
    case .replacement(let choose, _), .partReplacement(_, let choose, _):
      if !choose() { return nil }
    case .batch, .list, .result: break
    }
    self.core = core
    self.request = request
    revision = protected.table.revision + 1
    if !protected.listeners.isEmpty { prepareListeners(&protected) }
  }

  private mutating func prepareListeners(_ protected: inout StoreCore.Protected) {
    for recorder in protected.listeners.recorders { recorder.prepare?(core.state) }
    if !request.isReplay { findListeners(&protected) }
    if request.isFocused { requireReduced(protected) }
    let isNeeded =
      listeners.needPrevious || protected.listeners.everyCommit.needPrevious
      || protected.listeners.partsNeedPrevious
    if isNeeded { previous = protected.witness.snapshot(core.state) }
  }

  /// Finds the listeners of the actions.
  private mutating func findListeners(_ protected: inout StoreCore.Protected) {
    switch request.content {
    case .batch(let batch):
      let index = core.routeIndex(of: batch.type, &protected)
      let found = protected.listeners.listeners(ofRoute: index)
      if found.listeners.isEmpty { return }
      if !batch.isArray { return listeners.add(found, of: .all) }
      for member in batch.members() { listeners.add(found, of: .member(member)) }
    case .list(let actions):
      for action in actions {
        let index = core.routeIndex(of: type(of: action), &protected)
        listeners.add(protected.listeners.listeners(ofRoute: index), of: .member(action))
      }
    case .result, .replacement, .partReplacement: break
    }
  }

  /// Traps when an action whose result the caller reads would be queued.
  private func requireReduced(_ protected: borrowing StoreCore.Protected) {
    if !listeners.handleActions { return }
    let queued = (request.list ?? request.action.map { [$0] } ?? []).first { member in
      protected.router.index(of: ObjectIdentifier(type(of: member))).map {
        protected.listeners.listeners(ofRoute: $0).handleActions
      } ?? false
    }
    let site = request.site.map { " at \($0)" } ?? ""
    fatalError(
      """
      Lensed: `\(queued.map { type(of: $0) } ?? request.type)` was dispatched with focusingOn:\(site), \
      but an asynchronous reducer owns its sub-state, whose outcome is not there when dispatch returns. \
      Dispatch it without focusingOn:, wait for finish(), and read the state.
      """)
  }
}

// MARK: Reduce

extension Transaction {
  /// Runs the reducers, or writes the state; adds the warnings for the app's developer.
  mutating func reduce(
    _ protected: inout StoreCore.Protected, noting warnings: inout [StoreWarning]
  ) {
    protected.table.revision = revision
    switch request.content {
    case .batch(let batch): run(batch, &protected, &warnings)
    case .list(let actions):
      actions.lendEach { action in
        action._lend { run(Batch(action.exactType, $0.place), &protected, &warnings) }
      }
    case .result(let epoch, _, _, let write):
      write(core.state)
      let record = protected.table.record(epoch.slot)
      record.value.revision = revision
      flags = record.value.flags
      if flags.contains(.hasRows) {
        flags = protected.table.touchRows(of: [epoch.slot], flags)
      }
    case .replacement(_, let write):
      write(core.state)
      protected.table.replaced = revision
      replacesAll = true
    case .partReplacement(let part, _, let write):
      write(core.state)
      (replacedSlots, flags) = protected.table.noteReplacement(of: part)
      replacesAll = replacedSlots.isEmpty
    }
    core.running.value = RunningReducer()
  }

  private mutating func run(
    _ batch: Batch, _ protected: inout StoreCore.Protected, _ warnings: inout [StoreWarning]
  ) {
    let index = core.routeIndex(of: batch.type, &protected)
    let route = protected.router.route(index)
    if !routes.contains(index) {
      routes.append(index)
      isElementwise = isElementwise && route.lend(\.isElementwise)
    }
    core.running.value.route = route
    let found = route.lend { batch.run($0, revision) }
    flags.formUnion(found)
    if !found.contains(.handled) && core.warnings != nil && !request.isReplay {
      warnings += core.warnings(of: batch, onRoute: index, from: request.site, protected)
    }
  }
}

// MARK: Conclude

extension Transaction {
  /// Ends the commit: finds everything that is notified of it.
  consuming func conclude(_ protected: inout StoreCore.Protected) -> CommitConclusion {
    var conclusion = CommitConclusion()
    let isReduced = flags.contains(.handled)
    if !isReduced { protected.table.noteUnhandled() }
    let all = isReduced ? flags.union(protected.table.flags).subtracting(.recorded) : []
    if !protected.unproved.isEmpty {
      conclusion.unproved = protected.takeUnproved(touchedBy: revision, in: core.state)
    }
    if protected.listeners.hasGuards {
      protected.listeners.stopGone(in: core.state, into: &conclusion.gone) {
        protected.table.newest($0) == revision
      }
    }
    if protected.listeners.isEmpty {
      if replacesAll {
        conclusion.afterCommit = protected.table.announceReplacement(notification: nil)
      } else if all.needsNotification {
        conclusion.afterCommit = announce(all, nil, &protected)
      }
      return conclusion
    }
    notifyListeners(all, isReduced: isReduced, &protected, &conclusion)
    return conclusion
  }

  private consuming func notifyListeners(
    _ all: CommitFlags, isReduced: Bool, _ protected: inout StoreCore.Protected,
    _ conclusion: inout CommitConclusion
  ) {
    if protected.listeners.dependOnParts && !request.isReplay {
      let (table, revision) = (protected.table, revision)
      listeners.add(
        ActionListeners(protected.listeners.touched { table.newest($0) == revision }))
    }
    let early = protected.listeners.everyCommit
    let isNotified = !(early.listeners.isEmpty && listeners.isEmpty)
    let mustAnnounce = all.needsNotification || replacesAll
    if !isNotified && protected.listeners.recorders.isEmpty {
      // Kept in vain, it may be the last to hold a part of the old state.
      if let previous { conclusion.trash.append(previous) }
      if mustAnnounce { conclusion.afterCommit = announce(all, nil, &protected) }
      return
    }
    let record = CommitRecord(
      state: core.state, action: request.action, list: request.list, site: request.site,
      cause: request.cause, revision: revision,
      isHandled: request.cause != .replacement && (isReduced || listeners.handleActions),
      touched: touched(protected), isElementwise: !routes.isEmpty && isElementwise,
      home: protected.home)
    for recorder in protected.listeners.recorders {
      if let dropped = recorder.record(record) { conclusion.trash.append(dropped) }
    }
    conclusion.recorders = protected.listeners.recorders
    if !isNotified {
      if let previous { conclusion.trash.append(previous) }
      if mustAnnounce { conclusion.afterCommit = announce(all, nil, &protected) }
      return
    }
    // Behind the recording: what they begin to record begins with the next commit.
    listeners.admit(core.state, request.action)
    // Where only listeners are notified and no thread delivers, this thread does, and nothing is queued.
    let isDeliverer = !mustAnnounce && core.baton.claimIfIdle()
    let isSoleJob =
      request.parent.isRoot && early.listeners.isEmpty && listeners.soleStarter != nil
    let work = makeWork(isSoleJob: isSoleJob, isQueued: !isDeliverer, &protected)
    conclusion.work = work
    if isDeliverer && isSoleJob {
      conclusion.starter = listeners.soleStarter
      conclusion.report = protected.witness.report(
        core.state, of: consume record, to: nil, previous: previous)
      return
    }
    let pending = PendingListeners(
      early: early, late: listeners, work: work, isSoleJob: isSoleJob)
    let report = protected.witness.report(
      core.state, of: consume record, to: pending, previous: previous)
    if isDeliverer {
      conclusion.report = report
    } else {
      conclusion.afterCommit = announce(all, report, &protected)
    }
  }

  private func makeWork(
    isSoleJob: Bool, isQueued: Bool, _ protected: inout StoreCore.Protected
  ) -> WorkNode? {
    if listeners.isEmpty { return nil }
    let label = WorkLabel.dispatch(request.type, request.site ?? CallSite())
    if isSoleJob && !isQueued {
      // Its queue keeps it alive from now on.
      core.workCount.add()
      return WorkNode(
        label, in: core, queue: listeners.soleQueue, hasClaim: true, isCounted: true)
    }
    return core.work(
      label, under: request.parent, in: isSoleJob ? listeners.soleQueue : nil, &protected)
  }

  private func announce(
    _ flags: CommitFlags, _ notification: (any CommitNotification)?,
    _ protected: inout StoreCore.Protected
  ) -> Unretained<AfterCommitCell>? {
    if replacesAll {
      return protected.table.announceReplacement(notification: notification)
    }
    let route = routes.only
    if notification == nil, let route, flags == [.handled, .observed],
      let work = protected.table.captureForCachedAudience(ofRoute: route)
    {
      return work
    }
    return protected.table.announce(
      slots: candidates(protected).slots, route: route, flags: flags,
      notification: notification)
  }

  /// The parts that the reducers own which were run.
  private func candidates(_ protected: borrowing StoreCore.Protected) -> TouchedParts {
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

  /// The parts that were touched.
  private func touched(_ protected: borrowing StoreCore.Protected) -> TouchedParts {
    let candidates = candidates(protected)
    return candidates.narrowed(to: protected.table.touched(candidates.slots, by: revision))
  }
}
