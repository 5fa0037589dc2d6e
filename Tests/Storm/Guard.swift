internal import Synchronization

/// Tells whether two threads are in one place at once.
public final class Guard: Sendable {
  private let isTaken = Atomic(false)

  /// A place that nobody is in.
  public init() {}

  /// Goes in.
  ///
  /// - Returns: Whether nobody else was there.
  public func enter() -> Bool {
    isTaken.compareExchange(
      expected: false, desired: true, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Goes out.
  public func leave() {
    isTaken.store(false, ordering: .releasing)
  }
}
