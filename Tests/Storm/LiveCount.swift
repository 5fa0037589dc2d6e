internal import Synchronization

/// Counts the objects that are alive, so that a test can see them all gone.
///
/// ```swift
/// let alive = LiveCount()
/// let subscription = store.states.subscribe { [token = alive.token()] _ in _ = token }
/// ```
public final class LiveCount: Sendable {
  /// An object that counts as long as it lives.
  public final class Token: Sendable {
    private let count: LiveCount

    init(_ count: LiveCount) {
      self.count = count
      count.number.wrappingAdd(1, ordering: .relaxed)
    }

    deinit {
      count.number.wrappingSubtract(1, ordering: .releasing)
    }
  }

  private let number = Atomic(0)

  /// A count of none.
  public init() {}

  /// How many tokens are alive.
  public var value: Int { number.load(ordering: .acquiring) }

  /// One more object.
  public func token() -> Token { Token(self) }
}
