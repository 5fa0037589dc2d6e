/// A signal whose wait counts as a sleep of the running work: it waits for a dispatch, which a test makes.
final class SleepingSignal: Sendable {
  private let signal = Signal()
  private let sleep = Locked<WorkSleep?>(nil)

  func raise() {
    sleep.withLock { $0.take() }?.end()
    signal.raise()
  }

  func end() {
    sleep.withLock { $0.take() }?.end()
    signal.end()
  }

  /// Waits until it is raised; a raise before that counts.
  nonisolated(nonsending) func wait() async {
    let sleep = WorkSleep()
    self.sleep.withLock { $0 = sleep }
    await signal.wait()
    sleep.end()
  }
}
