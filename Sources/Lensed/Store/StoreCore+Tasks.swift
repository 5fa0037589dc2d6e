extension StoreCore {
  /// Starts work that the store owns and does not outlive.
  ///
  /// The task exists when this returns. It ends quietly when the store has gone.
  @usableFromInline
  func spawn(
    from site: CallSite, _ operation: @escaping @Sendable (StoreSink) async throws -> Void
  ) -> DispatchTask {
    spawn(from: site, under: .root, operation)
  }

  func spawn(
    from site: CallSite, under lineage: CommitRequest.Parent,
    _ operation: @escaping @Sendable (StoreSink) async throws -> Void
  ) -> DispatchTask {
    guard let work = openWork(from: site, under: lineage) else { return DispatchTask() }
    return start(work, from: site, operation)
  }

  /// Work whose actions come over time; nil when the store has gone.
  func openWork(from site: CallSite, under lineage: CommitRequest.Parent) -> WorkNode? {
    let work = WorkNode(
      .sequence(site), in: self, under: lineage.parent, relation: .owned, isApplied: false,
      hasHandle: true)
    return withLock("dispatched an asynchronous sequence at \(site)") { protected in
      if protected.table.isClosed || !lineage.mayCommit { return nil }
      if case .refused = work.attachToParent() { register(work, &protected) }
      return work
    }
  }

  /// Starts what applies the actions of some work.
  func start(
    _ work: WorkNode, from site: CallSite,
    _ operation: @escaping @Sendable (StoreSink) async throws -> Void
  ) -> DispatchTask {
    let task = WorkNode.Running {
      await WorkNode.$current.withValue(work) {
        var failure: (any Error)?
        do {
          try await operation(StoreSink(core: self, site: site, work: work))
        } catch {
          failure = self.isClosed ? nil : error
        }
        work.markApplied(failure: failure)
      }
    }
    work.setTask(task)
    return DispatchTask(work, hasHandle: true)
  }

  /// The work that a commit's listeners start is part of, with a claim on it; under the lock.
  func work(for occasion: CommitRequest, _ protected: inout Protected) -> WorkNode {
    let label = WorkLabel.dispatch(
      occasion.action.map { Swift.type(of: $0) } ?? ActionList.self, occasion.site ?? CallSite())
    return work(label, under: occasion.lineage, &protected)
  }

  /// The work that what a commit starts is part of, with a claim on it; under the lock.
  ///
  /// A work of its own may become a job in `queue`.
  func work(
    _ label: WorkLabel, under lineage: CommitRequest.Parent, in queue: (any WorkQueue)? = nil,
    _ protected: inout Protected
  ) -> WorkNode {
    assertLocked()
    switch lineage {
    case .part(let work):
      work.addClaim()
      return work
    case .child(let parent):
      let work = WorkNode(label, in: self, under: parent, hasClaim: true, hasHandle: true)
      // What has ended can hold nothing: an effect's context may be used for longer than the effect.
      if case .refused = work.attach(to: parent) { register(work, &protected) }
      return work
    case .root:
      let index = protected.works.reserve()
      let work = WorkNode(
        label, in: self, queue: queue, hasClaim: true, registryIndex: index)
      protected.works.fill(index, with: work)
      return work
    }
  }

  /// Notes work that has begun and that nothing else knows of; does nothing, if something does.
  private func register(_ work: WorkNode, _ protected: inout Protected) {
    let index = protected.works.reserve()
    protected.works.fill(index, with: work)
    if !work.setRegistryIndex(index) { _ = protected.works.leave(index) }
  }

  /// Notes a job that its line is not going to know any more, until all of it has ended.
  func keep(_ job: WorkNode) {
    let isOpen = withLock("ended what a dispatch had started") { protected in
      if protected.table.isClosed { return false }
      register(job, &protected)
      return true
    }
    if !isOpen { job.abandon() }
  }
}

extension StoreCore: WorkStore {
  func unregisterWork(at registryIndex: Int) {
    _ = withLock("ended what a dispatch had started") { $0.works.leave(registryIndex) }
  }

  func awaitCommit() {
    // A reducer that cancels is inside of the one commit there is.
    if occupant.isInside(ThreadIdentity.current) { return }
    protected.withLock { _ in }
  }

  func report(_ error: any Error, of label: WorkLabel) {
    if isClosed { return }
    onEffectError(EffectError(effect: "\(label)", action: nil, underlying: error))
  }
}

/// Where the actions of an asynchronous sequence go: into one store, while it is there.
@usableFromInline
struct StoreSink: ActionSink {
  @usableFromInline
  let core: StoreCore
  @usableFromInline
  let site: CallSite
  @usableFromInline
  let work: WorkNode

  /// The store has gone, so the sequence is to stop.
  struct StoreGone: Error {}

  /// Throws when nothing more is to be applied.
  @usableFromInline
  func checkIn() throws {
    if core.isClosed { throw StoreGone() }
    try Task.checkCancellation()
  }

  @inlinable
  func take(_ action: some Action) async throws {
    try checkIn()
    let task = core.dispatch(action, from: site, within: work)
    // What its actions start is part of the work; a sequence in it is waited for.
    if let inner = task.work, inner !== work { try await task.finish(.applied) }
  }

  /// Applies a member of a list; an asynchronous one is pulled here rather than in a task of its own.
  func takeWhole(_ action: some Action) async throws {
    try checkIn()
    if let sequence = action as? any AsynchronousAction {
      try await sequence.feed(self)
    } else {
      try await take(action)
    }
  }
}

extension StoreCore {
  /// Commits one action of any kind.
  @inlinable
  @inline(__always)
  func dispatch<A: Action>(_ action: A, from site: CallSite) -> DispatchTask {
    StateAddress.reading(action, as: A.self) { place in
      let passage = commit(A.self, place)
      if passage.isDone { return DispatchTask() }
      if passage.isHeard {
        tell(passage)
        return DispatchTask()
      }
      return commitWithCare(A.self, place, from: site, after: passage)
    }
  }

  /// Commits one action as a part of some work; not, if that was stopped.
  @inlinable
  func dispatch<A: Action>(_ action: A, from site: CallSite, within work: WorkNode) -> DispatchTask
  {
    StateAddress.reading(action, as: A.self) { place in
      let passage = commit(A.self, place, within: work)
      if passage.isDone || passage == .stopped { return DispatchTask() }
      if passage.isHeard {
        tell(passage)
        return DispatchTask()
      }
      return commitWithCare(A.self, place, from: site, after: passage, within: work)
    }
  }

  /// Commits one action of any kind, for the work that it belongs to.
  func dispatch<A: Action>(
    _ action: A, from site: CallSite, under lineage: CommitRequest.Parent
  ) -> DispatchTask {
    StateAddress.reading(action, as: A.self) { place in
      commit(.one(A.self, place), from: site, under: lineage)
    }
  }

  /// Commits an array of actions of one type, for the work that it belongs to.
  func dispatch<A: Action>(
    array actions: [A], from site: CallSite, under lineage: CommitRequest.Parent
  ) -> DispatchTask {
    if actions.isEmpty { return DispatchTask() }
    return StateAddress.reading(elementsOf: actions) { place in
      let batch = Batch(
        A.self, place, count: actions.count, stride: MemoryLayout<A>.stride, isArray: true)
      return commit(batch, from: site, under: lineage)
    }
  }

  /// Commits one action for the work that it belongs to, and lends the state in the same critical
  /// section.
  func dispatch<A: Action>(
    _ action: A, from site: CallSite, under lineage: CommitRequest.Parent,
    thenReading read: (StateAccess) -> Void
  ) {
    StateAddress.reading(action, as: A.self) { place in
      _ = commit(.one(A.self, place), from: site, isFocused: true, under: lineage) {
        read(StateAccess(place: $0))
      }
    }
  }

  /// Commits one action of any kind, and lends the state in the same critical section.
  @inlinable
  func dispatch<A: Action>(
    _ action: A, from site: CallSite, thenReading read: (StateAccess) -> Void
  ) {
    StateAddress.reading(action, as: A.self) { place in
      _ = commit(.one(A.self, place), from: site, isFocused: true) {
        read(StateAccess(place: $0))
      }
    }
  }

  /// Commits an array of actions of one type.
  @inlinable
  func dispatch<A: Action>(array actions: [A], from site: CallSite) -> DispatchTask {
    if actions.isEmpty { return DispatchTask() }
    return StateAddress.reading(elementsOf: actions) { place in
      let batch = Batch(
        A.self, place, count: actions.count, stride: MemoryLayout<A>.stride, isArray: true)
      return commit(batch, from: site)
    }
  }
}
