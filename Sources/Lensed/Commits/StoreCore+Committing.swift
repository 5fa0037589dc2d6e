// How a commit is made:
//
// 1. *Fast path* (`StoreCore+FastPath`): takes most dispatches of one action. What it cannot take comes here, with the lock
//    held and nothing done.
// 2. *Slow path* (`commit`): under the lock it asks whether the commit may be made: the store is open, its work was not
//    stopped, its child is there, no replay is delivered. It asks whether something is missing: coverage, routes, middleware
//    (`missingPreparation`). Then it makes one `Transaction`.
// 3. *Afterwards* (`perform`), without the lock: starts and stops runs, wakes readers, delivers the commit.
//
// Replacements, undo, replays and the results of asynchronous reducers are requests of the slow path.

extension StoreCore {
  enum Attempt {
    /// The commit was made, or is not to be made.
    case over(DispatchTask)
    /// Nothing was done: the actions have to be prepared, and judged by middleware.
    case unprepared(Missing)

    var revision: UInt64? {
      if case .over(let task) = self { task.revision } else { nil }
    }
  }

  struct Missing {
    let judges: MiddlewareJudges
    let isCovered: Bool
    /// Whether every action has a route, and so stands for no others.
    var isRouted = false
  }

  /// Makes a commit, in one turn at the lock, and notifies all that are concerned.
  ///
  /// `read` is lent the state in the same critical section, after the commit. If `isLocked`, the fast path has taken
  /// the lock already; in any case it is released when this returns.
  func commit(
    _ request: CommitRequest, isLocked: Bool = false,
    reading read: (StateAddress) -> Void = { _ in }
  ) -> Attempt {
    if !isLocked { takeLock(request.intrusion) }
    if let obstacle = lendHeldLock({ obstacle(to: request, &$0) }) {
      if request.isFocused, case .isInReplay = obstacle { read(state) }
      lock.unlock()
      return giveUp(request, because: obstacle)
    }
    var found: [StoreWarning] = []
    let attempt = commitLocked(request, noting: &found, reading: read)
    if !found.isEmpty { report(found, of: request) }
    return attempt
  }

  @inline(never)
  private func report(_ found: [StoreWarning], of request: CommitRequest) {
    for warning in found { warnings?.report(warning.about(request, in: baton.mark.own)) }
  }

  /// Whether an observer dispatched it in the delivery of a replay: the session has what it came to.
  private func isInReplay(_ request: CommitRequest, _ protected: borrowing Protected) -> Bool {
    protected.table.replayCount > 0 && !request.isReplay && baton.mark.own?.kind == .replay
  }

  private enum Obstacle {
    case isClosed
    /// The work that it belongs to was stopped.
    case isStopped
    case isInReplay
    case absence(ScopedChild.Absence)
    case missing(Missing)
  }

  @inline(__always)
  private func obstacle(
    to request: CommitRequest, _ protected: inout Protected
  ) -> Obstacle? {
    if protected.table.isClosed { return .isClosed }
    if !request.mayCommit { return .isStopped }
    if isInReplay(request, protected) { return .isInReplay }
    if let absence = request.child?.obstacle(in: state) { return .absence(absence) }
    return missingPreparation(of: request, &protected).map { .missing($0) }
  }

  @inline(never)
  private func giveUp(_ request: CommitRequest, because obstacle: consuming Obstacle) -> Attempt {
    switch consume obstacle {
    case .isClosed: return .over(DispatchTask())
    case .isStopped: return .over(.refused)
    case .isInReplay:
      if warnings != nil, let action = request.whole {
        report([StoreWarning(.dispatchInReplay, action: action, at: request.site)], of: request)
      }
      return .over(.refused)
    case .absence(let absence):
      if warnings != nil, let action = request.whole,
        let warning = request.child?.warning(of: absence, for: action, from: request.site)
      {
        report([warning], of: request)
      }
      return .over(DispatchTask())
    case .missing(let missing): return .unprepared(missing)
    }
  }

  /// Makes a commit under the lock, releases that, and notifies all that are concerned.
  ///
  /// The warnings leave through an argument, and not in the conclusion. An array that was copied out of that was
  /// released with it when `perform` had consumed it, and then read: the address sanitizer shows it in release builds
  /// alone (Swift 6.3.1).
  @inline(never)
  private func commitLocked(
    _ request: CommitRequest, noting found: inout [StoreWarning],
    reading read: (StateAddress) -> Void
  ) -> Attempt {
    var commit: UInt64 = 0
    // Filled where it lies: moving it costs as much as all else that it is for.
    var conclusion = CommitConclusion()
    withHeldLock { protected in
      if !Transaction.isWanted(request, &protected) { return }
      var transaction = Transaction(core: self, revision: protected.table.revision + 1)
      transaction.prepare(request, &protected)
      transaction.reduce(request, &protected, noting: &found)
      commit = DispatchTask.word(of: transaction.revision, isHandled: transaction.isHandled)
      let isForChildren = !found.isEmpty && transaction.listeners.haveActionForChildren
      transaction.conclude(request, &protected, &conclusion)
      if isForChildren { completeWarnings(&found, protected) }
      updateRecording(&protected)
      read(state)
    }
    if conclusion.isEmpty {
      return .over(
        commit == 0 ? DispatchTask() : DispatchTask(nil, hasHandle: false, commit: commit))
    }
    let task = DispatchTask(conclusion.work, hasHandle: request.parent.isChild, commit: commit)
    perform(&conclusion)
    return .over(task)
  }

  @inline(__always)
  private func missingPreparation(
    of request: CommitRequest, _ protected: inout Protected
  ) -> Missing? {
    switch request.preparation {
    case .replayed:
      return nil
    case .judged(let version):
      // Middleware that was attached meanwhile has yet to be asked.
      return version == protected.listeners.judges.version
        ? nil : Missing(judges: protected.listeners.judges, isCovered: protected.isCovered)
    case .none:
      let isRouted: Bool
      switch request.content {
      case .batch(let batch): isRouted = self.isRouted(batch.type, &protected)
      case .list(let actions): isRouted = areRouted(actions, &protected)
      case .result, .replacement: return nil
      }
      if protected.listeners.judges.isEmpty && protected.isCovered && isRouted { return nil }
      return Missing(
        judges: protected.listeners.judges, isCovered: protected.isCovered, isRouted: isRouted)
    }
  }

  /// Does what a commit left to do, without the lock.
  private func perform(_ conclusion: inout CommitConclusion) {
    attack?()
    conclusion.proof?()
    if let gone = conclusion.gone { gone.value.perform() }
    // What the commit has begun starts before its observers are called.
    if let jobs = conclusion.jobs.take() { jobs.perform(attack) }
    if let starter = conclusion.starter.take(), let work = conclusion.work,
      let report = conclusion.report.take()
    {
      // Handed over rather than shared: another core counts the references as soon as the job runs.
      starter.startJob(as: work, for: consume report)
    }
    if conclusion.endsClaim { conclusion.work?.endClaim() }
    if let recorders = conclusion.recorders { for recorder in recorders { recorder.afterwards?() } }
    conclusion.awaited.forEach { $0.wake() }
    attack?()
    if let work = conclusion.afterCommit { perform(work) }
    guard let report = conclusion.report.take() else { return }
    deliver(report, of: report.revision, conclusion.kind, baton)
  }
}

// MARK: Replacing the state

extension StoreCore {
  /// Replaces the state by what `choose` returns in the same critical section; not, if that is nil.
  ///
  /// `recorded` is what the record says of a commit that is repeated, of which no middleware is notified.
  ///
  /// - Returns: The number of the commit; nil where none was made.
  @discardableResult
  func replaceState<State: Sendable>(
    choosing choose: () -> State?, replaying recorded: CommitCauses? = nil
  ) -> UInt64? {
    // The old state leaves in this variable, to be released without the lock.
    var replacement: State?
    var attempt: Attempt?
    withoutActuallyEscaping(choose) { choose in
      let content = CommitRequest.Content.replacement(
        of: nil,
        choose: {
          replacement = choose()
          return replacement != nil
        },
        write: { address in
          address.edit(State.self) { state in
            if let new = replacement.take() { replacement = exchange(&state, with: new) }
          }
        })
      var request = CommitRequest(content)
      if let recorded {
        (request.site, request.preparation) = (recorded.site, .replayed(as: Boxed(recorded)))
      }
      attempt = commit(request)
    }
    return attempt?.revision
  }

  /// Restores a part of the state, or all of it if that is nil, if `choose` returns true in the same critical section:
  /// an undo, a redo or a jump.
  ///
  /// What does not overlap the part is not touched: its observers are not notified, its asynchronous reducers go on.
  func restorePart(
    _ part: Footprint?, choosing choose: () -> Bool, _ write: (_ state: StateAddress) -> Void
  ) {
    withoutActuallyEscaping(choose) { choose in
      withoutActuallyEscaping(write) { write in
        var request = CommitRequest(.replacement(of: part, choose: choose, write: write))
        request.isJourney = true
        _ = commit(request)
      }
    }
  }

  /// Replays commits within `body`; meanwhile, and until they are delivered, observers can dispatch nothing.
  func replaying(_ body: () -> Void) {
    withLock("replayed a session") { $0.table.replayCount += 1 }
    body()
    let end = DeliveryProbe { self.withLock("replayed a session") { $0.table.replayCount -= 1 } }
    let (isQueued, delivery) = withLock("replayed a session") { protected in
      let queued = protected.table.notifyWhenDelivered(end)
      if !queued.isQueued { protected.table.replayCount -= 1 }
      return queued
    }
    if isQueued, let delivery { deliver(delivery) }
  }

  /// Applies actions that were applied before, as one commit: the reducers run, and nothing is started.
  ///
  /// `recorded` is what the record says of the commit, where there is one.
  ///
  /// - Returns: The number of the commit; nil where none was made.
  @discardableResult
  func replay(
    _ actions: [any Action], from site: CallSite?, as recorded: CommitCauses? = nil
  ) -> UInt64? {
    let whole = actions.count == 1 ? actions[0] : ActionList(actions)
    var request = CommitRequest(actions, as: whole, from: site)
    request.preparation = .replayed(as: recorded.map { Boxed($0) })
    proveCoverage(before: whole, at: site)
    return commit(request).revision
  }

  /// Commits the result of an asynchronous reducer, which `write` puts into the sub-state of `epoch`, in the child with
  /// some ids; returns whether.
  ///
  /// Not, if that has another owner by now, the state was replaced after the commit `origin`, or `isRefused` returns
  /// true, under the lock. `isRestoring` says that it puts back what stopped work had shown.
  func commitResult(
    of epoch: OwnershipEpoch, in child: (ids: [AnyID], depth: ElementDepth), after origin: UInt64,
    by work: WorkNode,
    isRestoring: Bool = false, _ placeholders: PlaceholderStep,
    unless isRefused: (_ table: inout ObserverTable) -> Bool,
    _ write: @escaping (_ state: StateAddress) -> Void
  ) -> Bool {
    withoutActuallyEscaping(isRefused) { isRefused in
      var isCommitted = false
      var request = CommitRequest(
        .result(
          of: epoch, in: child, after: origin, unless: isRefused,
          write: { state in
            write(state)
            isCommitted = true
          }))
      (request.parent, request.isRestoring) = (.part(of: work), isRestoring)
      request.placeholders = placeholders
      _ = commit(request)
      return isCommitted
    }
  }
}

extension WorkLabel {
  init(_ request: CommitRequest) {
    switch request.cause {
    case .action:
      // What was dispatched knows where; a place in here would tell a user nothing.
      self = request.site.map { .dispatch(request.type, $0) } ?? .commit("a dispatch")
    case .asyncResult: self = .commit("the outcome of an asynchronous reducer")
    case .placeholder: self = .commit("the placeholder of an asynchronous reducer")
    case .replacement: self = .commit("a replacement of the state")
    }
  }
}
