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
