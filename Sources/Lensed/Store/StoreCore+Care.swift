// The way of the commits that somebody wants to see, to judge, or to go on with: it boxes the action.

extension StoreCore {
  /// Commits a batch that is the first of its type, or not a leaf, or that somebody wants to see.
  @inline(never)
  func commitWithCare(
    _ batch: Batch, from site: CallSite, isFocused: Bool = false,
    under lineage: CommitRequest.Parent = .root, read: (StateAddress) -> Void = { _ in }
  ) -> DispatchTask {
    let isLone = !batch.isArray && !isFocused
    let attempt = isLone ? commitHeard(batch, from: site, under: lineage) : .heeded
    if case .made(let task) = attempt { return task }
    let action = batch.boxed()
    let isLeaf =
      !(batch.type is any CompositeAction.Type || batch.type is any AsynchronousAction.Type)
    let gates = gates.withLock { $0 }
    guard isLeaf && gates.isEmpty else {
      return dispatch(
        list: action, past: gates, from: site, isFocused: isFocused, under: lineage, read: read)
    }
    if case .unknown = attempt {
      proveCoverage(before: action, at: site)
      let attempt = commitHeard(batch, from: site, under: lineage, isLeaf: true)
      if case .made(let task) = attempt { return task }
    }
    let members = batch.isArray ? (action as? any CompositeAction)?.members ?? [] : [action]
    let occasion = CommitRequest(
      action: action, members: members, site: site, lineage: lineage, isFocused: isFocused)
    let work = commit(occasion, read: read) { protected, revision in
      let (route, index) = self.route(of: batch.type, &protected)
      self.progress.value.route = route
      return (route.lend { batch.run($0, revision) }, protected.router.reach(index))
    }
    return DispatchTask(work, hasHandle: lineage.hasHandle)
  }

  /// Makes a commit, and tells whoever wants to see it.
  ///
  /// `perform` runs reducers, or replaces the state; it gives what that shows, and the sub-states that
  /// may have been touched. It is not run, and nothing is committed, unless `isWanted` says so.
  ///
  /// - Returns: What the commit has started, or may have.
  @discardableResult
  func commit(
    _ occasion: CommitRequest, read: (StateAddress) -> Void = { _ in },
    when isWanted: (Protected) -> Bool = { _ in true },
    perform: (inout Protected, UInt64) -> (CommitFlags, TouchedParts)
  ) -> WorkNode? {
    if let action = occasion.action { proveCoverage(before: action, at: occasion.site) }
    var aftermath = AfterCommit()
    let (notice, work) = withLock(occasion.intrusion) {
      protected -> (Unretained<AfterCommitCell>?, WorkNode?) in
      if protected.table.isClosed || !occasion.mayCommit { return (nil, nil) }
      if let origin = occasion.validFrom, protected.table.replaced > origin { return (nil, nil) }
      if !isWanted(protected) { return (nil, nil) }
      let previous = prepare(occasion, &protected)
      let revision = protected.table.revision + 1
      protected.table.revision = revision
      let (signs, reach) = perform(&protected, revision)
      progress.value = RunningReducer()
      let isHandled = signs.contains(.handled)
      if !isHandled { protected.table.missed() }
      let news = tell(
        occasion, touching: reach, isHandled: isHandled, previous: previous, &protected,
        into: &aftermath)
      // Kept in vain, when nobody is told: it may be the last that holds a part of the old state.
      if news == nil, let previous { aftermath.trash.append(previous) }
      let notice = announce(
        occasion, signs, reach, news, &protected, into: &aftermath)
      read(state)
      return (notice, news?.work)
    }
    finish(aftermath)
    if let notice { finish(notice) }
    return work
  }

  private func announce(
    _ occasion: CommitRequest, _ signs: CommitFlags, _ reach: TouchedParts,
    _ news: PendingNotification?,
    _ protected: inout Protected, into aftermath: inout AfterCommit
  ) -> Unretained<AfterCommitCell>? {
    if occasion.cause == .replacement {
      protected.table.announceReplacement(bulletin: news, into: &aftermath)
      return nil
    }
    // Which of the sub-states were touched is looked up, as by a commit that missed some.
    let all = signs.contains(.handled) ? signs.union(protected.table.signs).union(.missed) : []
    if !all.isHeard && news == nil { return nil }
    var audience: Audience?
    let notice = protected.table.announce(
      slots: reach.slots, showing: all, audience: &audience, bulletin: news)
    if let audience { aftermath.trash.append(audience) }
    return notice
  }

  /// The route of a type, made if it is the first time.
  func route(
    of type: any Action.Type, _ protected: inout Protected
  ) -> (route: Unretained<Route>, index: Int) {
    assertLocked()
    while true {
      if let found = protected.router.route(of: ObjectIdentifier(type)) { return found }
      let table = protected.table
      let running = progress.place.advanced(
        by: ReducerCase.requiredOffset(of: \RunningReducer.running))
      let hearers = Hearers(protected.listeners.listeners(of: type))
      let route = Route(
        type, protected.owners, protected.ownership, heardBy: hearers, in: state, noting: running
      ) { table.record($0) }
      protected.router.add(
        route,
        isPlain: hearers.listeners.isEmpty && !protected.listeners.isHeeding(route.slots))
    }
  }

  /// Commits what some work has come to, which `write` puts into one sub-state; not, if that has
  /// another owner by now, or none.
  ///
  /// - Returns: Whether it was committed.
  func commit(
    _ occasion: CommitRequest, to tenure: OwnershipEpoch, _ write: (_ state: StateAddress) -> Void
  ) -> Bool {
    let slot = tenure.slot
    var isCommitted = false
    commit(occasion, when: { $0.table.tenure(of: slot) == tenure }) { protected, revision in
      write(self.state)
      isCommitted = true
      let record = protected.table.record(slot)
      record.value.revision = revision
      return (record.value.signs, TouchedParts([slot], protected.ownership))
    }
    return isCommitted
  }

  /// Replaces the state as a whole.
  @usableFromInline
  func replaceState<State: Sendable>(with state: State) {
    _ = replaceState(choosing: { state })
  }

  /// Replaces the state by what `choose` gives in the same critical section; not, if it gives nil.
  ///
  /// - Returns: Whether the state was replaced.
  func replaceState<State: Sendable>(choosing choose: () -> State?) -> Bool {
    // The old state leaves in this variable, to be released without the lock.
    var replacement: State?
    commit(
      CommitRequest(cause: .replacement),
      when: { _ in
        replacement = choose()
        return replacement != nil
      }
    ) { protected, revision in
      self.state.edit(State.self) { state in
        if let new = replacement.take() { replacement = exchange(&state, with: new) }
      }
      protected.table.replaced = revision
      return ([], TouchedParts([], protected.ownership))
    }
    return replacement != nil
  }
}
