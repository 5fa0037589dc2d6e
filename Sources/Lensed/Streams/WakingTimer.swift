internal import Synchronization

/// Rings once, at a moment of a clock, and wakes a reader.
///
/// 1. The task of the timer stores `true` with release ordering, then raises the signal.
/// 2. The reader loads with acquire ordering after it was woken, so it sees the store.
/// 3. A stale `false` is harmless: the reader waits, and the signal that was raised ends that wait at once.
final class WakingTimer: Sendable {
  private let isOver = Atomic(false)

  var hasRung: Bool { isOver.load(ordering: .acquiring) }

  /// Starts the task of the timer.
  ///
  /// A clock that fails ends the wait: there is nothing to wait for.
  func start<C: Clock, Element>(
    _ clock: C, until deadline: C.Instant, wakes reader: Reader<Element>
  ) -> Task<Void, Never> {
    let signal = reader.signal
    return Task.start(on: reader.taskExecutor) {
      try? await clock.sleep(until: deadline, tolerance: nil)
      if Task.isCancelled { return }
      self.isOver.store(true, ordering: .releasing)
      signal.raise()
    }
  }
}
