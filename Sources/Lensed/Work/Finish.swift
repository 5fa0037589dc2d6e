// How `finish()` knows that all is finished:
//
// 1. The machine of a work says whether that is over: `isFinished`, or `isOver` for a wait that covers less (`WorkExtent`). What
//    keeps a work unfinished is counted in `WorkMachine`.
// 2. Each transition that may end something (`makeTransition`) removes the waits that are over.
// 3. Without the lock, `WorkNode.complete` resumes them. A finished work leaves its parent, which is a transition of the
//    parent: so the end goes up the tree, to the work that `DispatchTask.finish` waits for.
//
// The cycle of a wait:
//
// 1. Under the lock of the state the machine adds the waiter, or answers with the outcome.
// 2. A wait made inside a work is then added to the `WaitGraph`, which may break it.
// 3. Whichever comes first resumes the waiter: a transition, a cancellation, the graph, or the closing of
//    the store. Each removes the waiter from the machine under the lock, so it is resumed once.
//
// A cancellation of the waiting task is not lost, although its handler may run before step 1:
//
// 1. The task is marked as cancelled before the handler runs.
// 2. The handler and step 1 both take the lock of the state.
// 3. If the handler comes first, step 1 reads the mark and waits with the narrower extent.
// 4. If step 1 comes first, the handler finds the waiter and narrows its wait.

/// How much of a work a wait covers.
enum WorkExtent: Sendable {
  /// Everything that a cancellation reaches. Effects that belong to the state are not waited for.
  case cancelled
  /// The work's own actions.
  case applied
  /// Its actions, and everything that they started.
  case everything
}

/// The result of a wait for a work.
enum WorkOutcome: Sendable {
  case success
  /// An action of the work itself failed.
  case failure(any Error)
  case cancelled
  /// The wait would never have ended.
  case deadlocked
}

// MARK: Whether it is over

extension WorkMachine {
  /// What a step has ended, to be acted upon without the lock.
  struct Transition: Sendable {
    /// The waits that are over.
    var woken = InlineList<Waiter>()
    /// Whether the step finished the work.
    var isFinished = false
    /// Whether the work's own code has returned, and the run goes on in works that it owns.
    var leavesOwned = false
    /// Whether the step ended the last of these.
    var endsOwned = false
  }

  /// Whether nothing is left: no action of its own, no code, and no child.
  var isFinished: Bool { isApplied && claims == 0 && links.isEmpty && !isUntold }

  /// The result of a wait that is over.
  var outcome: WorkOutcome {
    if cancellation == .abandoned { return .success }
    if reportsCancellation { return .cancelled }
    return error.map(WorkOutcome.failure) ?? .success
  }

  /// Whether a wait with this extent has nothing left to wait for.
  func isOver(_ extent: WorkExtent) -> Bool {
    switch extent {
    case .applied: isApplied
    case .everything: isFinished
    case .cancelled:
      isApplied && claims == 0 && !isUntold
        && !links.contains { $0.relation != .independent }
    }
  }

  /// Finishes the work if nothing keeps it unfinished, and removes the waits that are over.
  mutating func makeTransition() -> Transition {
    var transition = Transition()
    if !waits.isEmpty { transition.woken = removeSatisfiedWaits() }
    if isFinished && !hasEnded {
      hasEnded = true
      transition.isFinished = true
    }
    return transition
  }

  mutating func removeSatisfiedWaits() -> InlineList<Waiter> {
    // Asked before: a closure that asks would copy all of this.
    let (isApplied, isFinished, isCancelled) = (isApplied, isFinished, isOver(.cancelled))
    let woken = waits.removeAll { wait in
      switch wait.extent {
      case .applied: isApplied
      case .everything: isFinished
      case .cancelled: isCancelled
      }
    }
    .map(\.waiter)
    if !woken.isEmpty { isErrorSeen = true }
    return woken
  }
}

// MARK: The waits

extension WorkMachine {
  /// Adds a wait; or returns the outcome, if there is nothing to wait for.
  mutating func wait(_ waiter: Waiter, _ id: UInt64, for extent: WorkExtent) -> WorkOutcome? {
    if cancellation == .abandoned || isOver(extent) {
      isErrorSeen = true
      return outcome
    }
    waits[id] = (extent, waiter)
    return nil
  }

  /// Removes a wait; returns its waiter.
  mutating func endWait(_ id: UInt64) -> Waiter? {
    defer { waits[id] = nil }
    return waits[id]?.waiter
  }

  /// Shortens a wait for everything, to last until all that a cancellation reaches has ended; removes it and returns
  /// its waiter, if that is so already.
  mutating func narrowWait(_ id: UInt64) -> Waiter? {
    guard let wait = waits[id], wait.extent == .everything else { return nil }
    waits[id] = (.cancelled, wait.waiter)
    return isOver(.cancelled) ? endWait(id) : nil
  }

  /// Returns the error of the work's own actions, once, if no waiter has received it and none can come.
  mutating func takeUnseenError() -> (any Error)? {
    guard let error, !isErrorSeen, !hasHandle, !reportsCancellation, cancellation < .abandoned,
      waits.isEmpty
    else { return nil }
    isErrorSeen = true
    return error
  }
}

// MARK: Waiting

extension WorkNode {
  /// Waits for the end of the work.
  ///
  /// Cancelling the waiting task cancels the work, and so does ending the run that waits. The wait then lasts until
  /// everything that the cancellation reaches has ended. If the wait is for the work's own actions alone, and it is the
  /// run that was ended, or an attempt of one, and not its whole tree, the wait is over at once: what the run owns ends
  /// with it, and what this work has caused goes on.
  ///
  /// A wait that only observes the work is ended by the cancellation of its task, and cancels nothing.
  ///
  /// - Throws: The error of the work's own actions, `CancellationError` after a cancel, or
  ///   `DispatchDeadlock` if the waiter would wait for itself.
  nonisolated(nonsending) func wait(
    for extent: WorkExtent, isObserving: Bool = false
  ) async throws {
    let id = WaitGraph.makeID()
    let inner = WorkNode.current.map {
      PendingWait(id: id, waiter: $0, target: self, extent: extent)
    }
    let isAwaited =
      extent == .everything && !isObserving && inner?.waiter.beginAwaiting(self) ?? false
    defer { if isAwaited { inner?.waiter.endAwaiting(self) } }
    let outcome = await withTaskCancellationHandler {
      await Waiter.wait { waiter in
        let (outcome, isCancelled) = state.withLock { state in
          let isCancelled = Task.isCancelled
          let isNarrow = isCancelled && extent == .everything && !isObserving
          let extent = isNarrow ? .cancelled : extent
          return (state.machine.wait(waiter, id, for: extent), isCancelled)
        }
        if let outcome {
          waiter.resume(returning: outcome)
        } else if let inner {
          WaitGraph.add(inner)
          inner.waiter.store.workChanged()
        }
        if isCancelled && isObserving {
          endWait(id, with: .cancelled)
        } else if isCancelled, extent != .everything, let inner, inner.waiter.isRunEnded {
          endWait(id, with: .cancelled)
        }
      }
    } onCancel: {
      if isObserving { return endWait(id, with: .cancelled) }
      cancelWait(id, extent == .everything ? nil : inner?.waiter)
    }
    if let inner { WaitGraph.remove(inner) }
    switch outcome {
    case .success: return
    case .cancelled: throw CancellationError()
    case .failure(let error): throw error
    case .deadlocked:
      throw DispatchDeadlock(inner?.waiter.waitLabel ?? label, waitsFor: label)
    }
  }

  /// Whether the work's own run was ended, or the attempt whose code it runs, and nothing beyond that.
  private var isRunEnded: Bool {
    let (cancellation, children) = state.withLock { state in
      let cancellation = state.machine.cancellation
      return (cancellation, cancellation == .none ? state.machine.children : [])
    }
    if cancellation == .run { return true }
    return children.contains { $0.isAttempt && $0.hasOwnCode && $0.isRunEnded }
  }

  private var isAttempt: Bool {
    if case .attempt = label { true } else { false }
  }

  /// Notes that the code of this work waits for all of another, which the end of this run is to end; if this run was
  /// ended already, cancels the other work at once, and returns false.
  private func beginAwaiting(_ work: WorkNode) -> Bool {
    // What belongs to another store is cancelled by the handler of the wait.
    if work.store !== store || work === self { return false }
    let isEnded = state.withLock { state in
      if !state.machine.isCancelled { state.awaited.append(work) }
      return state.machine.isCancelled
    }
    if isEnded { work.cancelFromHandler() }
    return !isEnded
  }

  private func endAwaiting(_ work: WorkNode) {
    let removed = state.withLock { state -> WorkNode? in
      state.awaited.firstIndex { $0 === work }.map { state.awaited.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }

  private func cancelWait(_ id: UInt64, _ waiter: WorkNode?) {
    if let waiter, waiter.isRunEnded {
      endWait(id, with: .cancelled)
    } else {
      cancelFromHandler()
      state.withLock { $0.machine.narrowWait(id) }?.resume(returning: .cancelled)
    }
  }
}

// MARK: The errors of effects

extension WorkNode {
  /// The first error that an effect in the tree threw and did not catch.
  var effectError: (any Error)? { state.withLock { $0.effectError } }

  /// Notes an error that the work's code threw, for callers that wait for the work or for one above it: all are in the
  /// tree, because the code has yet to end.
  func noteEffectError(_ error: any Error) {
    var next: WorkNode? = self
    while let work = next {
      next = work.state.withLock { state in
        if state.effectError == nil { state.effectError = error }
        return state.parent
      }
    }
  }
}
