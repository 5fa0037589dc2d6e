/// One commit on the slow path, from the moment its lock is taken to the moment it is released.
///
/// It is made of three steps, in one critical section: *prepare* checks that the commit is wanted and keeps
/// the state before it for listeners that need it; *reduce* runs reducers, or writes; *conclude* numbers the
/// commit's findings and gathers its notifications. Nothing of a user's runs in between but reducers and
/// lenses.
struct Transaction: ~Copyable {
  let core: StoreCore
  let revision: UInt64
  /// The state before, where a listener needs it.
  var previous: (any AnyObject & Sendable)?
  var listeners = NotifiedListeners()
  var flags = CommitFlags()
  /// Whether all of the state was replaced.
  var replacesAll = false
  /// The sub-states that were replaced, if a part of the state was.
  var replacedSlots: [Int] = []
  /// The numbers of the routes that were run, each once.
  var routes = InlineList<Int>()
  /// How many collections deep all reducers that were run touch nothing but the elements that the actions name.
  var elementDepth = Int.max
  /// The commit in whose delivery an observer has dispatched it, where somebody records that.
  private(set) var reaction: DeliveredCommit?
  /// What the commit has to do with the past.
  private(set) var kind = DeliveryKind.ordinary
  /// Whether some listener might be notified of the commit.
  private var mayBeReported = false
  /// Whether an action named an identity that two elements had at that time.
  private(set) var namesDoubled = false

  /// Whether a reducer ran, or an asynchronous one has queued the action.
  var isHandled: Bool { flags.contains(.handled) || listeners.handleActions }

  /// Prepares the commit; nil where it is not to be made.
  static func prepare(
    _ request: CommitRequest, in core: StoreCore, _ protected: inout StoreCore.Protected
  ) -> Transaction? {
    if case .result(let epoch, let origin, let hasGone, _) = request.content,
      protected.table.lastReplacement(of: epoch.slot) > origin
        || protected.table.epoch(of: epoch.slot) != epoch || hasGone()
    {
      return nil
    }
    if case .replacement(_, let choose, _) = request.content, !choose() { return nil }
    var transaction = Transaction(core: core, revision: protected.table.revision + 1)
    if request.isReplay || request.isJourney {
      transaction.kind = request.isReplay ? .replay : .journey
    } else if !protected.listeners.isEmpty {
      transaction.reaction = core.baton.mark.own
      transaction.kind = transaction.reaction?.kind.ofReaction ?? .ordinary
    }
    if !protected.listeners.isEmpty { transaction.prepareListeners(of: request, &protected) }
    return transaction
  }

  private init(core: StoreCore, revision: UInt64) {
    (self.core, self.revision) = (core, revision)
  }

  private mutating func prepareListeners(
    of request: CommitRequest, _ protected: inout StoreCore.Protected
  ) {
    for recorder in protected.listeners.recorders { recorder.prepare?(core.state) }
    if !request.isReplay { findListeners(of: request, &protected) }
    mayBeReported = !listeners.isEmpty || protected.listeners.areNotifiedOfAny
    if request.isFocused { requireReduced(request, protected) }
    let isNeeded =
      listeners.needPrevious || protected.listeners.everyCommit.needPrevious
      || protected.listeners.partsNeedPrevious
    if isNeeded { previous = protected.witness.box(core.state) }
  }

  private mutating func findListeners(
    of request: CommitRequest, _ protected: inout StoreCore.Protected
  ) {
    switch request.content {
    case .batch(let batch):
      let index = core.routeIndex(of: batch.type, &protected)
      let found = protected.listeners.listeners(ofRoute: index)
      if found.listeners.isEmpty { return }
      if !batch.isArray { return listeners.add(found, of: .all) }
      for index in 0..<batch.count { listeners.add(found, of: .member(index)) }
    case .list(let actions):
      for (place, action) in actions.enumerated() {
        let index = core.routeIndex(of: type(of: action), &protected)
        listeners.add(protected.listeners.listeners(ofRoute: index), of: .member(place))
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
    _ request: CommitRequest, _ protected: inout StoreCore.Protected,
    noting warnings: inout [StoreWarning]
  ) {
    protected.table.revision = revision
    switch request.content {
    case .batch(let batch): run(batch, of: request, &protected, &warnings)
    case .list(let actions):
      actions.lendRuns { run($0, of: request, &protected, &warnings) }
    case .result(let epoch, _, _, let write):
      write(core.state)
      flags = protected.table.noteWrite(of: epoch.slot)
      request.placeholders.apply(to: &protected.placeholders)
    case .replacement(let part, _, let write):
      write(core.state)
      (replacedSlots, flags) = protected.table.noteReplacement(of: part)
      replacesAll = replacedSlots.isEmpty
      if let shown = protected.placeholders {
        // What is under way for a replaced part commits nothing more.
        protected.placeholders =
          replacesAll ? nil : shown.filter { !replacedSlots.contains($0.epoch.slot) }
      }
    }
    core.running.value = RunningReducer()
  }

  /// Runs the reducers for the members of a list that are of one type.
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

  /// Selects the route of a type, which is run next.
  private mutating func selectRoute(
    _ type: any Action.Type, _ protected: inout StoreCore.Protected
  ) -> (index: Int, route: Unretained<Route>) {
    let index = core.routeIndex(of: type, &protected)
    let route = protected.router.route(index)
    if !routes.contains(index) {
      routes.append(index)
      elementDepth = min(elementDepth, route.lend(\.elementDepth))
    }
    core.running.value.route = route
    return (index, route)
  }

  private mutating func run(
    _ batch: ActionBatch, on index: Int, _ route: Unretained<Route>, of request: CommitRequest,
    _ protected: inout StoreCore.Protected, _ warnings: inout [StoreWarning]
  ) {
    let isWatched = core.warnings != nil && !request.isReplay
    let isForDoubled =
      route.lend { $0.canBeDoubled } && (mayBeReported || protected.listeners.areGuarding)
    // What can run in bulk always runs, and is for no child.
    if !(isWatched || isForDoubled) || route.lend(\.canRunInBulk) {
      return flags.formUnion(route.lend { batch.run($0, revision) })
    }
    // Each action is judged by its own run.
    for number in 0..<batch.count {
      let action = batch.single(number)
      let doubled = core.findDoubled(by: action.first, onRoute: route, protected)
      if doubled.doubled != nil { namesDoubled = true }
      let found = route.lend { action.run($0, revision) }
      flags.formUnion(found)
      if !isWatched { continue }
      core.noteWarnings(
        of: action, found, doubled, onRoute: index, from: request.site,
        mayMiss: request.parent.node?.isTeller ?? false, &protected, &warnings)
    }
  }
}
