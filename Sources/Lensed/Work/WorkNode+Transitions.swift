// A transition is one step of a machine, with its consequences:
//
// 1. Under the lock, `State.perform` takes the step, and moves out what a finished state releases.
// 2. Without the lock, `complete` leaves the registry, resumes the waiters and reparents the children.
// 3. A finished work leaves its parent: that is a transition of the parent, in a loop up the tree.

extension WorkNode {
  func addClaim() {
    state.withLock { $0.machine.addClaim() }
  }

  /// Ends a claim.
  ///
  /// - Returns: Whether the work goes on, and has neither a parent nor a place in the registry.
  @discardableResult
  func endClaim() -> Bool {
    complete(state.withLock { $0.perform { $0.endClaim() } })
  }

  /// Ends the claim of a job whose code has returned: the step alone, under the lock of its queue.
  func beginEnd() -> Transition {
    state.withLock { $0.perform { $0.endClaim() } }
  }

  /// Notes that the work's own actions were applied, or failed.
  func markApplied(failure: (any Error)? = nil) {
    perform { $0.markApplied(failure) }
    reportUnseenError()
  }

  /// Notes that the last handle has gone.
  func releaseHandle() {
    state.withLock { $0.machine.hasHandle = false }
    reportUnseenError()
    reparentChildren()
  }

  /// Reports the error of the work's own actions, if no waiter has received it and none can come.
  private func reportUnseenError() {
    if let error = state.withLock({ $0.machine.takeUnseenError() }) {
      store.report(error, of: self)
    }
  }

  private func perform(_ step: (inout Machine) -> Machine.Transition) {
    _ = complete(state.withLock { $0.perform(step) })
  }

  /// Completes a transition, and those that it leads to further up.
  ///
  /// - Returns: Whether the work goes on, and has neither a parent nor a place in the registry.
  func complete(_ transition: consuming Transition) -> Bool {
    complete(&transition)
    guard let parent = transition.parent.take() else {
      if transition.isFinished { store.workChanged() }
      return transition.isDetached
    }
    var (child, above) = (self, parent)
    while let (adopter, next) = child.detach(from: above) {
      guard let next else { break }
      (child, above) = (adopter, next)
    }
    // Last, so that a thread that looks at the tree finds the work gone from it.
    store.workChanged()
    return false
  }

  /// Detaches the work from its effective parent, from `parent` up, and completes its transition.
  ///
  /// - Returns: The effective parent, and its own parent if the transition finished it; nil if there is none.
  private func detach(from parent: WorkNode) -> (adopter: WorkNode, next: WorkNode?)? {
    var work = parent
    while true {
      var next: WorkNode?
      let transition = work.state.withLock { state -> Transition? in
        if state.machine.hasReparented {
          next = state.parent
          return nil
        }
        return state.perform { $0.remove(self) }
      }
      if var transition {
        work.complete(&transition)
        return (work, transition.parent.take())
      }
      guard let next else { return nil }
      work = next
    }
  }

  /// Does what a transition left to be done without the lock.
  private func complete(_ transition: inout Transition) {
    // First, so that a waiter for the end of the work finds its queue without it.
    if transition.endsOwned { queue?.remove(self) }
    // Then this, so that a resumed waiter does not contend with this thread for the lock of the store.
    if let index = transition.registryIndex.take() { store.unregisterWork(at: index) }
    if transition.isCounted { store.uncountWork() }
    let outcome = transition.outcome
    transition.woken.forEach { $0.resume(returning: outcome) }
    if transition.mayReparent { reparentChildren() }
  }
}

extension WorkNode {
  /// What a step left to be done, and what a finished state has released.
  ///
  /// The references in it go when it does: outside of the lock, since their release may run other code.
  struct Transition: ~Copyable, Sendable {
    fileprivate let woken: InlineList<Waiter<WorkOutcome>>
    /// The outcome for the woken waiters.
    fileprivate let outcome: WorkOutcome
    /// Whether its code has returned, and its run goes on in works that it owns.
    fileprivate(set) var leavesOwned = false
    /// Whether it is yet to be told how its run ended.
    fileprivate(set) var isUntold = false
    /// Whether the last of these has ended.
    fileprivate var endsOwned = false
    /// Whether only children may be left.
    fileprivate var mayReparent = false
    /// Whether the work goes on, and has neither a parent nor a place in the registry.
    fileprivate var isDetached = false
    fileprivate var parent: WorkNode?
    fileprivate var task: Running?
    fileprivate var operation: Operation?
    fileprivate var context: DispatchContext?
    fileprivate var registryIndex: Int?
    fileprivate var isCounted = false
    fileprivate var isFinished = false
  }
}

extension WorkNode.State {
  /// Notes that it was told how the run ended.
  mutating func markTold() -> WorkNode.Transition { perform { $0.markTold() } }

  /// Takes a step.
  fileprivate mutating func perform(
    _ step: (inout WorkNode.Machine) -> WorkNode.Machine.Transition
  ) -> WorkNode.Transition {
    let result = step(&machine)
    var transition = WorkNode.Transition(woken: result.woken, outcome: machine.outcome)
    transition.leavesOwned = result.leavesOwned
    transition.endsOwned = result.endsOwned
    transition.isUntold = machine.isUntold
    if result.isFinished {
      transition.parent = parent.take()
      transition.task = task.take()
      transition.operation = operation.take()
      transition.context = context.take()
      transition.registryIndex = registryIndex.take()
      transition.isCounted = exchange(&isCounted, with: false)
      transition.isFinished = true
    } else {
      transition.mayReparent = parent != nil && machine.onlyChildrenLeft
      transition.isDetached = parent == nil && registryIndex == nil
    }
    return transition
  }
}
