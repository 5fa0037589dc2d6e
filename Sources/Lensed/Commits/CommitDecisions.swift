// What a commit decides of runs:
//
// 1. In the commit, under the lock, after its reducers: listeners that `decide` end runs and begin them, for all its
//    actions in their order. What ends with a part of the state comes first: it is decided on the state after the commit.
// 2. Without the lock, the thread that committed does what was decided (`JobDecisions`), before the observers: it stops
//    what has ended, and then starts what has begun, in order. A job that was ended in between never gets a task.
// 3. What asks code of the user's is deferred in step 1. The deliverer of the commit asks that code, before the
//    observers, and then decides in one turn at the lock (`StoreCore.decide`). `EffectDeferrals` knows what has ended an
//    effect between the commit and that turn.

/// What is decided of one commit, in one turn at the lock of the store.
struct CommitDecisions: Sendable {
  /// Decides, without the lock, once the user's code has been asked that has a say.
  typealias Later = @Sendable (_ report: any CommitReport, _ work: WorkNode?) -> Void

  /// The state after the commit; for one that is delivered, the present one.
  let state: StateAddress
  var place: CommitPlace
  let cause: CommitCause
  /// The actions of the commit, and how deep they name what it touched; none where it is delivered.
  var named: (actions: CommittedActions, depth: ElementDepth) = (.none, .none)
  /// The work that whatever begins belongs to.
  let work: WorkNode?
  var jobs: JobDecisions
  private(set) var later: [Later] = []
  /// What is to record the later commits.
  private(set) var backlogs: [ChangeBuffer] = []
  private let commit: (any CommitReport)?

  init(
    _ state: StateAddress, at place: CommitPlace, _ cause: CommitCause,
    of report: (any CommitReport)?, under work: WorkNode?, by ender: RunEnder = .ordinary
  ) {
    (self.state, self.place, self.cause, self.work) = (state, place, cause, work)
    (commit, jobs) = (report, JobDecisions(ender: ender))
  }

  var report: any CommitReport {
    if let commit { return commit }
    fatalError(
      "Lensed: a listener that begins nothing asked for its commit; this is a fault of Lensed.")
  }

  /// Has a backlog begin with the next commit.
  mutating func add(_ backlog: ChangeBacklog) -> ChangeBacklog {
    backlogs.append(backlog.buffer)
    return backlog
  }

  mutating func decideLater(_ later: @escaping Later) { self.later.append(later) }
}

extension DeliveryKind {
  /// What such a commit ends runs by.
  var ender: RunEnder {
    switch self {
    case .ordinary: .ordinary
    case .journey, .echo: .journey
    case .replay: .replay
    }
  }
}

extension WorkNode {
  /// Stands for the undo, redo or jump that has ended the run whose end the work tells, with the number of the commit
  /// that set off the run; nil if another commit has ended it.
  var toldJourney: DeliveredCommit? {
    guard case .ending(_, by: .journey) = label else { return nil }
    return DeliveredCommit(revision: cause, kind: .journey)
  }
}

extension StoreCore {
  /// Decides in one turn at the lock, and does what was decided; nothing, if the store has gone.
  func decide(
    at place: CommitPlace, of report: any CommitReport, under work: WorkNode?,
    _ body: (inout CommitDecisions) -> Void
  ) {
    let jobs = withLock("decided what an effect begins") { protected -> JobDecisions? in
      if protected.table.isClosed { return nil }
      // Where no commit is delivered, as after a wait for a lull, the trigger's says nothing of what ends runs now.
      var decisions = CommitDecisions(
        state, at: place, report.cause, of: report, under: work,
        by: baton.mark.own?.kind.ender ?? .ordinary)
      body(&decisions)
      protected.log.add(decisions.backlogs)
      updateRecording(&protected)
      return decisions.jobs
    }
    jobs?.perform(attack)
  }
}
