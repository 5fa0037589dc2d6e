/// Wakes one waiting task: a signal machine with its lock, and the continuation of the task.
final class Signal: Sendable {
  private let machine = Locked(SignalMachine<Waiter<Void>>())

  /// Wakes the waiting task, or the next one that waits.
  func raise() {
    machine.withLock { $0.raise() }?.resume()
  }

  /// Ends every wait, now and later.
  func end() {
    machine.withLock { $0.end() }?.resume()
  }

  /// Waits until the signal is raised or the calling task is cancelled, which ends the signal.
  nonisolated(nonsending) func wait() async {
    await withTaskCancellationHandler {
      await Waiter.wait { waiter in
        machine.withLock { $0.wait(waiter) }?.resume()
      }
    } onCancel: {
      end()
    }
  }
}
