/// The listeners of one commit, each with the action that it is notified of.
///
/// It is moved, and never copied: each copy would count the references in it.
struct NotifiedListeners: ~Copyable, Sendable {
  /// The action that some listeners are notified of.
  enum Subject: Sendable {
    /// None in particular.
    case none
    /// What was dispatched, which is a single action.
    case all
    /// One of several, by its place among them.
    case member(Int)

    func action(in actions: CommittedActions) -> (any Action)? {
      switch self {
      case .none: nil
      case .all: actions.whole
      case .member(let index): actions.members[index]
      }
    }
  }

  // The first entry has fields of its own: most often there is no other, and no array is needed.
  private var listeners: ActionListeners?
  private var subject = Subject.none
  private var others: [(listeners: ActionListeners, subject: Subject)] = []

  var isEmpty: Bool { listeners == nil }

  /// Starts the job of a commit of one action, if no other listener is notified.
  var soleStarter: (any JobStarter)? {
    guard others.isEmpty, case .all = subject else { return nil }
    return listeners?.starter
  }
  /// Where that job waits for its turn.
  var soleQueue: (any WorkQueue)? { others.isEmpty ? listeners?.queue : nil }

  /// Whether an action counts as handled because of a listener.
  var handleActions: Bool { contain(\.handleActions) }

  var needPrevious: Bool { contain(\.needPrevious) }

  /// Whether there is an action of which something is notified that is in children.
  var haveActionForChildren: Bool { contain(\.areInChildren) }

  /// Whether some want to prepare under the lock.
  var wantToPrepare: Bool { contain(\.wantToPrepare) }

  private func contain(_ isMeant: (ActionListeners) -> Bool) -> Bool {
    listeners.map(isMeant) ?? false || others.contains { isMeant($0.listeners) }
  }

  mutating func add(_ new: ActionListeners, of newSubject: Subject = .none) {
    if new.listeners.isEmpty { return }
    if listeners == nil {
      (listeners, subject) = (new, newSubject)
    } else {
      others.append((new, newSubject))
    }
  }

  /// Lets those prepare, under the lock, that want to.
  func prepareNotification(_ state: StateAddress, _ actions: CommittedActions) {
    if let listeners, listeners.wantToPrepare {
      listeners.prepareNotification(state, subject.action(in: actions))
    }
    for other in others where other.listeners.wantToPrepare {
      other.listeners.prepareNotification(state, other.subject.action(in: actions))
    }
  }

  func notify(_ report: any CommitReport, within work: WorkNode?) {
    let actions = report.actions
    listeners?.notify(report, of: subject.action(in: actions), within: work)
    for other in others {
      other.listeners.notify(report, of: other.subject.action(in: actions), within: work)
    }
  }
}

/// The listeners that are yet to be notified of one commit.
@usableFromInline
struct PendingListeners: ~Copyable, Sendable {
  let early: ActionListeners
  let late: NotifiedListeners
  /// The work that whatever the commit starts belongs to; a claim on it is held until all are notified.
  let work: WorkNode?
  /// Whether the work is to be the one job that the commit starts, because only its starter is notified.
  let isSoleJob: Bool
}
