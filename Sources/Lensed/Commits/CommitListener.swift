// The cycle of a listener:
//
// 1. Listeners that come and go together are an `Attachment`, which may also judge actions before they are applied. The
//    `ListenerTable` holds all of them. Attaching, and detaching, invalidate the routes.
// 2. When a route is made, the table finds the listeners of its type, and of the parts that its reducers may touch. A
//    route whose commits concern no listener is *plain*, and only plain routes have direct reducers. So an ordinary
//    dispatch pays nothing for listeners, and an effect of another action costs it nothing.
// 3. In a commit, under the lock, recorders record it, and then listeners `decide`: `CommitDecisions`. Both are code of
//    this package alone.
// 4. After the commit, in the order of commits, listeners are notified by the thread that delivers. Middleware of users
//    is notified there, and judges before the lock is taken.

/// Something that is notified of commits beside observers and readers: an effect, an asynchronous reducer,
/// a middleware, a history.
struct CommitListener: Sendable {
  enum Selection: Sendable {
    /// Every commit, before the observers; not those of a replay.
    case everyCommit
    /// Each action of a type, in the commit or after the observers; those of a replay, if it only ends something.
    case actions(any Action.Type)
    /// Each action of any type, in the commit or after the observers; those of a replay, if it only ends something.
    case everyAction
    /// Commits that touch a part, in them or after the observers. Nil covers a part
    /// that cannot be seen, so every handled commit touches it.
    case part(Footprint?)
    /// Every commit, under the lock of the store, in the commit itself: for code of this package alone.
    case recording(CommitRecorder)
    /// Commits that touch a part, under the lock of the store, after the reducers: for what ends with a child of
    /// the state.
    case guarding(Footprint, any ChildGuard)
  }

  /// Is given the commit, the action that it is about, and the work that whatever it starts belongs to.
  typealias Notify =
    @Sendable (_ report: any CommitReport, _ action: (any Action)?, _ work: WorkNode?) -> Void
  /// Is given the action that it is about, under the lock of the store.
  typealias Decide =
    @Sendable (_ decisions: inout CommitDecisions, _ action: (any Action)?) -> Void

  let selection: Selection
  /// Called in the commit, under the lock, after its reducers; for each action in its order.
  var decide: Decide?
  /// Called after the commit, in commit order, one call at a time; nil for what acts under the lock.
  var notify: Notify?
  /// Whether what it decides may begin something, now or later: then the commit is kept for that.
  var needsReport = false
  /// Whether it needs the state before the commit.
  var needsPrevious = false
  /// Whether commits are to know the way back to the store: not all do, as a weak reference makes each count of the
  /// references to the core cost more.
  var needsHome = false
  /// Whether an action that it selects counts as handled.
  var handlesActions = false
  /// Where it is written, if it reduces in the place of an owner.
  var site: CallSite?
  /// Starts the job, where there is one job at most for each action.
  var starter: (any JobStarter)?
  /// Locates the child that an action is for, where it is in children.
  var child: ChildLocator?
  /// Whether of the commits that touch its part it is for those alone that replace the state: no route leads to it.
  var isOfReplacements = false
  /// Whether it begins something, and not only ends it: a retired attachment has no such listener.
  var begins = false
  /// Whether it ends something with an action, and begins and reduces nothing: replayed actions are for these alone.
  var onlyEnds: Bool { decide != nil && !begins && !handlesActions }
  /// Whether it is notified of the state in which it is attached, before every commit, in their order.
  var startsAtOnce = false
  /// Is lent the state under the lock as the listener is attached.
  ///
  /// The next commit is the first one that it is notified of.
  var onAttach: (@Sendable (_ revision: UInt64, _ state: StateAddress) -> Void)?
  /// Called once it is attached, without the lock.
  var didAttach: (@Sendable () -> Void)?
}

/// Records commits under the lock of the store.
struct CommitRecorder: Sendable {
  /// Given the present state as it is attached; returns what it dropped, which is released without the lock.
  var begin: @Sendable (_ start: CommitRecord) -> [any Sendable] = { _ in [] }
  /// Called before the commit.
  var prepare: (@Sendable (_ state: StateAddress) -> Void)?
  /// Called after it; returns what it dropped, which is released without the lock.
  let record: @Sendable (CommitRecord) -> (any AnyObject & Sendable)?
  /// Called without the lock after each commit, by the thread that made it.
  var afterwards: (@Sendable () -> Void)?
  /// Called without the lock as a run of an effect waits, begins, and has ended; it only takes that in.
  ///
  /// `afterwards` follows. Where it is nil, nothing is paid for runs.
  var run: (@Sendable (RecordedRun) -> Void)?
}

/// Listeners that are attached and detached together.
struct Attachment: Sendable {
  var listeners: [CommitListener]
  /// What attaching does, for the message of a trap.
  var purpose = "installed an effect"
  var judge: ActionJudge?
  /// The owners that it belongs to; it is detached with the last of them, and with none it stays.
  var epochs: [OwnershipEpoch] = []
  /// The works that run or wait in the queues of the listeners; called under the lock of the store.
  var works: @Sendable () -> [WorkNode] = { [] }
  /// What the listeners are, for `Store.wiring`.
  var effects: @Sendable () -> [StoreWiring.WiredEffect] = { [] }
  /// Called once it is attached, after all that was attached with it.
  var didInstall: (@Sendable () -> Void)?
  /// Starts what waits for a lull.
  var flush: (@Sendable () -> Void)?
  /// Lets the listeners begin nothing more, and returns the jobs that are yet to begin, to be dropped; called under the
  /// lock of the store.
  var retire: @Sendable () -> [WorkNode] = { [] }
  /// Lets the listeners begin nothing more, and returns the jobs to be stopped; called once, under the lock of
  /// the store, when the listeners are detached, or without it when their store goes.
  var close: @Sendable () -> [WorkNode] = { [] }
  /// Called once, after that; stops what is no job.
  var onRemove: @Sendable () -> Void = {}
}

extension Attachment {
  var recordsRuns: Bool {
    listeners.contains { listener in
      guard case .recording(let recorder) = listener.selection else { return false }
      return recorder.run != nil
    }
  }

  /// The types of actions that it reduces in the place of an owner, and where.
  var reductions: [(type: any Action.Type, site: CallSite?)] {
    listeners.compactMap { listener in
      guard listener.handlesActions, case .actions(let type) = listener.selection else {
        return nil
      }
      return (type, listener.site)
    }
  }
}

/// The listeners for each action of one type, or for the parts that a commit touched.
final class ActionListeners: Sendable {
  let listeners: [CommitListener]
  let needPrevious: Bool
  let handleActions: Bool
  let decide: Bool
  /// Whether one of them may begin something, in the commit or when it is delivered.
  let begin: Bool
  let areNotified: Bool
  let areInChildren: Bool
  /// Starts the job, if there is one listener that starts one job at most.
  let starter: (any JobStarter)?
  private let noAction: (any Action)? = nil

  init(_ listeners: [CommitListener]) {
    self.listeners = listeners
    needPrevious = listeners.contains(where: \.needsPrevious)
    handleActions = listeners.contains(where: \.handlesActions)
    decide = listeners.contains { $0.decide != nil }
    begin = listeners.contains(where: \.needsReport)
    areNotified = listeners.contains { $0.notify != nil }
    areInChildren = listeners.contains { $0.child != nil }
    starter = listeners.count == 1 ? listeners[0].starter : nil
  }

  /// Whether one of them is of this type of action, and not of every action.
  var selectType: Bool {
    listeners.contains { if case .actions = $0.selection { true } else { false } }
  }

  /// Whether one of those in children looks for elements of a collection.
  var nameElements: Bool { listeners.contains { $0.child?.namesElements ?? false } }

  /// The same of no action in particular: the nil of an optional that is made for a call is released by a function that
  /// looks its type up.
  func notify(_ report: any CommitReport, within work: WorkNode?) {
    notify(report, of: noAction, within: work)
  }

  func notify(_ report: any CommitReport, of action: (any Action)?, within work: WorkNode?) {
    for index in listeners.indices { listeners[index].notify?(report, action, work) }
  }

  /// Adds what the listeners know of the children that an action is for; `areAlone` says that no reducer handles
  /// its type.
  func findChildren(
    for action: any Action, in state: StateAddress, areAlone: Bool, into search: inout ChildSearch
  ) {
    for listener in listeners {
      if let child = listener.child {
        child.find(state, action, &search)
      } else if listener.handlesActions {
        search.noteReached()
      } else if areAlone, case .actions = listener.selection {
        // What is of every action is not meant for this one.
        search.noteReached()
      }
    }
  }

  func decide(_ decisions: inout CommitDecisions, of action: (any Action)?) {
    for index in listeners.indices { listeners[index].decide?(&decisions, action) }
  }
}

/// What ends with a child of the state: decided in the commit that dismisses the child.
protocol ChildGuard: AnyObject, Sendable {
  var isNeeded: Bool { get }

  /// Ends what belongs to children that are gone; called under the lock after the commit `revision`, which may have
  /// touched them. Their queues forget the jobs.
  ///
  /// `depth` is how many collections deep it touched nothing but the elements that `actions` name.
  func stopGone(
    in state: StateAddress, after revision: UInt64, by actions: CommittedActions,
    depth: ElementDepth, into decisions: inout JobDecisions)
}

// MARK: Starting jobs

/// Starts at most one job for each action; if it alone listens to one, the work of the dispatch is that job.
protocol JobStarter: AnyObject, Sendable {
  var queue: any WorkQueue { get }

  /// Admits `work`, which has a claim, as the one job of a commit, under the lock; returns whether the caller is to
  /// start it without the lock. Otherwise the decisions have it.
  func admit(
    _ work: WorkNode, for report: any CommitReport, into decisions: inout CommitDecisions
  ) -> Bool

  func startJob(as work: WorkNode, for report: consuming any CommitReport)
}
