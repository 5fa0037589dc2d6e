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
  /// Those of the parts that the commit touched.
  private var ofParts: ActionListeners?

  var isEmpty: Bool { listeners == nil && ofParts == nil }

  /// Starts the job of a commit of one action, if no other listener is notified.
  var soleStarter: (any JobStarter)? {
    guard others.isEmpty, ofParts == nil, case .all = subject else { return nil }
    return listeners?.starter
  }

  /// Whether one of them may begin something.
  var begin: Bool { contain(\.begin) }

  /// Whether one of them is called after the observers.
  var areNotified: Bool { contain(\.areNotified) }

  /// Whether an action counts as handled because of a listener.
  var handleActions: Bool { contain(\.handleActions) }

  var needPrevious: Bool { contain(\.needPrevious) }

  /// Whether there is an action of which something is notified that is in children.
  var haveActionForChildren: Bool { contain(\.areInChildren) }

  private func contain(_ isMeant: (ActionListeners) -> Bool) -> Bool {
    listeners.map(isMeant) ?? false || ofParts.map(isMeant) ?? false
      || others.contains { isMeant($0.listeners) }
  }

  mutating func add(_ new: ActionListeners, of newSubject: Subject = .none) {
    if new.listeners.isEmpty { return }
    if listeners == nil {
      (listeners, subject) = (new, newSubject)
    } else {
      others.append((new, newSubject))
    }
  }

  /// Adds those of the parts that the commit touched.
  mutating func add(ofParts listeners: ActionListeners) { ofParts = listeners }

  /// Lets them decide, under the lock: those of parts, and then those of each action in its order.
  func decide(_ decisions: inout CommitDecisions, _ actions: CommittedActions) {
    ofParts?.decide(&decisions, of: nil)
    if let listeners { decide(listeners, subject, &decisions, actions) }
    for other in others { decide(other.listeners, other.subject, &decisions, actions) }
  }

  private func decide(
    _ listeners: ActionListeners, _ subject: Subject, _ decisions: inout CommitDecisions,
    _ actions: CommittedActions
  ) {
    if !listeners.decide { return }
    decisions.place.member =
      if case .member(let place) = subject { Int32(clamping: place) } else { 0 }
    listeners.decide(&decisions, of: subject.action(in: actions))
  }

  func notify(_ report: any CommitReport, within work: WorkNode?) {
    let actions = report.actions
    listeners?.notify(report, of: subject.action(in: actions), within: work)
    for other in others {
      other.listeners.notify(report, of: other.subject.action(in: actions), within: work)
    }
    ofParts?.notify(report, of: nil, within: work)
  }
}

/// The listeners that are yet to be notified of one commit.
@usableFromInline
struct PendingListeners: ~Copyable, Sendable {
  let early: ActionListeners
  /// What is decided after those, before the observers.
  let decisions: [CommitDecisions.Later]
  let late: NotifiedListeners
  /// The work that whatever the commit starts belongs to; a claim on it is held until all are notified.
  let work: WorkNode?
}
