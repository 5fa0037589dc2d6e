/// How many steps a loop has made since it last let other jobs run.
///
/// A loop whose next element is always there never waits, so it would keep its actor for ever, and its thread. On a
/// machine of one core all other jobs need that thread, also the job that cancels the loop. Steps before and after a
/// wait count alike, because a wait does not suspend if what it waits for is there already.
@usableFromInline
struct JobTurn: Sendable {
  @usableFromInline
  var made = 0

  @inlinable
  init() {}

  /// Counts a step that is about to be made.
  ///
  /// A turn has 16 steps on an actor, such as the main one, which has other things to do. Elsewhere it has 4,096:
  /// giving way takes some microseconds.
  ///
  /// - Returns: Whether the loop is to give way first: `Task.yield()`.
  @inlinable
  mutating func isOver(on actor: (any Actor)?) -> Bool {
    if made < (actor == nil ? 4_096 : 16) {
      made += 1
      return false
    }
    made = 1
    return true
  }
}
