/// The state after a commit, on the heap, with what is known of the commit.
///
/// It is one object for both, because what an effect pays for most is memory that one core takes and
/// another gives back.
@usableFromInline
final class CommitSnapshot<State: Sendable>: Sendable {
  // In front of the state, and so at the same place for every type of it.
  @usableFromInline
  let record: CommitRecord
  /// The state before the commit, where somebody wanted it.
  @usableFromInline
  let previous: Boxed<State>?
  @usableFromInline
  let state: State

  @inlinable
  @inline(__always)
  init(_ state: consuming State, of record: consuming CommitRecord, previous: Boxed<State>?) {
    self.record = record
    self.previous = previous
    self.state = state
  }
}
