extension StoreCore {
  /// How a commit went.
  @usableFromInline
  enum Verdict {
    /// It was made, and everybody was told.
    case done
    /// It was not begun: it takes more than the quick way.
    case unprepared
    /// It was not begun: the thread holds the lock already.
    case intruded
  }

  /// Commits one action: the way of nearly every dispatch.
  ///
  /// Nothing is generic, and whatever is rare is left to the caller: `key` is the type of the value at
  /// `action`.
  @usableFromInline
  func commit(_ key: ObjectIdentifier, _ action: Place) -> Verdict {
    let me = ThreadIdentity.current
    if isHeld(by: me) { return .intruded }
    var revision: UInt64 = 0
    let announcement = withGuts(heldBy: me) { guts -> Announcement? in
      guard !guts.isHeeded, let (route, index) = guts.router.route(of: key) else { return nil }
      revision = begin(route, &guts)
      let signs = route.lend { $0.run(state, action, revision) }
      return end(showing: signs, of: index, revision, &guts)
    }
    switch announcement {
    case .nothing: break
    case .calls(let audience): audience.lend { deliver($0, revision) }
    case .aftermath(let aftermath): finish(aftermath)
    case nil: return .unprepared
    }
    return .done
  }

  /// Commits one action that the quick way did not.
  @usableFromInline
  @inline(never)
  func commitWithCare(
    _ type: any Action.Type, _ action: Place, from site: CallSite, after verdict: Verdict
  ) -> DispatchTask {
    if case .intruded = verdict { trapIntrusion("dispatched `\(type)` at \(site)") }
    return commitWithCare(.one(type, action), from: site, isFocused: false) { _ in }
  }

  /// Commits a batch of actions of one type.
  ///
  /// `read` is lent the state in the same critical section, after the commit; `isFocused` says that
  /// its outcome is waited for, so that nothing may be left for later.
  @usableFromInline
  func commit(
    _ batch: Batch, from site: CallSite, isFocused: Bool = false, read: (Place) -> Void = { _ in }
  ) -> DispatchTask {
    var revision: UInt64 = 0
    let announcement = withGuts("dispatched `\(batch.type)` at \(site)") { guts -> Announcement? in
      guard !guts.isHeeded,
        let (route, index) = guts.router.route(of: ObjectIdentifier(batch.type))
      else { return nil }
      revision = begin(route, &guts)
      let signs = run(batch, route, revision)
      let announcement = end(showing: signs, of: index, revision, &guts)
      read(state)
      return announcement
    }
    switch announcement {
    case .nothing: return DispatchTask()
    case .calls(let audience): audience.lend { deliver($0, revision) }
    case .aftermath(let aftermath): finish(aftermath)
    case nil: return commitWithCare(batch, from: site, isFocused: isFocused, read: read)
    }
    return DispatchTask()
  }

  @inline(__always)
  private func begin(_ route: Uncounted<Route>, _ guts: inout Guts) -> UInt64 {
    let revision = guts.table.revision &+ 1
    guts.table.revision = revision
    progress.value.route = route
    return revision
  }

  @inline(__always)
  private func run(_ batch: Batch, _ route: Uncounted<Route>, _ revision: UInt64) -> Signs {
    let state = state
    return route.lend { route in
      var (action, left) = (batch.first, batch.count)
      var signs: Signs = []
      while left > 0 {
        signs.formUnion(route.run(state, action, revision))
        action = action.advanced(by: batch.stride)
        left &-= 1
      }
      return signs
    }
  }

  /// Notes the end of a commit, and who has to hear of it.
  @inline(__always)
  private func end(
    showing signs: Signs, of index: Int, _ revision: UInt64, _ guts: inout Guts
  ) -> Announcement {
    guard signs.contains(.handled) else { return .nothing }
    guts.table.handled = revision
    let all = signs.union(guts.table.signs)
    if all.isDisjoint(with: .heard) { return .nothing }
    return announce(index, all, &guts)
  }

  @inline(never)
  private func announce(_ index: Int, _ signs: Signs, _ guts: inout Guts) -> Announcement {
    progress.value.route = nil
    return guts.router.announce(index, showing: signs, on: &guts.table)
  }

  /// Commits a batch that is the first of its type, or not a leaf, or that somebody wants to see.
  @inline(never)
  private func commitWithCare(
    _ batch: Batch, from site: CallSite, isFocused: Bool, read: (Place) -> Void
  ) -> DispatchTask {
    let action = batch.boxed()
    if batch.type is any CompositeAction.Type || batch.type is any AsynchronousAction.Type {
      return dispatch(list: action, from: site, isFocused: isFocused, read: read)
    }
    commit(seenAs: action, from: site, read: read) { guts, revision in
      let (route, index) = self.route(of: batch.type, &guts)
      self.progress.value.route = route
      return (self.run(batch, route, revision), guts.router.slots(index))
    }
    return DispatchTask()
  }

  /// Commits what `perform` runs, and tells whoever wants to see it.
  ///
  /// `perform` runs reducers; it gives what they show, and the sub-states they may have touched.
  func commit(
    seenAs action: any Action, from site: CallSite, read: (Place) -> Void,
    perform: (inout Guts, UInt64) -> (Signs, [Int])
  ) {
    proveCoverage(before: action, at: site)
    var aftermath = Aftermath()
    let announcement = withGuts("dispatched `\(type(of: action))` at \(site)") {
      guts -> Announcement in
      if guts.table.isClosed { return .nothing }
      progress.value.route = nil
      prepareFeeds(guts)
      guts.table.revision += 1
      let revision = guts.table.revision
      let (signs, slots) = perform(&guts, revision)
      progress.value.route = nil
      var announcement = Announcement.nothing
      if signs.contains(.handled) {
        guts.table.handled = revision
        // Which of the sub-states were touched is looked up, as by a commit that missed some.
        let all = signs.union(guts.table.signs).union(.missed)
        var audience: Audience?
        if !all.isDisjoint(with: .heard) {
          announcement = guts.table.announce(slots: slots, showing: all, audience: &audience)
        }
        if let audience { aftermath.trash.append(audience) }
      }
      let cause = Telling(
        action: action, slots: slots, isHandled: signs.contains(.handled), isReplacement: false)
      tellFeeds(guts, cause, into: &aftermath)
      read(state)
      return announcement
    }
    finish(aftermath)
    if case .aftermath(let pooled) = announcement { finish(pooled) }
  }

  /// The route of a type, made if it is the first time.
  func route(
    of type: any Action.Type, _ guts: inout Guts
  ) -> (route: Uncounted<Route>, index: Int) {
    while true {
      if let found = guts.router.route(of: ObjectIdentifier(type)) { return found }
      let table = guts.table
      guts.router.add(Route(type, guts.owners, noting: progress) { table.record($0) })
    }
  }

  /// Replaces the state as a whole.
  @usableFromInline
  func replaceState<State: Sendable>(with state: State) {
    var aftermath = Aftermath()
    var replacement = state
    withGuts("replaced the state") { guts in
      if guts.table.isClosed { return }
      progress.value.route = nil
      prepareFeeds(guts)
      guts.table.revision += 1
      // The old state leaves in the caller's variable, to be released without the lock.
      self.state.edit(State.self) { swap(&$0, &replacement) }
      guts.table.announceReplacement(into: &aftermath)
      let cause = Telling(action: nil, slots: [], isHandled: false, isReplacement: true)
      tellFeeds(guts, cause, into: &aftermath)
    }
    finish(aftermath)
  }
}
