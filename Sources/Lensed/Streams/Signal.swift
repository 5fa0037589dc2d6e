/// What a task waits on: the signal machine, its lock, and the continuation.
final class Signal: Sendable {
  private let machine = Locked(SignalMachine<CheckedContinuation<Void, Never>>())

  init() {}

  /// Tells whoever waits, or will.
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
      await withCheckedContinuation { continuation in
        machine.withLock { $0.wait(continuation) }?.resume()
      }
    } onCancel: {
      end()
    }
  }
}
