/// One commit, as its listeners are told of it.
///
/// Effects keep it for as long as their context is kept, so it knows nothing of who hears of it.
final class CommitReport: Sendable {
  /// Of which action somebody hears.
  enum Subject: Sendable {
    /// None in particular.
    case none
    /// What was dispatched, which is a single action.
    case all
    /// One of several.
    case member(any Action)
  }

  private let record: CommitRecord
  /// A boxed copy of the state after the commit.
  private let state: any AnyObject & Sendable
  /// A boxed copy of the state before it, where somebody wanted it.
  private let previous: (any AnyObject & Sendable)?

  @inline(__always)
  init(
    _ record: consuming CommitRecord, state: consuming any AnyObject & Sendable,
    previous: (any AnyObject & Sendable)?
  ) {
    self.record = record
    self.state = state
    self.previous = previous
  }

  var cause: CommitCause { record.cause }
  var revision: UInt64 { record.revision }

  /// The action that somebody hears of.
  func action(_ subject: Subject) -> (any Action)? {
    switch subject {
    case .none: nil
    case .all: record.action
    case .member(let action): action
    }
  }

  /// The commit, as those see it who know the type of the state, which `part` reads; made anew each
  /// time, since most often nobody asks for it.
  func change<State: Sendable>(of part: PartReader<State>) -> Change<State> {
    guard let state = state as? Boxed<State> else {
      // Its own store boxed it, and only effects and middleware of that store hear of it.
      fatalError("Lensed: a commit was told to a stranger to its state; this is a fault of Lensed.")
    }
    return Change(
      record, state: state, previous: previous as? Boxed<State>, keepsPrevious: previous != nil,
      part: part)
  }
}
