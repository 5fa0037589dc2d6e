// How a dispatch becomes commits:
//
// 1. One action tries the fast path (`StoreCore+FastPath`). Arrays and lists never do.
// 2. What the fast path left is done by `complete`: work after the commit, or the whole commit on the slow path.
// 3. An attempt that finds something missing has done nothing. `prepare` proves coverage, flattens lists (`FlatList`)
//    and asks middleware (`MiddlewareJudges.swift`), without the lock, and tries again.
// 4. The members of a list before the first asynchronous one are one commit. The others follow in a task, one by one,
//    through a `StoreSink`.
// 5. A reducer, or a lens, that enters its own store fails to take the lock, which its thread holds (`StoreLock.lock`):
//    it would wait for itself. Whoever runs a reducer notes which one: of direct reducers the fast path, in
//    `Protected.runningEntry`; of others their handler, in `StoreCore.running`. So `trapIntrusion` can name it.

extension StoreCore {
  /// Commits a batch, on the fast path if it can go there.
  @inlinable
  @inline(__always)
  func dispatch(_ batch: ActionBatch, from site: CallSite) -> DispatchTask {
    // Neither is ever for the fast path.
    if batch.isArray || batch.type == ActionList.self {
      return dispatch(batch, from: site, under: .root)
    }
    let outcome = commitFast(batch.type, batch.first)
    if outcome.isDone { return DispatchTask(handledAt: outcome.revision) }
    return complete(outcome, batch.type, batch.first, from: site)
  }

  /// Commits one action as a part of some work; nothing, if that was stopped.
  @inlinable
  func dispatch<A: Action>(
    _ action: A, from site: CallSite, within work: WorkNode
  ) -> DispatchTask {
    StateAddress.reading(action, as: A.self) { address in
      let outcome = commitFast(A.self, address, within: work)
      if outcome.isDone { return DispatchTask(handledAt: outcome.revision) }
      return complete(outcome, A.self, address, from: site, under: .part(of: work))
    }
  }

  /// Commits a batch as a part of some work, for a child that might not be there.
  @usableFromInline
  func dispatch(
    _ batch: ActionBatch, from site: CallSite, under parent: Parent, to child: ScopedChild? = nil
  ) -> DispatchTask {
    if batch.isArray || batch.type == ActionList.self {
      return commit(batch, from: site, under: parent, to: child)
    }
    let outcome = commitFast(batch.type, batch.first, within: parent.node, to: child)
    return complete(outcome, batch.type, batch.first, from: site, under: parent, to: child)
  }

  /// Does what the fast path left: post-commit work, or the whole commit.
  @usableFromInline
  @inline(never)
  func complete(
    _ outcome: CommitOutcome, _ type: any Action.Type, _ action: StateAddress,
    from site: CallSite, under parent: Parent = .root, to child: ScopedChild? = nil
  ) -> DispatchTask {
    if let work = outcome.afterCommit {
      perform(work)
      return DispatchTask(handledAt: outcome.revision)
    }
    if outcome.isDone { return DispatchTask(handledAt: outcome.revision) }
    if outcome == .stopped { return refusal }
    if outcome == .intruded { trapIntrusion("dispatched \(code: type) at \(site)") }
    return commit(
      ActionBatch(type, action), from: site, under: parent, to: child, isLocked: true)
  }

  /// Commits a batch on the slow path; if `isLocked`, in the turn at the lock that the fast path has begun.
  func commit(
    _ batch: ActionBatch, from site: CallSite, under parent: Parent,
    to child: ScopedChild? = nil, isFocused: Bool = false, isLocked: Bool = false,
    reading read: (StateAddress) -> Void = { _ in }
  ) -> DispatchTask {
    var request =
      if let list = batch.flatList {
        CommitRequest(
          list.actions, as: list, from: site, under: parent, to: child, isFocused: isFocused)
      } else {
        CommitRequest(
          .batch(batch), from: site, under: parent, to: child, isFocused: isFocused)
      }
    switch commit(request, isLocked: isLocked, reading: read) {
    case .over(let task): return task
    case .unprepared(let missing):
      return prepare(batch, missing, for: &request, from: site, reading: read)
    }
  }

  @inline(never)
  private func prepare(
    _ batch: ActionBatch, _ missing: Missing, for request: inout CommitRequest,
    from site: CallSite, reading read: (StateAddress) -> Void
  ) -> DispatchTask {
    var judges = missing.judges
    let action = batch.boxed()
    if !missing.isCovered && !FlatList.isEmpty(action) { proveCoverage(before: action, at: site) }
    // A single action is judged here. The members of a list are judged below.
    let isSingle = missing.isRouted && !batch.isArray && request.isBatch
    var isJudged = isSingle || (judges.isEmpty && !batch.isList)
    let fate: FlatList.Fate = isSingle ? judges.fate(of: action, from: site) : .proceed
    // What stands as it was dispatched is committed from where it lies.
    if isJudged, case .proceed = fate {
      request.preparation = .judged(by: judges.version)
      request.box(action)
      switch commit(request, reading: read) {
      case .over(let task): return task
      case .unprepared(let missing):
        if batch.isArray { (judges, isJudged) = (missing.judges, false) }
      }
    }
    let judged = JudgedActions(action, by: judges, from: site, fate: isJudged ? fate : nil)
    if request.isFocused && !judged.isSynchronous { trapUnfocused(action, site) }
    return commit(judged, for: request, reading: read)
  }

  /// Commits actions that stand for others, or that middleware has judged: one commit up to the first
  /// asynchronous action, then one by one.
  fileprivate func commit(
    _ judged: consuming JudgedActions, for request: CommitRequest,
    reading read: (StateAddress) -> Void = { _ in }
  ) -> DispatchTask {
    // Actions alone are judged, and each was dispatched somewhere.
    guard let site = request.site else { return DispatchTask() }
    var work: WorkNode?
    var first = DispatchTask()
    attempts: while true {
      if !judged.isSynchronous && work == nil {
        if request.isFocused { trapUnfocused(judged.seen, site) }
        work = openWork(from: site, under: request.parent)
        if work == nil { return refusal }
      }
      if judged.leaves.isEmpty { break }
      var prepared = CommitRequest(
        judged.leaves, as: judged.seen, from: site,
        under: work.map { .member(of: $0, by: request.parent) } ?? request.parent,
        to: request.child,
        isFocused: request.isFocused)
      prepared.preparation = .judged(by: judged.version)
      switch commit(prepared, reading: read) {
      case .over(let task) where work == nil: return task
      case .over(let task):
        first = task
        break attempts
      case .unprepared(let missing): judged.judge(by: missing.judges)
      }
    }
    guard let work else { return DispatchTask() }
    let rest = judged.rest
    let sink = StoreSink(core: self, site: site, work: work, child: request.child)
    let maker = request.parent
    return start(work, after: first) {
      // The first one is pulled even if it was cancelled meanwhile: so its sequence finds out that it is over.
      var isFirst = true
      for member in rest {
        if !isFirst { try sink.checkIn() }
        isFirst = false
        try await sink.receiveWhole(member, by: maker)
      }
    }
  }

  /// The task of a dispatch that was not made: what it belongs to was ended; or the store has gone.
  private var refusal: DispatchTask { isClosed ? DispatchTask() : .refused }

  @inline(never)
  private func trapUnfocused(_ action: any Action, _ site: CallSite) -> Never {
    let isOwn = !JudgedActions(action, by: MiddlewareJudges(), from: site).isSynchronous
    let reason = isOwn ? "it holds" : "middleware put in its place"
    fatalError(
      """
      Lensed: \(code: Swift.type(of: action)) was dispatched with focusingOn: at \(site), but \(reason) an \
      asynchronous sequence, whose outcome is not there when dispatch returns. Dispatch it without \
      focusingOn:, wait for finish(), and read the state.
      """)
  }
}

/// Applies the actions of an asynchronous sequence to one store, while it is there.
@usableFromInline
struct StoreSink: ActionSink {
  @usableFromInline
  let core: StoreCore
  @usableFromInline
  let site: CallSite
  @usableFromInline
  let work: WorkNode
  @usableFromInline
  let child: ScopedChild?

  @usableFromInline
  func checkIn() throws {
    if core.isClosed { throw CancellationError() }
    try Task.checkCancellation()
  }

  @inlinable
  func receive(_ action: some Action) async throws {
    try checkIn()
    let task =
      child == nil
      ? core.dispatch(action, from: site, within: work) : commit(action, under: .part(of: work))
    // What its actions start is part of the work; a sequence in it is waited for.
    if let inner = task.work, inner !== work { try await task.finish(.applied) }
  }

  /// Applies a member of a list; an asynchronous one is pulled here rather than in a task of its own.
  func receiveWhole(_ member: FlatList.Member, by maker: Parent) async throws {
    if let sequence = member.action as? any AsynchronousAction {
      return try await sequence.feed(self)
    }
    try checkIn()
    let parent = Parent.member(of: work, by: maker)
    let task =
      member.met == 0
      ? commit(member.action, under: parent)
      : core.commit(
        JudgedActions(member, from: site),
        for: CommitRequest([], as: member.action, from: site, under: parent, to: child))
    if let inner = task.work, inner !== work { try await task.finish(.applied) }
  }

  @usableFromInline
  func commit(_ action: some Action, under parent: Parent) -> DispatchTask {
    ActionBatch.lending(action) { core.dispatch($0, from: site, under: parent, to: child) }
  }
}

// MARK: Pulling a sequence

// A sequence that is dispatched is pulled by code for its type and for the sink of a store. Through `any ActionSink`, as
// in a list, an element that comes at once costs twice as much.

extension AsyncActions where Base: AsyncSequence, Base.Element: Action {
  /// The elements of a sequence that is dispatched by itself.
  @inlinable
  init(dispatched base: Base) {
    self.init(base: base) { sink in
      guard let sink = sink as? StoreSink else { return try await base.pull(into: sink) }
      try await base.pull(into: sink)
    }
  }
}

extension AsyncActions where Base: AsyncSequence, Base.Element == any Action {
  /// The elements of a sequence that is dispatched by itself.
  @inlinable
  init(dispatched base: Base) {
    self.init(base: base) { sink in
      guard let sink = sink as? StoreSink else { return try await base.pull(into: sink) }
      try await base.pull(into: sink)
    }
  }
}

// MARK: Intrusion

extension StoreCore {
  @usableFromInline
  @inline(never)
  func trapIntrusion(_ intrusion: String) -> Never {
    let reader = "A lens, or what is read as one (`per:`, `matching:`, a tie, the clock, an id),"
    guard let (route, slot) = runningReducer else {
      fatalError(
        """
        Lensed: \(reader) \(intrusion) while the state was being read. Such code computes and touches no \
        store, or the store would wait for itself.
        """)
    }
    let action = "\(code: route.lend(\.type))"
    var culprit = reader
    if let name = protected.value.table.name(of: slot) {
      let owner = protected.value.owners.first { $0.slot == slot }
      let site = owner?.cases.first { $0.handles(route.lend(\.type)) }?.site ?? owner?.site
      let place = site.map { ", which is written at \($0)" } ?? ""
      culprit = "The reducer of \(code: name)\(place), or a deinit that its write ran,"
    }
    fatalError(
      """
      Lensed: \(culprit) \(intrusion) while \(action) was being reduced. A reducer computes the next \
      state and touches no store, or the store would wait for itself. Dispatch from an observer, or \
      from the code that dispatched \(action).
      """)
  }

  /// The route and the sub-state whose reducer runs, if any; for the thread that runs it.
  private var runningReducer: (route: Unretained<Route>, slot: Int)? {
    // First: the entry may be that of an earlier commit then, because its memory is lent to who runs handlers.
    if let route = running.value.route { return (route, running.value.running) }
    return protected.value.runningEntry.map { RouteCache.running(at: $0) }
  }
}

/// The reducer that a handler runs, for the message of a trap.
struct RunningReducer: Sendable {
  /// The route that is run; the router keeps it alive.
  var route: Unretained<Route>?
  /// The sub-state whose reducer runs.
  var running = -1
}

extension CommitRequest {
  var intrusion: String {
    switch cause {
    case .action: "dispatched \(code: type)\(site.map { " at \($0)" } ?? "")"
    case .asyncResult, .placeholder: "committed the result of an asynchronous reducer"
    case .replacement: "replaced the state"
    }
  }
}
