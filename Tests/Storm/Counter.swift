internal import Synchronization

/// A number that threads count up together, without allocating.
public final class Counter: Sendable {
  private let number = Atomic(0)

  /// Returns when it has come to so much.
  nonisolated(nonsending) public func wait(for count: Int) async {
    while value < count { await Task.yield() }
  }

  /// A counter at zero.
  public init() {}

  /// How far it has counted.
  public var value: Int { number.load(ordering: .acquiring) }

  /// Counts one more.
  ///
  /// - Returns: The number before, from 0.
  @discardableResult
  public func increment() -> Int {
    number.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
  }
}
