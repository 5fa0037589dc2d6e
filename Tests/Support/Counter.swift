internal import Synchronization

/// A number that threads count up together, without allocating.
public final class Counter: Sendable {
  private let number = Atomic(0)

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
