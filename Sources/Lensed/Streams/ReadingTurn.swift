/// How many values a reader has taken since it last let the other jobs of its actor run.
///
/// A reader that finds something newer each time it looks never waits. On an actor, such as the main actor, it would
/// keep every other job from running. Values before and after a wait count alike, because a wait does not suspend
/// if its signal is already raised.
struct ReadingTurn: Sendable {
  /// How many values a reader takes in a row.
  static let count = 16

  private var taken = 0

  /// Counts a value that is about to be taken.
  ///
  /// - Returns: Whether the reader is to give way first: `Task.yield()`. Off actors other threads run the other jobs.
  mutating func isOver(on actor: (any Actor)?) -> Bool {
    if taken < Self.count {
      taken += 1
      return false
    }
    taken = 1
    return actor != nil
  }
}
