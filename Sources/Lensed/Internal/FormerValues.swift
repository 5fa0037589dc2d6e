internal import Synchronization

/// What a reader needs of a part that might not be there, or lies in one: the way to the part itself, and the values
/// that reading has replaced.
///
/// They are those that it replaced under the lock of a store, until the reader has left the lock.
///
/// The release of a value may run a user's `deinit`, which must not run under a lock. So the reader releases them
/// afterwards, with `release`. A relaxed load tells whether there are any:
///
/// 1. A thread that reads for itself writes `hasValues` in `deferRelease`, reads it in `release`, and sees its write.
/// 2. A thread that commits may keep values for another that delivers. The delivery passes a lock, after which the
///    deliverer sees the write.
/// 3. What is kept after that waits for the next `release`, or for the limit. So a stale `false` is harmless.
@usableFromInline
final class FormerValues: Sendable {
  typealias Lend = @Sendable (_ state: StateAddress, _ body: (StateAddress) -> Void) -> Bool

  /// How many wait for a reader that does not come: one that was cancelled, or whose buffer is full.
  private static let limit = 64

  /// Those of the part that the part is in.
  private let outer: FormerValues?
  /// Lends the part itself, and never a last value; returns false, and calls nothing, while it is not there.
  let lend: Lend
  private let values = Locked<[any Sendable]>([])
  private let hasValues = Atomic(false)

  init(inside outer: FormerValues?, lend: @escaping Lend) {
    (self.outer, self.lend) = (outer, lend)
  }

  /// Keeps a value until `release`; under the lock of the store.
  func deferRelease(_ value: some Sendable) {
    let count = values.withLock { values in
      values.append(value)
      hasValues.store(true, ordering: .relaxed)
      return values.count
    }
    if count == Self.limit { Task.detached { self.release() } }
  }

  /// Releases the kept values; to be called without a lock.
  @usableFromInline
  func release() {
    outer?.release()
    if !hasValues.load(ordering: .relaxed) { return }
    let kept = values.withLock { values in
      hasValues.store(false, ordering: .relaxed)
      return exchange(&values, with: [])
    }
    withExtendedLifetime(kept) {}
  }
}
