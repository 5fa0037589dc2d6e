/// Somebody who hears of commits in commit order, without the lock: what triggers an effect, a
/// middleware.
struct CommitListener: Sendable {
  /// Which commits it hears of.
  enum Interest: Sendable {
    /// Every commit, before the observers.
    case everything
    /// Each action of a type, after the observers.
    case actions(any Action.Type)
    /// Commits in which a reducer ran that owns some of a part, and replacements; after the
    /// observers. What nil covers cannot be seen, so every handled commit may touch it.
    case part(Footprint?)
  }

  let interest: Interest
  /// Whether it wants to see the state before the commit.
  var needsPrevious = false
  /// Whether an action that it hears of counts as handled.
  var isHandler = false
  /// Where what it starts lines up, if it starts one job at most for each action.
  var line: (any WorkLine)?
  /// Called in commit order, one call at a time.
  let hear: @Sendable (_ report: CommitReport, _ subject: CommitReport.Subject) -> Void
}

/// Those who hear of each action of one type, with what of them is looked up for each.
final class Hearers: Sendable {
  let listeners: [CommitListener]
  /// Whether one wants to see the state before the commit.
  let needPrevious: Bool
  /// Whether the action counts as handled because of one.
  let haveHandler: Bool
  /// Where what is started lines up, if there is one listener and it starts one job at most.
  let line: (any WorkLine)?

  init(_ listeners: [CommitListener]) {
    self.listeners = listeners
    needPrevious = listeners.contains(where: \.needsPrevious)
    haveHandler = listeners.contains(where: \.isHandler)
    line = listeners.count == 1 ? listeners[0].line : nil
  }

  func tell(_ report: CommitReport, of subject: CommitReport.Subject) {
    for index in listeners.indices { listeners[index].hear(report, subject) }
  }
}

/// Listeners that come and go together.
struct Attachment: Sendable {
  var listeners: [CommitListener]
  /// The sub-state that it belongs to, if it goes with one.
  var slot: Int?
  /// Called once: when it is detached, or its store goes.
  var onRemove: @Sendable () -> Void = {}
}

/// One commit, as its listeners are told of it.
final class CommitReport: CommitBulletin {
  /// Of which action somebody hears.
  enum Subject: Sendable {
    /// None in particular.
    case none
    /// What was dispatched, which is a single action.
    case all
    /// One of several.
    case member(any Action)
  }

  /// Who hears of a commit after the observers, and of which of its actions.
  struct Hearings: ~Copyable, Sendable {
    // The first has fields of its own: most often there is no other, and no array is needed.
    private var hearers: Hearers?
    private var subject = Subject.none
    private var others: [(hearers: Hearers, subject: Subject)] = []

    var isEmpty: Bool { hearers == nil }

    /// Whether an action that somebody hears of counts as handled.
    var haveHandler: Bool {
      hearers?.haveHandler ?? false || others.contains { $0.hearers.haveHandler }
    }

    mutating func add(_ new: Hearers, hearOf newSubject: Subject = .none) {
      if new.listeners.isEmpty { return }
      if hearers == nil {
        (hearers, subject) = (new, newSubject)
      } else {
        others.append((new, newSubject))
      }
    }

    func tell(_ report: CommitReport) {
      hearers?.tell(report, of: subject)
      for other in others { other.hearers.tell(report, of: other.subject) }
    }
  }

  private let record: CommitRecord
  /// A boxed copy of the state after the commit.
  private let state: any AnyObject & Sendable
  /// A boxed copy of the state before it, where somebody wanted it.
  private let previous: (any AnyObject & Sendable)?
  /// What the commit's actions start is part of this; a claim on it is held until all were told.
  ///
  /// The claim of a sole listener is its own, to be ended, or given to the job.
  let work: Work?
  /// Whether that can be the one job that the commit starts, because only one listener hears of it.
  let isSole: Bool
  private let hasEarly: Bool
  /// Who hears of it, until they were told: an effect that keeps its context keeps the report, which must
  /// not keep the effect.
  private let listeners: Guarded<Listeners>

  private struct Listeners: ~Copyable, Sendable {
    var early: [CommitListener]
    var late: Hearings?
  }

  init(
    _ record: consuming CommitRecord, state: consuming any AnyObject & Sendable,
    previous: (any AnyObject & Sendable)?, work: Work?, early: [CommitListener],
    late: consuming Hearings, isSole: Bool = false
  ) {
    self.record = record
    self.state = state
    self.previous = previous
    self.work = work
    self.isSole = isSole
    hasEarly = !early.isEmpty
    listeners = Guarded(Listeners(early: early, late: late))
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

  /// Tells those who hear of it before the observers.
  func deliverEarly() {
    if !hasEarly { return }
    for listener in listeners.withLock({ exchange(&$0.early, with: []) }) {
      listener.hear(self, .none)
    }
  }

  /// Tells those who hear of it after the observers; the work then depends on what they started.
  func deliverLate() {
    let late = listeners.withLock { $0.late.take() }
    late?.tell(self)
    if !isSole { work?.end() }
  }
}

/// The listeners of a store, by what they want to hear of.
struct ListenerTable: Sendable {
  private var attachments: [(id: UInt64, attachment: Attachment)] = []
  /// Those who hear of every commit.
  private(set) var everything: [CommitListener] = []
  private var parts: [(listener: CommitListener, interest: Interest)] = []

  var isEmpty: Bool { attachments.isEmpty }

  /// Whether somebody hears of commits by what they touch.
  var hearsOfParts: Bool { !parts.isEmpty }

  mutating func add(_ attachment: Attachment, id: UInt64) {
    attachments.append((id, attachment))
  }

  /// Removes an attachment, and gives it, for its `onRemove` to be called without the lock.
  mutating func remove(_ id: UInt64) -> Attachment? {
    guard let index = attachments.firstIndex(where: { $0.id == id }) else { return nil }
    return attachments.remove(at: index).attachment
  }

  /// Removes what goes with a sub-state.
  mutating func remove(slot: Int) -> [Attachment] {
    defer { attachments.removeAll { $0.attachment.slot == slot } }
    return attachments.map(\.attachment).filter { $0.slot == slot }
  }

  /// Removes all.
  mutating func removeAll() -> [Attachment] {
    defer { self = ListenerTable() }
    return attachments.map(\.attachment)
  }

  /// Draws everybody's interest anew, after listeners or owners came or went.
  mutating func redraw(_ interest: (Footprint?) -> Interest) {
    (everything, parts) = ([], [])
    for listener in attachments.flatMap(\.attachment.listeners) {
      switch listener.interest {
      case .everything: everything.append(listener)
      case .part(let footprint): parts.append((listener, interest(footprint)))
      case .actions: break
      }
    }
  }

  /// Those who hear of each action of a type, in the order they were attached.
  func listeners(of type: any Action.Type) -> [CommitListener] {
    attachments.flatMap(\.attachment.listeners).filter {
      if case .actions(let own) = $0.interest { own == type } else { false }
    }
  }

  /// Whether somebody hears of commits in which the reducers of `slots` run.
  func isHeeding(_ slots: [Int]) -> Bool {
    parts.contains { part in
      switch part.interest {
      case .everything: !slots.isEmpty
      case .slots(let own): own.contains { slots.contains($0) }
      }
    }
  }

  /// Those whose interest was touched last by the present commit.
  func touched(_ isTouched: (Interest) -> Bool) -> [CommitListener] {
    parts.filter { isTouched($0.interest) }.map(\.listener)
  }
}
