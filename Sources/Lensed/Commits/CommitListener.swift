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
  /// Who starts the job, if it is one at most for each action.
  var taker: (any JobStarter)?
  /// Lent the state under the lock as the listener is attached: it hears of every commit after that one.
  var begin: (@Sendable (_ state: StateAddress) -> Void)?
  /// Called once it is attached, without the lock.
  var didBegin: (@Sendable () -> Void)?
  /// Called in commit order, one call at a time; what it starts is part of `work`.
  let hear:
    @Sendable (_ report: any CommitReport, _ subject: ReportSubject, _ work: WorkNode?) -> Void
}

/// Those who hear of each action of one type, with what of them is looked up for each.
final class Hearers: Sendable {
  let listeners: [CommitListener]
  /// Whether one wants to see the state before the commit.
  let needPrevious: Bool
  /// Whether the action counts as handled because of one.
  let haveHandler: Bool
  /// Who starts the job, if there is one listener and it starts one at most; and where that lines up.
  let taker: (any JobStarter)?
  let queue: (any WorkQueue)?

  init(_ listeners: [CommitListener]) {
    self.listeners = listeners
    needPrevious = listeners.contains(where: \.needsPrevious)
    haveHandler = listeners.contains(where: \.isHandler)
    taker = listeners.count == 1 ? listeners[0].taker : nil
    queue = taker?.queue
  }

  func tell(_ report: any CommitReport, of subject: ReportSubject, within work: WorkNode?) {
    for index in listeners.indices { listeners[index].hear(report, subject, work) }
  }
}

/// Listeners that come and go together.
struct Attachment: Sendable {
  var listeners: [CommitListener]
  /// The owner that it belongs to, if it goes with one.
  var tenure: OwnershipEpoch?
  /// Stops what they started; called once, when it is detached, or its store goes.
  var stop: @Sendable () -> Void = {}
  /// Called once, after that.
  var onRemove: @Sendable () -> Void = {}
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

  /// Removes an attachment, and gives it, to be stopped without the lock.
  mutating func remove(_ id: UInt64) -> Attachment? {
    guard let index = attachments.firstIndex(where: { $0.id == id }) else { return nil }
    return attachments.remove(at: index).attachment
  }

  /// Removes what goes with a sub-state.
  mutating func remove(slot: Int) -> [Attachment] {
    defer { attachments.removeAll { $0.attachment.tenure?.slot == slot } }
    return attachments.map(\.attachment).filter { $0.tenure?.slot == slot }
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
    !slots.isEmpty && parts.contains { $0.interest.isConcerned(by: slots) }
  }

  /// Whether somebody who hears of such commits wants to see the state before them.
  func needPrevious(of slots: [Int]) -> Bool {
    parts.contains { $0.listener.needsPrevious && $0.interest.isConcerned(by: slots) }
  }

  /// Whether somebody who hears of commits by what they touch wants to see the state before them.
  var partsNeedPrevious: Bool { parts.contains { $0.listener.needsPrevious } }

  /// Those whose interest was touched last by the present commit.
  func touched(_ isTouched: (Interest) -> Bool) -> [CommitListener] {
    parts.filter { isTouched($0.interest) }.map(\.listener)
  }
}
