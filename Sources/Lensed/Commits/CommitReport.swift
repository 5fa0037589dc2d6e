/// One commit, as its listeners are notified of it, whatever the type of the state.
@usableFromInline
protocol CommitReport: CommitNotification {
  var cause: CommitCause { get }
  var revision: UInt64 { get }

  /// What was dispatched, as a whole.
  var action: (any Action)? { get }

  /// The commit for a reader of a part; made anew each time, because few listeners ask for it.
  func change<Seen: Sendable>(of part: PartPath<Seen>) -> Change<Seen>
}

/// The action that a listener is notified of.
enum ReportSubject: Sendable {
  /// None in particular.
  case none
  /// What was dispatched, which is a single action.
  case all
  /// One of several.
  case member(any Action)
}

extension CommitReport {
  /// The action that a listener is notified of.
  func action(_ subject: ReportSubject) -> (any Action)? {
    switch subject {
    case .none: nil
    case .all: action
    case .member(let action): action
    }
  }
}
