/// An error: a wait would never end, because its target cannot end before the waiter does.
public struct DispatchDeadlock: Error, Sendable, Hashable, CustomStringConvertible {
  /// The effect or sequence that waits.
  public let waiter: String
  /// The dispatch that it waits for.
  public let awaited: String

  /// The cause and the remedy.
  public var description: String {
    """
    Lensed: \(waiter) waits for finish() of \(awaited), which cannot end before \(waiter) has. \
    Let \(waiter) return first, and wait where the dispatch was made, or wait with \
    finish(.applied) for the actions alone.
    """
  }
}
