extension StoreCore {
  /// The work that the listeners of a commit start, with a claim on it; under the lock.
  func makeWork(
    _ label: WorkLabel, under parent: Parent, setOffBy cause: UInt64? = nil,
    _ protected: inout Protected
  ) -> WorkNode {
    assertLocked()
    switch parent {
    case .part(let work):
      work.addClaim()
      return work
    case .child(let parent):
      let work = WorkNode(
        label, in: self, under: parent, hasClaim: true, hasHandle: true, setOffBy: cause)
      // What has ended can hold nothing: an effect's context may be used for longer than the effect.
      if case .refused = work.attach(to: parent) { registerWork(work, &protected) }
      return work
    case .root:
      let index = protected.works.reserve()
      let work = WorkNode(
        label, in: self, hasClaim: true, registryIndex: index, setOffBy: cause)
      protected.works.fill(index, with: work)
      return work
    }
  }

  /// Keeps work alive that has begun and that nothing else keeps; does nothing, if something does.
  func registerWork(_ work: WorkNode, _ protected: inout Protected) {
    let index = protected.works.reserve()
    protected.works.fill(index, with: work)
    let (isSet, wasCounted) = work.setRegistryIndex(index)
    if !isSet { _ = protected.works.vacate(index) }
    if wasCounted { workCount.remove() }
  }

  /// Work whose actions come over time; nil when the store has gone.
  func openWork(from site: CallSite, under parent: Parent) -> WorkNode? {
    let work = WorkNode(
      .sequence(site), in: self, under: parent.node, relation: .owned, isApplied: false,
      hasHandle: true, setOffBy: parent.node == nil ? baton.mark.own?.revision : nil)
    return withLock("dispatched an asynchronous sequence at \(site)") { protected in
      if protected.table.isClosed || !parent.mayCommit { return nil }
      if case .refused = work.attachToParent() { registerWork(work, &protected) }
      return work
    }
  }

  /// Starts the task that applies the actions of some work, after those that were dispatched with it as `first`.
  func start(
    _ work: WorkNode, after first: DispatchTask = DispatchTask(),
    _ operation: @escaping @Sendable () async throws -> Void
  ) -> DispatchTask {
    // The task inherits this value alone, and not the work of another store.
    let task = WorkNode.$current.withValue(work) {
      WorkNode.Running.start(on: taskExecutor) {
        var failure: (any Error)?
        do {
          try await operation()
        } catch {
          failure = self.isClosed ? nil : error
        }
        work.markApplied(failure: failure)
      }
    }
    work.setTask(task)
    return DispatchTask(work, hasHandle: true, commit: first.commit)
  }

  /// Keeps a job alive that its queue is not going to keep, until all of it has ended.
  func keepAlive(_ job: WorkNode) {
    let isOpen = withLock("ended what a dispatch had started") { protected in
      if protected.table.isClosed { return false }
      registerWork(job, &protected)
      return true
    }
    if !isOpen { job.abandon() }
    workChanged()
  }
}

extension StoreCore: WorkStore {
  func unregisterWork(at index: Int) {
    _ = withLock("ended what a dispatch had started") { $0.works.vacate(index) }
  }

  func uncountWork() { workCount.remove() }

  @usableFromInline
  func noteCallLeft() { workCount.add() }

  @usableFromInline
  func noteCallMade() {
    workCount.remove()
    workChanged()
  }

  func workChanged() {
    if workCount.isAwaited {
      WorkSleep.noteChange()
      checkSettling()
    }
  }

  func whileRevoking(_ body: () -> Void) {
    revocation.withLock { _ in body() }
  }

  func awaitCommit() {
    // A reducer that cancels is inside of the one commit there is.
    lock.withLock(as: ThreadIdentity.current) {
    } reentry: {
    }
  }

  func report(_ error: any Error, of work: WorkNode) {
    if isClosed { return }
    onEffectError(
      EffectError(
        effect: "\(work.label)", action: nil, underlying: error, causes: work.causes))
  }
}

// MARK: Running a batch

extension ActionBatch {
  /// Runs the reducers of a route for one action after another.
  ///
  /// - Returns: The flags of all that.
  func run(_ route: Route, _ revision: UInt64) -> CommitFlags {
    if count == 1 { return route.run(first, revision) }
    if route.canRunInBulk { return route.runAll(first, count: count, stride: stride, revision) }
    return takeTurns(route, revision)
  }

  private func takeTurns(_ route: Route, _ revision: UInt64) -> CommitFlags {
    var (action, flags) = (first, CommitFlags())
    for _ in 0..<count {
      flags.formUnion(route.run(action, revision))
      action = action.advanced(by: stride)
    }
    return flags
  }

  /// One of the actions, as a batch of its own.
  func single(_ number: Int) -> ActionBatch {
    ActionBatch(type, first.advanced(by: number * stride))
  }

  /// Whether the actions stand for others, which are routed by their own types.
  var isList: Bool { Routability(of: type) == .list }
}

// MARK: Starting jobs

/// A listener that starts at most one job for each action.
///
/// If it alone listens to an action, the work of the dispatch is that job.
protocol JobStarter: AnyObject, Sendable {
  /// The queue of its jobs.
  var queue: any WorkQueue { get }

  /// Admits `work`, which has a claim, as the one job of a commit; under the lock.
  ///
  /// - Returns: Whether the caller is to start it once the lock is released. Otherwise the decisions have it.
  func admit(
    _ work: WorkNode, for report: any CommitReport, into decisions: inout CommitDecisions
  ) -> Bool

  /// Starts the job that was admitted.
  func startJob(as work: WorkNode, for report: consuming any CommitReport)
}

// MARK: What work belongs to

/// The work that a commit belongs to.
@usableFromInline
enum Parent: Sendable {
  /// None: what the commit starts is a tree of its own.
  case root
  /// What the commit starts can be waited for on its own, and is part of this work too.
  case child(of: WorkNode)
  /// What the commit starts is directly part of this work.
  case part(of: WorkNode)

  var node: WorkNode? {
    switch self {
    case .root: nil
    case .child(let work), .part(let work): work
    }
  }

  /// Whether such a commit may begin; to be asked under the lock of the store.
  var mayCommit: Bool { node?.mayCommit ?? true }

  /// Whether such a commit has a work of its own inside of another.
  var isChild: Bool {
    if case .child = self { true } else { false }
  }
}
