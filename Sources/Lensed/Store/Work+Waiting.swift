extension Work {
  /// Waits for its end; cancelling the waiting task cancels it.
  ///
  /// - Throws: The error of its own actions, `CancellationError` after a cancel, or a
  ///   `DispatchDeadlock` when the waiter would wait for itself.
  nonisolated(nonsending) func wait(for extent: WorkExtent) async throws {
    let id = WaitGraph.makeID()
    let inner = Work.current.map {
      WaitGraph.Wait(id: id, waiter: $0, target: self, extent: extent)
    }
    let verdict = await withTaskCancellationHandler {
      await Turnstile.wait { turnstile in
        let outcome = desk.withLock { $0.machine.wait(turnstile, id, for: extent) }
        if let outcome {
          turnstile.resume(returning: .over(outcome))
        } else if let inner {
          WaitGraph.enter(inner)
        }
      }
    } onCancel: {
      cancelInTurn()
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

  /// Ends a wait that could never end.
  func breakWait(_ id: UInt64) {
    desk.withLock { $0.machine.leave(id) }?.resume(returning: .deadlocked)
  }
}
