/// One commit, as its listeners are told of it, whatever the type of the state.
///
/// Effects keep it for as long as their context is kept, so it knows nothing of who hears of it.
@usableFromInline
protocol CommitReport: AnyObject, Sendable {
  var cause: CommitCause { get }
  var revision: UInt64 { get }

  /// What was dispatched, as a whole.
  var action: (any Action)? { get }

  /// The commit, as those see it who know the type of the state, which `part` reads; made anew each
  /// time, since most often nobody asks for it.
  func change<Seen: Sendable>(of part: PartPath<Seen>) -> Change<Seen>
}

/// Of which action somebody hears.
enum ReportSubject: Sendable {
  /// None in particular.
  case none
  /// What was dispatched, which is a single action.
  case all
  /// One of several.
  case member(any Action)
}

extension CommitReport {
  /// The action that somebody hears of.
  func action(_ subject: ReportSubject) -> (any Action)? {
    switch subject {
    case .none: nil
    case .all: action
    case .member(let action): action
    }
  }
}

extension CommitSnapshot: CommitReport {
  @usableFromInline
  var cause: CommitCause { record.cause }

  @usableFromInline
  var revision: UInt64 { record.revision }

  @usableFromInline
  var action: (any Action)? { record.action }

  @usableFromInline
  func change<Seen: Sendable>(of part: PartPath<Seen>) -> Change<Seen> {
    guard let kept = self as? CommitSnapshot<Seen> else {
      // Its own store took it, and only effects and middleware of that store hear of it.
      fatalError("Lensed: a commit was told to a stranger to its state; this is a fault of Lensed.")
    }
    return Change(
      record, state: .kept(kept), previous: kept.previous, keepsPrevious: previous != nil,
      part: part)
  }
}
