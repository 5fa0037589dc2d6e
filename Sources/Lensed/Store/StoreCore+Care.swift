// The way of the commits that somebody wants to see, to judge, or to go on with: it boxes the action.

extension StoreCore {
  /// Commits a batch that is the first of its type, or not a leaf, or that somebody wants to see.
  @inline(never)
  func commitWithCare(
    _ batch: Batch, from site: CallSite, isFocused: Bool = false,
    under lineage: Occasion.Lineage = .root, read: (Place) -> Void = { _ in }
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
    let occasion = Occasion(
      action: action, members: members, site: site, lineage: lineage, isFocused: isFocused)
    let work = commit(occasion, read: read) { guts, revision in
      let (route, index) = self.route(of: batch.type, &guts)
      self.progress.value.route = route
      return (route.lend { batch.run($0, revision) }, guts.router.reach(index))
    }
    return DispatchTask(work, isWatched: lineage.isWatched)
  }

  /// Makes a commit, and tells whoever wants to see it.
  ///
  /// `perform` runs reducers, or replaces the state; it gives what that shows, and the sub-states that
  /// may have been touched. It is not run, and nothing is committed, unless `isWanted` says so.
  ///
  /// - Returns: What the commit has started, or may have.
  @discardableResult
  func commit(
    _ occasion: Occasion, read: (Place) -> Void = { _ in },
    when isWanted: (Guts) -> Bool = { _ in true },
    perform: (inout Guts, UInt64) -> (Signs, Reach)
  ) -> Work? {
    if let action = occasion.action { proveCoverage(before: action, at: occasion.site) }
    var aftermath = Aftermath()
    let (notice, work) = withGuts(occasion.intrusion) { guts -> (Uncounted<Notice>?, Work?) in
      if guts.table.isClosed || !occasion.mayCommit { return (nil, nil) }
      if let origin = occasion.validFrom, guts.table.replaced > origin { return (nil, nil) }
      if !isWanted(guts) { return (nil, nil) }
      let previous = prepare(occasion, &guts)
      let revision = guts.table.revision + 1
      guts.table.revision = revision
      let (signs, reach) = perform(&guts, revision)
      progress.value = Progress()
      let isHandled = signs.contains(.handled)
      if !isHandled { guts.table.missed() }
      let news = tell(
        occasion, touching: reach, isHandled: isHandled, previous: previous, &guts,
        into: &aftermath)
      // Kept in vain, when nobody is told: it may be the last that holds a part of the old state.
      if news == nil, let previous { aftermath.trash.append(previous) }
      let notice = announce(
        occasion, signs, reach, news, &guts, into: &aftermath)
      read(state)
      return (notice, news?.work)
    }
    finish(aftermath)
    if let notice { finish(notice) }
    return work
  }

  private func announce(
    _ occasion: Occasion, _ signs: Signs, _ reach: Reach, _ news: CommitNews?,
    _ guts: inout Guts, into aftermath: inout Aftermath
  ) -> Uncounted<Notice>? {
    if occasion.cause == .replacement {
      guts.table.announceReplacement(bulletin: news, into: &aftermath)
      return nil
    }
    // Which of the sub-states were touched is looked up, as by a commit that missed some.
    let all = signs.contains(.handled) ? signs.union(guts.table.signs).union(.missed) : []
    if !all.isHeard && news == nil { return nil }
    var audience: Audience?
    let notice = guts.table.announce(
      slots: reach.slots, showing: all, audience: &audience, bulletin: news)
    if let audience { aftermath.trash.append(audience) }
    return notice
  }

  /// The route of a type, made if it is the first time.
  func route(
    of type: any Action.Type, _ guts: inout Guts
  ) -> (route: Uncounted<Route>, index: Int) {
    assertLocked()
    while true {
      if let found = guts.router.route(of: ObjectIdentifier(type)) { return found }
      let table = guts.table
      let running = progress.place.advanced(by: ReducerCase.requiredOffset(of: \Progress.running))
      let hearers = Hearers(guts.listeners.listeners(of: type))
      let route = Route(
        type, guts.owners, guts.ownership, heardBy: hearers, in: state, noting: running
      ) { table.record($0) }
      guts.router.add(
        route,
        isPlain: hearers.listeners.isEmpty && !guts.listeners.isHeeding(route.slots))
    }
  }

  /// Commits what some work has come to, which `write` puts into one sub-state; not, if that has
  /// another owner by now, or none.
  ///
  /// - Returns: Whether it was committed.
  func commit(
    _ occasion: Occasion, to tenure: Tenure, _ write: (_ state: Place) -> Void
  ) -> Bool {
    let slot = tenure.slot
    var isCommitted = false
    commit(occasion, when: { $0.table.tenure(of: slot) == tenure }) { guts, revision in
      write(self.state)
      isCommitted = true
      let record = guts.table.record(slot)
      record.value.revision = revision
      return (record.value.signs, Reach([slot], guts.ownership))
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
      Occasion(cause: .replacement),
      when: { _ in
        replacement = choose()
        return replacement != nil
      }
    ) { guts, revision in
      self.state.edit(State.self) { state in
        if let new = replacement.take() { replacement = exchange(&state, with: new) }
      }
      guts.table.replaced = revision
      return ([], Reach([], guts.ownership))
    }
    return replacement != nil
  }
}
