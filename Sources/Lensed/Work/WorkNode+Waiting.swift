extension WorkNode {
  /// Waits for its end; cancelling the waiting task cancels it.
  ///
  /// The wait then lasts until what the cancellation reaches has ended. Where the waiting task is a run that
  /// was ended for its own sake, it is over at once: what the run owns ends with it, and what this work has
  /// caused goes on.
  ///
  /// - Throws: The error of its own actions, `CancellationError` after a cancel, or a
  ///   `DispatchDeadlock` when the waiter would wait for itself.
  nonisolated(nonsending) func wait(for extent: WorkExtent) async throws {
    let id = WaitGraph.makeID()
    let inner = WorkNode.current.map {
      WaitGraph.Wait(id: id, waiter: $0, target: self, extent: extent)
    }
    let verdict = await withTaskCancellationHandler {
      await Waiter.wait { turnstile in
        // Asked under the lock: the handler comes after the task was marked, and narrows under the lock.
        let (outcome, isCancelled) = state.withLock { state in
          let isCancelled = Task.isCancelled
          let extent = isCancelled && extent == .everything ? .cancelled : extent
          return (state.machine.wait(turnstile, id, for: extent), isCancelled)
        }
        if let outcome {
          turnstile.resume(returning: .over(outcome))
        } else if let inner {
          WaitGraph.enter(inner)
        }
        if isCancelled, let inner, inner.waiter.hasRunEnded { leave(id) }
      }
    } onCancel: {
      cancelWait(id, of: inner?.waiter)
    }
    if let inner { WaitGraph.leave(inner) }
    switch verdict {
    case .over(.success): return
    case .over(.cancelled): throw CancellationError()
    case .over(.failure(let error)): throw error
    case .deadlocked:
      throw DispatchDeadlock(waiter: "\(inner?.waiter.role ?? label)", awaited: "\(label)")
    }
  }

  /// Whether its own run was ended, and nothing beyond that.
  private var hasRunEnded: Bool { state.withLock { $0.machine.fate.cancelled == .run } }

  private func leave(_ id: UInt64) {
    state.withLock { $0.machine.leave(id) }?.resume(returning: .over(.cancelled))
  }

  private func cancelWait(_ id: UInt64, of waiter: WorkNode?) {
    if let waiter, waiter.hasRunEnded {
      leave(id)
    } else {
      cancelInTurn()
      state.withLock { $0.machine.narrow(id) }?.resume(returning: .over(.cancelled))
    }
  }

  /// Ends a wait that could never end.
  func breakWait(_ id: UInt64) {
    state.withLock { $0.machine.leave(id) }?.resume(returning: .deadlocked)
  }
}
