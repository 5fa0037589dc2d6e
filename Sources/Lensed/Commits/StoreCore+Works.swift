// The works of a store: those that a commit starts, sequences, and works that nothing else keeps alive.
//
// 1. A commit whose listeners may start something has a work, made in the commit (`makeWork`): a root of its own, a child
//    of the work that dispatched, or a claim on it (`Parent`).
// 2. A sequence has one from its dispatch on (`openWork`), and a task that applies its actions (`start`).
// 3. The store registers a root until it has finished. A root that only its queue knows is counted (`WorkCount`), and
//    registered once the queue forgets it (`keepAlive`).
// 4. When a work has finished, and a caller waits for the store, the store is checked (`StoreCore+Settling`).

extension StoreCore {
  /// The work that the listeners of a commit start, with a claim on it; under the lock.
  func makeWork(
    _ label: WorkLabel, under parent: Parent, setOffBy cause: UInt64? = nil,
    _ protected: inout Protected
  ) -> WorkNode {
    assertLocked()
    switch parent {
    case .part(let work), .member(let work, _):
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
      if case .refused = work.attach(to: parent.node) { registerWork(work, &protected) }
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

  /// Keeps a job alive that its queue is not going to keep, until it has ended.
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

  var isEntered: Bool { lock.isHeld(by: ThreadIdentity.current) }

  func callLater(_ body: @escaping @Sendable () -> Void) {
    noteCallLeft()
    Task.startDetached(on: taskExecutor) {
      body()
      self.noteCallMade()
    }
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

  func numberRun() -> (number: UInt64, time: Duration)? {
    runs.number().map { ($0, clock.elapsed) }
  }

  func recordRun(_ make: (_ time: Duration) -> RecordedRun?) {
    runs.record(at: { clock.elapsed }, make)
  }

  func report(_ error: any Error, of work: WorkNode) {
    onEffectError(
      EffectError(
        effect: "\(work.label)", action: nil, underlying: error, causes: work.causes))
  }
}
