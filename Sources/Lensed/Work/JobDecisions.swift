/// What was decided about jobs in one turn at the lock of their store, and is to be done once that is released.
///
/// The cycle:
///
/// 1. Under the lock, `end` revokes jobs: none of their commits begins from then on. A `JobQueue` admits new ones. So
///    of two decisions in one turn the later one finds what the earlier one has decided.
/// 2. Without the lock, `perform` stops what has ended, and then starts what has begun, in its order.
///
/// A job counts as begun once it is admitted: every later cancellation reaches it, although its task may have yet to be
/// created.
struct JobDecisions: Sendable {
  /// Jobs that were revoked.
  private var ended: [WorkNode] = []
  /// Jobs whose turn has come, in the order in which they were admitted.
  private var begun = InlineList<WorkNode>()
  /// Jobs that wait for their turn.
  private var waiting: [WorkNode] = []
  /// Jobs that never begin; and whether because what they belong to was cancelled.
  private var refused: [(job: WorkNode, isCancelled: Bool)] = []
  /// What may run a user's `deinit`.
  private var trash: [any Sendable] = []

  // MARK: Under the lock

  /// Ends jobs: no commit of what they have under way begins once the lock is released.
  ///
  /// `end` is why, for those that are to be told.
  mutating func end(_ jobs: [WorkNode], as end: EffectEnd = .cancelled) {
    guard let store = jobs.first?.store else { return }
    for job in jobs { job.note(end) }
    trash.append(WorkNode.revokeCommits(of: jobs, in: store))
    ended += jobs
  }

  mutating func begin(_ job: WorkNode) { begun.append(job) }

  mutating func wait(_ job: WorkNode) { waiting.append(job) }

  mutating func refuse(_ job: WorkNode, isCancelled: Bool = false) {
    forget(job)
    refused.append((job, isCancelled))
  }

  /// Lets a job tell nobody how it ended.
  mutating func forget(_ job: WorkNode) {
    if let ending = job.forgetEnding() { trash.append(ending) }
  }

  /// Keeps something until the lock is released.
  mutating func keep(_ object: any Sendable) { trash.append(object) }

  // MARK: Without the lock

  /// Whether nothing was decided.
  var isEmpty: Bool {
    begun.isEmpty && ended.isEmpty && waiting.isEmpty && refused.isEmpty && trash.isEmpty
  }

  /// Does what was decided; `attack` is called between the steps, where a test wants other code to act.
  consuming func perform(_ attack: (@Sendable () -> Void)? = nil) {
    for (job, isCancelled) in refused {
      if isCancelled { job.cancel() }
      job.endClaim()
    }
    if !ended.isEmpty { WorkNode.drop(ended) }
    begun.forEach { job in
      attack?()
      (job.queue as? JobQueue)?.begin(job)
    }
    for job in waiting { (job.queue as? JobQueue)?.noteWaiting(job) }
  }
}
