internal import Synchronization

/// Rings once, at a moment of a clock, and wakes a reader.
///
/// 1. The task of the timer stores `true` with release ordering, then raises the signal.
/// 2. The reader loads with acquire ordering after it was woken, so it sees the store.
/// 3. A stale `false` is harmless: the reader waits, and the signal that was raised ends that wait at once.
final class WakingTimer: Sendable {
  private final class Bell: Sendable {
    let hasRung = Atomic(false)
  }

  private let bell = Bell()
  private let task: Task<Void, Never>

  init<C: Clock>(_ clock: C, until deadline: C.Instant, wakes signal: Signal) {
    task = Task { [bell] in
      guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
      bell.hasRung.store(true, ordering: .releasing)
      signal.raise()
    }
  }

  var hasRung: Bool { bell.hasRung.load(ordering: .acquiring) }

  func cancel() {
    task.cancel()
  }
}
