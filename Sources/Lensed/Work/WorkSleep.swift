internal import Synchronization

/// The sleep of a piece of code on something that a test controls: a clock, a gate, a commit.
///
/// While it lasts, the store of the running work counts that work as at rest: its code goes on only when the test
/// moves it. So a test can wait until a store has come to rest, without a limit of time.
///
/// ```swift
/// let sleep = WorkSleep()                  // in the task that is about to sleep
/// …                                        // it registers the sleep with what wakes it, and finds that it has to sleep
/// sleep.begin()                            // it sleeps
/// sleep.end()                              // in the thread that wakes it, right before it does
/// ```
///
/// A sleep that ends before it begins never counts: code that was woken while it looked is not at rest.
package final class WorkSleep: Sendable {
  /// Changes with each sleep and each wait, so that a check of several works can tell that none moved.
  static let epoch = Atomic<UInt64>(0)

  private enum Phase { case new, begun, over }

  private let work: WorkNode?
  /// Changes under the lock of the work.
  private let phase = Locked(Phase.new)

  /// A sleep of the current code, which is yet to begin.
  ///
  /// Outside of effects and sequences it concerns no store.
  package init() {
    work = WorkNode.current
  }

  /// The code sleeps, unless it was woken already; to be called without a lock.
  package func begin() {
    guard let work else { return }
    let begins = work.state.withLock { state in
      guard phase.withLock({ $0 }) == .new else { return false }
      phase.withLock { $0 = .begun }
      state.sleeperCount += 1
      return true
    }
    if !begins { return }
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
    guard let work else { return }
    let ends = work.state.withLock { state in
      let former = phase.withLock { exchange(&$0, with: .over) }
      if former == .begun { state.sleeperCount -= 1 }
      return former == .begun
    }
    if ends { Self.noteChange() }
  }

  static func noteChange() {
    epoch.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }
}
