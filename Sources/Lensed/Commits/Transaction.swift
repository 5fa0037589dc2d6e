/// One commit on the slow path, from the moment its lock is taken to the moment it is released.
///
/// It is made of three steps, in one critical section: *prepare* checks that the commit is wanted and keeps
/// the state before it for listeners that need it; *reduce* runs reducers, or writes; *conclude* numbers the
/// commit's findings and gathers its notifications. No code of a user's runs in between but reducers, lenses, functions
/// that are read like a lens (`matching:`, `per:`, `tied(to:by:)`), and `==` and `hash` of ids and keys.
struct Transaction: ~Copyable {
  /// It lives as long as its lock is held: a commit does not count it.
  private let core: Unretained<StoreCore>
  private let state: StateAddress
  let revision: UInt64
  var previous: (any AnyObject & Sendable)?
  var listeners = NotifiedListeners()
  var flags = CommitFlags()
  var replacesAll = false
  /// The sub-states that were replaced, if a part of the state was; nil is cheaper to release than what is empty.
  private var replacedSlots: [Int]?
  /// The numbers of the routes that were run, each once.
  var routes = InlineList<Int>()
  /// How many collections deep all that was run touches nothing but the elements that the actions name.
  var elementDepth = ElementDepth.unlimited
  /// The commit in whose delivery an observer has dispatched it, or what has ended the run whose end it tells; where
  /// listeners are attached or changes are read.
  private(set) var reaction: DeliveredCommit?
  private(set) var kind = DeliveryKind.ordinary

  /// Whether a reducer ran, or an asynchronous one has queued the action.
  var isHandled: Bool { flags.contains(.handled) || listeners.handleActions }

  /// Whether a commit is to be made: not always of an asynchronous reducer's result, and of a replacement.
  ///
  /// It mutates nothing: what is only borrowed would be copied to the stack, 800 bytes.
  static func isWanted(
    _ request: CommitRequest, _ protected: inout StoreCore.Protected
  ) -> Bool {
    switch request.content {
    case .batch, .list: true
    case .result(let epoch, _, let origin, let isRefused, _):
      protected.table.lastReplacement(of: epoch.slot) <= origin
        && protected.table.epoch(of: epoch.slot) == epoch && !isRefused(&protected.table)
    case .replacement(_, let choose, _): choose()
    }
  }

  init(core: StoreCore, revision: UInt64) {
    (self.core, state, self.revision) = (Unretained(core), core.state, revision)
  }

  /// Finds the listeners of the commit, and keeps the state before it where one of them needs it.
  mutating func prepare(_ request: CommitRequest, _ protected: inout StoreCore.Protected) {
    let isHeard = protected.isHeard
    if request.isReplay || request.isJourney {
      kind = request.isReplay ? .replay : .journey
    } else if isHeard {
      // What is told in a delivery comes of what has ended the run, and not of the commit that is delivered.
      reaction = request.parent.maker?.toldJourney ?? core.lend { $0.baton.mark.own }
      kind = reaction?.kind.ofReaction ?? .ordinary
    }
    if isHeard { prepareListeners(of: request, &protected) }
  }

  private mutating func prepareListeners(
    of request: CommitRequest, _ protected: inout StoreCore.Protected
  ) {
    if !protected.listeners.recorders.isEmpty {
      for recorder in protected.listeners.recorders { recorder.prepare?(state) }
    }
    protected.log.prepare(state, protected.witness)
    if protected.listeners.dependOnActions {
      findListeners(of: request, &protected)
    }
    if request.isFocused { requireReduced(request, protected) }
    let isNeeded =
      !listeners.isEmpty && listeners.needPrevious
      || protected.listeners.everyCommit.needPrevious || protected.listeners.partsNeedPrevious
    if isNeeded { previous = protected.witness.box(state) }
  }

  private mutating func findListeners(
    of request: CommitRequest, _ protected: inout StoreCore.Protected
  ) {
    switch request.content {
    case .batch(let batch):
      let index = core.lend { $0.routeIndex(of: batch.type, &protected) }
      let found = protected.listeners.listeners(ofRoute: index, inReplay: request.isReplay)
      if found.listeners.isEmpty { return }
      if !batch.isArray { return listeners.add(found) }
      for index in 0..<batch.count { listeners.add(found, ofMember: index) }
    case .list(let actions):
      for (place, action) in actions.enumerated() {
        let index = core.lend { $0.routeIndex(of: type(of: action), &protected) }
        listeners.add(
          protected.listeners.listeners(ofRoute: index, inReplay: request.isReplay),
          ofMember: place)
      }
    case .result, .replacement: break
    }
  }

  /// Traps when an action whose result the caller reads would be queued.
  private func requireReduced(
    _ request: CommitRequest, _ protected: borrowing StoreCore.Protected
  ) {
    if !listeners.handleActions { return }
    let queued = request.actions.members.first { member in
      protected.router.index(of: ObjectIdentifier(type(of: member))).map {
        protected.listeners.listeners(ofRoute: $0).handleActions
      } ?? false
    }
    let site = request.site.map { " at \($0)" } ?? ""
    fatalError(
      """
      Lensed: \(code: queued.map { type(of: $0) } ?? request.type) was dispatched with focusingOn:\(site), \
      but an asynchronous reducer owns its sub-state, whose outcome is not there when dispatch returns. \
      Dispatch it without focusingOn:, wait for finish(), and read the state.
      """)
  }
}

// MARK: Reduce

extension Transaction {
  /// Runs the reducers, or writes the state; adds the warnings for the app's developer.
  mutating func reduce(
    _ request: CommitRequest, _ protected: inout StoreCore.Protected,
    noting warnings: inout [StoreWarning]
  ) {
    protected.table.revision = revision
    switch request.content {
    case .batch(let batch): run(batch, of: request, &protected, &warnings)
    case .list(let actions):
      actions.lendRuns { run($0, of: request, &protected, &warnings) }
    case .result(let epoch, let child, _, _, let write):
      write(state)
      (flags, elementDepth) = (protected.table.noteWrite(of: epoch.slot), child.depth)
      request.placeholders.apply(to: &protected.placeholders)
    case .replacement(let part, _, let write):
      write(state)
      let (slots, found) = protected.table.noteReplacement(of: part)
      (flags, replacesAll, elementDepth) = (found, slots.isEmpty, .none)
      if !replacesAll { replacedSlots = slots }
      if !protected.placeholders.isEmpty {
        // What is under way for a replaced part commits nothing more.
        protected.placeholders.removeAll { replacesAll || slots.contains($0.epoch.slot) }
      }
    }
    core.lend { $0.running.value = RunningReducer() }
  }

  private mutating func run(
    _ members: ActionRun, of request: CommitRequest, _ protected: inout StoreCore.Protected,
    _ warnings: inout [StoreWarning]
  ) {
    let (index, route) = selectRoute(members.type, &protected)
    if route.lend(\.takesRuns) {
      let batch = ActionBatch(
        members.type, members.first, count: members.count, stride: ActionRun.stride)
      return run(batch, on: index, route, of: request, &protected, &warnings)
    }
    members.lendEach { action in
      run(ActionBatch(members.type, action), on: index, route, of: request, &protected, &warnings)
    }
  }

  private mutating func run(
    _ batch: ActionBatch, of request: CommitRequest, _ protected: inout StoreCore.Protected,
    _ warnings: inout [StoreWarning]
  ) {
    let (index, route) = selectRoute(batch.type, &protected)
    run(batch, on: index, route, of: request, &protected, &warnings)
  }

  private mutating func selectRoute(
    _ type: any Action.Type, _ protected: inout StoreCore.Protected
  ) -> (index: Int, route: Unretained<Route>) {
    let index = core.lend { $0.routeIndex(of: type, &protected) }
    let route = protected.router.route(index)
    if routes.isEmpty {
      (routes, elementDepth) = (.one(index), route.lend(\.elementDepth))
    } else if !routes.contains(index) {
      routes.append(index)
      elementDepth = elementDepth.common(with: route.lend(\.elementDepth))
    }
    core.lend { $0.running.value.route = route }
    return (index, route)
  }

  private mutating func run(
    _ batch: ActionBatch, on index: Int, _ route: Unretained<Route>, of request: CommitRequest,
    _ protected: inout StoreCore.Protected, _ warnings: inout [StoreWarning]
  ) {
    let isWatched = core.lend { $0.warnings != nil } && !request.isReplay
    // What can run in bulk always runs, and is for no child.
    if !isWatched || route.lend(\.canRunInBulk) {
      return flags.formUnion(route.lend { batch.run($0, revision) })
    }
    // Each action is judged by its own run.
    for number in 0..<batch.count {
      let action = batch.single(number)
      let found = route.lend { action.run($0, revision) }
      flags.formUnion(found)
      core.lend { core in
        core.noteWarnings(
          of: action, found, onRoute: index, from: request.site,
          mayMiss: request.parent.maker?.isTeller ?? false, &protected, &warnings)
      }
    }
  }
}

// MARK: Concluding

extension Transaction {
  /// Ends the commit: finds everything that is notified of it, and adds what is left to do.
  mutating func conclude(
    _ request: CommitRequest, _ protected: inout StoreCore.Protected,
    _ conclusion: inout CommitConclusion
  ) {
    let isReduced = flags.contains(.handled)
    if !isReduced { protected.table.noteUnhandled() }
    let all =
      isReduced ? flags.withoutIDs.union(protected.table.flags).subtracting(.recorded) : []
    if !protected.isHeard && protected.unproved.isEmpty && !all.needsNotification && !replacesAll {
      return
    }
    conclude(request, all, isReduced: isReduced, &protected, &conclusion)
  }

  private mutating func conclude(
    _ request: CommitRequest, _ all: CommitFlags, isReduced: Bool,
    _ protected: inout StoreCore.Protected, _ conclusion: inout CommitConclusion
  ) {
    (conclusion.kind, protected.table.deliveryKind) = (kind, kind)
    defer { protected.table.deliveryKind = .ordinary }
    if !protected.unproved.isEmpty {
      conclusion.proof = protected.takeUnproved(touchedBy: revision, on: routes, in: state)
    }
    if protected.listeners.hasGuards {
      let revision = revision
      let guards = protected.listeners.guards { protected.table.newest($0) == revision }
      let gone = stopGone(guards, by: request)
      if !gone.isEmpty {
        core.lend { core in
          for job in gone.ended { core.registerWork(job, &protected) }
        }
        conclusion.gone = Boxed(gone)
        protected.placeholders.removeAll { $0.hasGone() }
      }
    }
    let isNotified =
      protected.isHeard
      && notifyListeners(of: request, all, isReduced: isReduced, &protected, &conclusion)
    if isNotified { return }
    // Kept in vain, it may be the last to hold a part of the old state.
    if let previous = previous.take() { conclusion.trash.append(previous) }
    if all.needsNotification || replacesAll {
      conclusion.afterCommit = announce(request, all, nil, &protected)
    }
  }

  private func stopGone(_ guards: [any ChildGuard], by request: CommitRequest) -> JobDecisions {
    var gone = JobDecisions(ender: kind.ender)
    if guards.isEmpty { return gone }
    let (actions, depth) = (request.actions, namedDepth)
    for guardian in guards {
      guardian.stopGone(in: state, after: revision, by: actions, depth: depth, into: &gone)
    }
    return gone
  }

  /// Lets recorders record the commit and listeners decide, and finds those that are notified of it later; returns
  /// whether readers and observers were notified with them.
  private mutating func notifyListeners(
    of request: CommitRequest, _ all: CommitFlags, isReduced: Bool,
    _ protected: inout StoreCore.Protected, _ conclusion: inout CommitConclusion
  ) -> Bool {
    if protected.listeners.dependOnParts {
      let revision = revision
      let touched = protected.listeners.touched(onRoute: routes.only) {
        protected.table.newest($0) == revision
      }
      if !touched.isEmpty { listeners.add(ofParts: ActionListeners(touched)) }
    }
    let isForEvery = !request.isReplay && !protected.listeners.everyCommit.listeners.isEmpty
    let isNotified = isForEvery || !listeners.isEmpty
    let isLogged = !protected.log.isEmpty && protected.log.admit(noting: &conclusion.trash)
    let isRecorded = !protected.listeners.recorders.isEmpty
    if !isNotified && !isLogged && !isRecorded { return false }
    let record = makeRecord(of: request, isReduced: isReduced, &protected)
    if isRecorded {
      for recorder in protected.listeners.recorders {
        if let dropped = recorder.record(record) { conclusion.trash.append(dropped) }
      }
      conclusion.recorders = protected.listeners.recorders
    }
    if !isNotified {
      if isLogged {
        conclusion.awaited = protected.log.record(
          consume record, protected.witness, noting: &conclusion.trash)
      }
      return false
    }
    if isLogged {
      conclusion.awaited = protected.log.record(
        record, protected.witness, noting: &conclusion.trash)
    }
    // Behind the recording: what they begin to record begins with the next commit.
    if listeners.isEmpty {
      let report = protected.witness.makeReport(
        state, of: consume record, previous: previous.take())
      report.setListeners(.ofEveryCommit(protected.listeners.everyCommit))
      notify(report, of: request, all, &protected, &conclusion)
      return true
    }
    if !isForEvery && request.parent.node == nil, let starter = listeners.soleStarter {
      beginJob(by: starter, of: request, consume record, &protected, &conclusion)
      return false
    }
    return decide(
      request, consume record, isForEvery ? protected.listeners.everyCommit : nil, all, &protected,
      &conclusion)
  }

  /// Makes the work of the dispatch the one job that the commit starts.
  private mutating func beginJob(
    by starter: any JobStarter, of request: CommitRequest, _ record: consuming CommitRecord,
    _ protected: inout StoreCore.Protected, _ conclusion: inout CommitConclusion
  ) {
    // Its queue keeps it alive from now on.
    let (revision, label) = (revision, WorkLabel(request))
    let work = core.lend { core in
      core.workCount.add()
      return WorkNode(
        label, in: core, queue: starter.queue,
        hasClaim: true, isCounted: true, origin: CommitPlace(revision: revision, member: 0))
    }
    let report = protected.witness.makeReport(
      state, of: consume record, previous: previous.take())
    var decisions = CommitDecisions(
      state, at: CommitPlace(revision: revision, member: 0), request.cause, of: report,
      under: nil)
    conclusion.work = work
    if starter.admit(work, for: report, into: &decisions) {
      (conclusion.starter, conclusion.report) = (starter, report)
    } else {
      // It may be the last to hold a part of the old state.
      conclusion.trash.append(report)
    }
    conclusion.take(decisions.jobs)
  }

  /// Lets the listeners decide, and gathers those that are notified of the commit later; returns whether there are any,
  /// so that observers and readers are notified with them.
  private mutating func decide(
    _ request: CommitRequest, _ record: consuming CommitRecord, _ early: ActionListeners?,
    _ all: CommitFlags, _ protected: inout StoreCore.Protected,
    _ conclusion: inout CommitConclusion
  ) -> Bool {
    let (begin, areNotified) = (listeners.begin, listeners.areNotified)
    if begin || areNotified {
      let (revision, label, parent) = (revision, WorkLabel(request), request.parent)
      conclusion.work = core.lend {
        $0.makeWork(label, under: parent, setOffBy: revision, &protected)
      }
    }
    let (actions, depth) = (record.actions, record.elementDepth)
    var report: (any CommitReport)?
    if begin || areNotified || early != nil {
      report = protected.witness.makeReport(
        state, of: consume record, previous: previous.take())
    }
    var place = CommitPlace(revision: revision, member: -1)
    if case .member = request.parent { place.isOfMembers = true }
    var decisions = CommitDecisions(
      state, at: place, request.cause, of: report, under: conclusion.work, by: kind.ender)
    decisions.named = (actions, depth)
    listeners.decide(&decisions, actions)
    if !decisions.backlogs.isEmpty { protected.log.add(decisions.backlogs) }
    conclusion.take(decisions.jobs)
    guard let report, areNotified || early != nil || !decisions.later.isEmpty else {
      // It may be the last to hold a part of the old state.
      if let report { conclusion.trash.append(report) }
      conclusion.endsClaim = conclusion.work != nil
      return false
    }
    report.setListeners(
      .all(
        early: early ?? ListenerTable.noListeners, decisions: decisions.later,
        late: exchange(&listeners, with: NotifiedListeners()), work: conclusion.work))
    notify(report, of: request, all, &protected, &conclusion)
    return true
  }

  /// Has listeners notified of the commit with its observers and readers.
  private func notify(
    _ report: any CommitReport, of request: CommitRequest, _ all: CommitFlags,
    _ protected: inout StoreCore.Protected, _ conclusion: inout CommitConclusion
  ) {
    // Where only listeners are notified and no thread delivers, this thread does, and nothing is queued.
    if !all.needsNotification && !replacesAll && core.lend({ $0.baton.claimIfIdle() }) {
      conclusion.report = report
    } else {
      conclusion.afterCommit = announce(request, all, report, &protected)
    }
  }

  /// How many collections deep the commit touched nothing but the elements that its actions name, or its result is in.
  private var namedDepth: ElementDepth {
    if flags.contains(.changedID) { return .none }
    return flags.contains(.changedInnerID) ? elementDepth.upTo(1) : elementDepth
  }

  private func makeRecord(
    of request: CommitRequest, isReduced: Bool, _ protected: inout StoreCore.Protected
  ) -> CommitRecord {
    let changesID = flags.contains(.changedID)
    let touched = candidates(request, &protected).filter(changesID: changesID) { slot in
      protected.table.slotRecord(slot).value.revision == revision
    }
    let cause = request.cause
    let isTimed = protected.isRecorded || !protected.listeners.everyCommit.listeners.isEmpty
    // In one piece: what is set later releases what was there.
    var record = CommitRecord(
      state: state, actions: request.actions, site: request.site, cause: cause,
      revision: revision,
      isHandled: cause == .replacement
        ? request.recorded?.value.isHandled ?? false : isReduced || listeners.handleActions,
      touched: touched, elementDepth: namedDepth, placeholders: protected.placeholders,
      parent: reaction?.revision, time: isTimed ? core.lend { $0.clock.elapsed } : nil,
      reaction: reaction, leavesSettled: cause == .placeholder || request.isRestoring,
      home: protected.home)
    if request.hasKnownCauses { record.noteCauses(of: request) }
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
      kind == .ordinary, !protected.isRecorded,
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
    if let only = routes.only { return protected.router.route(only).lend(\.touched) }
    if case .result(let epoch, _, _, _, _) = request.content {
      return TouchedParts([epoch.slot], protected.ownership)
    }
    if let replacedSlots { return TouchedParts(replacedSlots, protected.ownership) }
    var slots: Set<Int> = []
    routes.forEach { index in
      slots.formUnion(protected.router.route(index).lend(\.slots))
    }
    return TouchedParts(slots.sorted(), protected.ownership)
  }
}

// MARK: What it concludes

/// What a commit leaves to do once the lock is released.
struct CommitConclusion: ~Copyable, Sendable {
  /// The work that the commit's listeners start, if any.
  var work: WorkNode?
  /// Whether its claim ends once what was decided is done: no listener is notified later.
  var endsClaim = false
  var jobs: JobDecisions?
  var afterCommit: Unretained<AfterCommitCell>?
  /// The commit that this thread notifies listeners of, because it is the deliverer; or that `starter` is given.
  var report: (any CommitReport)?
  var kind = DeliveryKind.ordinary
  /// Starts the one job of that commit, where no other listener is notified.
  var starter: (any JobStarter)?
  var recorders: [CommitRecorder]?
  var awaited = InlineList<ChangeBuffer>.none
  /// What may run a user's `deinit`.
  var trash = InlineList<any AnyObject & Sendable>.none
  /// The ends of what belonged to children that the commit dismissed: they come first.
  var gone: Boxed<JobDecisions>?
  /// Proves of children that were first reduced that their properties have owners.
  var proof: (@Sendable () -> Void)?

  var isEmpty: Bool {
    work == nil && jobs == nil && afterCommit == nil && report == nil && recorders == nil
      && awaited.isEmpty && trash.isEmpty && gone == nil && proof == nil
  }

  mutating func take(_ decided: JobDecisions) {
    if !decided.isEmpty { jobs = decided }
  }
}

// MARK: What came of it

/// How an attempt on the fast path ended; of numbers rather than an enum, so that the usual outcome is one comparison.
@usableFromInline
struct CommitOutcome: Sendable, Equatable {
  /// Nothing was done, and the lock is still held: the commit goes on on the slow path.
  @inlinable
  static var needsSlowPath: CommitOutcome { CommitOutcome(bits: 1) }
  /// Nothing was done: the thread holds the lock already.
  @inlinable
  static var intruded: CommitOutcome { CommitOutcome(bits: 2) }
  /// Nothing was done: the work that the commit belongs to was stopped.
  @inlinable
  static var stopped: CommitOutcome { CommitOutcome(bits: 3) }

  /// One of the above, or the address of the post-commit work; zero if nothing is left to do.
  @usableFromInline
  let bits: UInt
  /// The number of the commit; zero if none was made.
  @usableFromInline
  let revision: UInt64

  @inlinable
  init(bits: UInt) {
    (self.bits, revision) = (bits, 0)
  }

  /// The commit was made, and nothing is left to do.
  @inlinable
  init(done revision: UInt64) {
    (bits, self.revision) = (0, revision)
  }

  /// The commit was made, and leaves post-commit work, if any.
  init(_ work: Unretained<AfterCommitCell>?, of revision: UInt64) {
    (bits, self.revision) = (work?.bits ?? 0, revision)
  }

  @inlinable
  static func == (first: CommitOutcome, second: CommitOutcome) -> Bool {
    first.bits == second.bits
  }

  @inlinable
  var isDone: Bool { bits == 0 }

  var afterCommit: Unretained<AfterCommitCell>? {
    bits > 3 ? Unretained(bits: bits) : nil
  }
}
