public import LensedTesting

/// Opens a gate when the last reference to it has gone.
///
/// ```swift
/// let isGone = Gate()
/// let subscription = store.states.subscribe { [last = LastReference(isGone)] _ in _ = last }
/// …
/// try await isGone.wait()
/// ```
public final class LastReference: Sendable {
  private let isGone: Gate

  /// An object that opens `isGone` when it goes.
  public init(_ isGone: Gate) {
    self.isGone = isGone
  }

  deinit {
    isGone.open()
  }
}
