internal import Synchronization

/// How many root works a store has that it does not register, because their queues know them; and how many calls of
/// observers wait for another thread than the deliverer.
///
/// The number, and whether a caller waits for the works of the store, are one word:
/// 1. *Writers.* `add` is called under the lock of the store; or by the deliverer, for a call, before it gives the
///    baton up. `remove` is called without it, when such a work has finished. `beginAwait` sets the mark under the lock.
/// 2. *No end is missed.* `beginAwait` and `remove` modify one word, so one comes first. If `remove` comes first,
///    `beginAwait` returns the lower number. If `beginAwait` comes first, the one that removes reads the mark, and checks
///    the store.
/// 3. *A work that changes otherwise* reads the mark after it has changed under its own lock. A caller that
///    waits sets the mark, and then looks at the work under that lock: so it sees the change, or the work the
///    mark.
struct WorkCount: ~Copyable, Sendable {
  private static let mark = 1
  private static let one = 2

  /// The number, shifted by one bit, and the mark in the lowest one.
  private let word = Atomic(0)

  func add() {
    word.wrappingAdd(Self.one, ordering: .relaxed)
  }

  func remove() {
    word.wrappingSubtract(Self.one, ordering: .acquiringAndReleasing)
  }

  /// Notes that a caller waits.
  ///
  /// - Returns: The number of works.
  func beginAwait() -> Int {
    word.bitwiseOr(Self.mark, ordering: .acquiringAndReleasing).newValue / Self.one
  }

  /// Notes that no caller waits.
  func endAwait() {
    word.bitwiseAnd(~Self.mark, ordering: .releasing)
  }

  var isAwaited: Bool { word.load(ordering: .acquiring) & Self.mark != 0 }
}
