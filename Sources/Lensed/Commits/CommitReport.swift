/// One commit, as its listeners are notified of it, whatever the type of the state.
@usableFromInline
protocol CommitReport: CommitNotification {
  var record: CommitRecord { get }
  var cause: CommitCause { get }
  var revision: UInt64 { get }

  /// What was dispatched, as a whole.
  var action: (any Action)? { get }

  /// Lends the state after the commit, and the one before it where that was kept.
  func lendStates(_ body: (_ state: StateAddress, _ previous: StateAddress?) -> Void)

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

extension ReportSubject {
  /// The action; `whole` is what was dispatched.
  func action(_ whole: @autoclosure () -> (any Action)?) -> (any Action)? {
    switch self {
    case .none: nil
    case .all: whole()
    case .member(let action): action
    }
  }
}

extension CommitReport {
  /// The action that a listener is notified of.
  func action(_ subject: ReportSubject) -> (any Action)? { subject.action(action) }

  /// What a listener makes of the state after the commit.
  func read<Result>(_ body: (_ state: StateAddress) -> Result) -> Result {
    var result: Result?
    lendStates { state, _ in result = body(state) }
    return PartPath.lent(result)
  }

  /// Whether the commit touched nothing of a collection but the elements that its actions name.
  var isElementwise: Bool { record.isElementwise }

  /// Whether there was no commit, and the listener is notified of the state in which it was attached.
  var isInstallation: Bool { record.isInstallation }

  /// The single actions of the commit, in order.
  var members: [any Action] { record.members }
}
