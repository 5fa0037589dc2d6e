/// Somebody waits for what can only end after the waiter has.
public struct DispatchDeadlock: Error, Sendable, Hashable, CustomStringConvertible {
  /// The effect or sequence that waits.
  public let waiter: String
  /// What it waits for.
  public let awaited: String

  /// What happened and what to do.
  public var description: String {
    """
    Lensed: \(waiter) waits for finish() of \(awaited), which cannot end before \(waiter) has. \
    Let \(waiter) return first, and wait where the dispatch was made, or wait with \
    finish(.applied) for the actions alone.
    """
  }
}
