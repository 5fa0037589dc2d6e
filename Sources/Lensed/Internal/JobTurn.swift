/// How many steps a loop has made since it last let other jobs run.
///
/// A loop whose next element is always there would keep its actor and its thread for ever, on one core also from the
/// job that cancels it. Steps before and after a wait count alike: a wait does not suspend if what it waits for is
/// there.
@usableFromInline
struct JobTurn: Sendable {
  @usableFromInline
  var made = 0

  @inlinable
  init() {}

  /// Counts a step that is about to be made; returns whether the loop is to give way first, by `Task.yield()`.
  ///
  /// A turn has 16 steps on an actor, such as the main one, and 4,096 elsewhere: giving way takes some microseconds.
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
