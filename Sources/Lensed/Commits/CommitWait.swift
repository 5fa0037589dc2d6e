/// The wait of one task of an effect for a commit.
///
/// A test makes the dispatch that it waits for. So while it lasts, the work counts as at rest.
final class CommitWait: Sendable {
  private let signal = Signal()
  private let sleep = Locked<WorkSleep?>(nil)

  /// Wakes the task, or has its next wait end at once.
  func raise() {
    sleep.withLock { $0.take() }?.end()
    signal.raise()
  }

  /// Ends every wait, now and later.
  func end() {
    sleep.withLock { $0.take() }?.end()
    signal.end()
  }

  /// Waits until it is raised, ends, or the task is cancelled; not, if `isReady` finds that it was raised before.
  nonisolated(nonsending) func wait(unless isReady: () -> Bool) async {
    let sleep = WorkSleep()
    let former = self.sleep.withLock { exchange(&$0, with: sleep) }
    withExtendedLifetime(former) {}
    // Whoever raises it from here on ends the sleep.
    if !isReady() {
      sleep.begin()
      await signal.wait()
    }
    sleep.end()
  }
}
