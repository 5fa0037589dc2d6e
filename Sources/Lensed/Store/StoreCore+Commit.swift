extension StoreCore {
  /// What `commit` is asked to run: `count` actions of one type that lie side by side.
  @usableFromInline
  struct Batch {
    let type: any Action.Type
    let first: Place
    let count: Int
    let stride: Int

    @usableFromInline
    init(_ type: any Action.Type, _ first: Place, count: Int = 1, stride: Int = 0) {
      self.type = type
      self.first = first
      self.count = count
      self.stride = stride
    }
  }

  /// Commits a batch: the way of nearly every dispatch.
  ///
  /// `boxed` gives what was dispatched to those who want to see it; `read` is lent the state in the
  /// same critical section, after the commit.
  @usableFromInline
  func commit(
    _ batch: Batch, from site: CallSite, boxed: () -> any Action, read: ((Place) -> Void)? = nil
  ) -> DispatchTask {
    var aftermath: Aftermath?
    let isDone = withGuts("dispatched `\(batch.type)` at \(site)") { guts -> Bool in
      guard let (route, index) = guts.router.route(of: ObjectIdentifier(batch.type)) else {
        return false
      }
      guard guts.feeds.isEmpty else { return false }
      begin(batch.type, &guts)
      run(batch, route)
      if end(&guts) {
        var after = Aftermath()
        guts.router.announce(index, on: &guts.table, into: &after)
        aftermath = after
      }
      read?(frame.value.state)
      return true
    }
    if let aftermath { finish(aftermath) }
    return isDone ? DispatchTask() : commitWithCare(batch, from: site, boxed: boxed, read: read)
  }

  @inline(__always)
  private func begin(_ type: any Action.Type, _ guts: inout Guts) {
    guts.table.revision += 1
    frame.value.revision = guts.table.revision
    frame.value.action = type
    frame.value.isHandled = false
    frame.value.attention = false
  }

  @inline(__always)
  private func run(_ batch: Batch, _ route: Uncounted<Route>) {
    let frame = frame.place
    route.lend { route in
      var action = batch.first
      for _ in 0..<batch.count {
        route.run(frame, action)
        action = action.advanced(by: batch.stride)
      }
    }
  }

  /// Notes the end of a commit.
  ///
  /// - Returns: Whether anybody may have to hear of it.
  @inline(__always)
  private func end(_ guts: inout Guts) -> Bool {
    frame.value.running = Frame.nobody
    guard frame.value.isHandled else { return false }
    guts.table.handled = guts.table.revision
    return frame.value.attention || guts.table.attention
  }

  /// Commits a batch that is the first of its type, or not a leaf, or that somebody wants to see.
  @inline(never)
  private func commitWithCare(
    _ batch: Batch, from site: CallSite, boxed: () -> any Action, read: ((Place) -> Void)?
  ) -> DispatchTask {
    let action = boxed()
    if batch.type is any CompositeAction.Type || batch.type is any AsynchronousAction.Type {
      return dispatch(list: action, from: site, read: read)
    }
    commit(seenAs: action, from: site, read: read) { guts in
      self.run(batch, self.route(of: batch.type, &guts).route)
      return guts.router.slots(self.route(of: batch.type, &guts).index)
    }
    return DispatchTask()
  }

  /// Commits what `perform` runs, and tells whoever wants to see it.
  ///
  /// `perform` runs reducers, and gives the sub-states they may have touched.
  func commit(
    seenAs action: any Action, from site: CallSite, read: ((Place) -> Void)?,
    perform: (inout Guts) -> [Int]
  ) {
    proveCoverage(before: action, at: site)
    var aftermath = Aftermath()
    withGuts("dispatched `\(type(of: action))` at \(site)") { guts in
      if guts.table.isClosed { return }
      prepareFeeds(guts)
      begin(type(of: action), &guts)
      let slots = perform(&guts)
      if end(&guts) {
        var audience: Audience?
        guts.table.announce(slots: slots, audience: &audience, into: &aftermath)
        if let audience { aftermath.trash.append(audience) }
      }
      tellFeeds(guts, action, touching: slots, into: &aftermath)
      read?(frame.value.state)
    }
    finish(aftermath)
  }

  /// The route of a type, made if it is the first time.
  func route(
    of type: any Action.Type, _ guts: inout Guts
  ) -> (route: Uncounted<Route>, index: Int) {
    while true {
      if let found = guts.router.route(of: ObjectIdentifier(type)) { return found }
      let table = guts.table
      guts.router.add(Route(type, guts.owners) { table.record($0) })
    }
  }

  /// Replaces the state as a whole.
  @usableFromInline
  func replaceState<State: Sendable>(with state: State) {
    var aftermath = Aftermath()
    var state = state
    withGuts("replaced the state") { guts in
      if guts.table.isClosed { return }
      prepareFeeds(guts)
      guts.table.revision += 1
      frame.value.action = nil
      frame.value.isHandled = false
      // The old state leaves in the caller's variable, to be released without the lock.
      frame.value.state.edit(State.self) { swap(&$0, &state) }
      guts.table.announceReplacement(into: &aftermath)
      tellFeeds(guts, nil, touching: [], into: &aftermath)
    }
    finish(aftermath)
  }
}

// MARK: Changes

extension StoreCore {
  /// Adds a feed; nil when the store has gone.
  func install(_ hook: FeedHook, onClose: @escaping @Sendable () -> Void) -> UInt64? {
    withGuts("read the changes of the store") { guts in
      if guts.table.isClosed { return nil }
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

  private func prepareFeeds(_ guts: Guts) {
    for feed in guts.feeds.values { feed.hook.prepare(frame.value.state) }
  }

  private func tellFeeds(
    _ guts: Guts, _ action: (any Action)?, touching slots: [Int], into aftermath: inout Aftermath
  ) {
    if guts.feeds.isEmpty { return }
    let revision = guts.table.revision
    let record = CommitRecord(
      state: frame.value.state, action: action, isReplacement: action == nil, revision: revision,
      isHandled: frame.value.isHandled,
      ran: slots.filter { guts.table.record($0).value.revision == revision },
      ownership: guts.ownership)
    for feed in guts.feeds.values {
      if let dropped = feed.hook.record(record) { aftermath.trash.append(dropped) }
      aftermath.wake.append(feed.hook.signal)
    }
  }
}
