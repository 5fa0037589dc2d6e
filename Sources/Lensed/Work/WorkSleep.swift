internal import Synchronization

/// The sleep of a piece of code on something that a test controls: a clock, a gate.
///
/// While it lasts, the store of the running work counts that work as at rest: its code goes on only when the test
/// moves it. So a test can wait until a store has come to rest, without a limit of time.
///
/// ```swift
/// let sleep = WorkSleep()                  // in the task that is about to sleep
/// …                                        // it sleeps
/// sleep.end()                              // in the thread that wakes it, right before it does
/// ```
package final class WorkSleep: Sendable {
  /// Changes with each sleep and each wait, so that a check of several works can tell that none moved.
  static let epoch = Atomic<UInt64>(0)

  private let work: WorkNode?
  private let isOver = Atomic(false)

  /// The current code begins to sleep; to be called without a lock.
  ///
  /// Outside of effects and sequences it concerns no store.
  package init() {
    work = WorkNode.current
    guard let work else { return }
    work.state.withLock { $0.sleeperCount += 1 }
    Self.noteChange()
    work.store.workChanged()
  }

  /// The name of the work that sleeps, if it is one.
  package var name: String? { work.map { "\($0.waitLabel)" } }

  deinit {
    end()
  }

  /// The code is about to go on; doing it again does nothing.
  package func end() {
    guard let work, !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    work.state.withLock { $0.sleeperCount -= 1 }
    Self.noteChange()
  }

  static func noteChange() {
    epoch.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }
}
