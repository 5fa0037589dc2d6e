/// An object that does something when it is let go.
public final class Bell: Sendable {
  private let ring: @Sendable () -> Void

  /// An object whose `deinit` runs `ring`.
  public init(_ ring: @escaping @Sendable () -> Void = {}) {
    self.ring = ring
  }

  deinit {
    ring()
  }
}
