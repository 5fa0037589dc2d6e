/// An error: a wait would never end, because its target cannot end before the waiter does.
public struct DispatchDeadlock: Error, Sendable, Hashable, CustomStringConvertible {
  /// The effect or sequence that waits.
  public let waiter: String
  /// The dispatch that it waits for; or the wait itself, if that is for a store to settle.
  public let awaited: String
  /// Whether it waits for a store to settle.
  private let isSettling: Bool

  init(_ waiter: WorkLabel, waitsFor awaited: WorkLabel) {
    (self.waiter, self.awaited) = ("\(waiter)", "\(awaited)")
    isSettling = if case .settling = awaited { true } else { false }
  }

  /// The cause and the remedy.
  public var description: String {
    if isSettling {
      return """
        Lensed: \(awaited) is made by \(waiter), which is under way in that store, or is waited for there: the \
        store cannot settle before \(waiter) has ended. Let \(waiter) return first, and wait where the store \
        was made.
        """
    }
    return """
      Lensed: \(waiter) waits for finish() of \(awaited), which cannot end before \(waiter) has. \
      Let \(waiter) return first, and wait where the dispatch was made, or wait with \
      finish(.applied) for the actions alone.
      """
  }
}
