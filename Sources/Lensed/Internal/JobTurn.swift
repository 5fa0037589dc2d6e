/// How many steps a loop has made since it last let other jobs run.
///
/// A loop over something that is always there never waits, so it would keep its actor or its thread for ever. Steps
/// before and after a wait count alike, because a wait does not suspend if what it waits for is there already.
@usableFromInline
struct JobTurn: Sendable {
  /// A reader of states, which shows each of them to somebody.
  static var reading: JobTurn { JobTurn(length: 16) }

  /// A sequence of actions.
  ///
  /// On a machine of one core no other thread runs other jobs, such as the one that cancels it.
  @inlinable
  static var pulling: JobTurn { JobTurn(length: 4_096) }

  @usableFromInline
  let length: Int
  @usableFromInline
  var made = 0

  @inlinable
  init(length: Int) {
    self.length = length
  }

  /// Counts a step that is about to be made.
  ///
  /// - Returns: Whether the loop is to give way first: `Task.yield()`.
  @inlinable
  mutating func isOver() -> Bool {
    if made < length {
      made += 1
      return false
    }
    made = 1
    return true
  }

  /// Whether a reader is to give way first, which it does on an actor; off actors other threads run the other jobs.
  mutating func isOver(on actor: (any Actor)?) -> Bool {
    isOver() && actor != nil
  }
}
