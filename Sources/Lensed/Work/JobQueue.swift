/// The jobs of one effect, or of one asynchronous mutator: those that run, those that wait, and those whose code
/// has returned while sequences of theirs go on.
///
/// The cycle of a job:
///
/// 1. Under the lock of the store it attaches to its parent, and is admitted: it starts, waits, or is refused, by the
///    policy. `JobDecisions` has the rest.
/// 2. When its turn comes, its operation starts its task, in the context of its dispatch if it has one.
/// 3. When its code has returned, `finish` lets the next job start and ends the claim of this one.
/// 4. If sequences are left that it owns, it lingers until the last of them has ended, and then `remove` is called.
///    It lingers, too, until it has been told how its run ended, if it is to be.
///
/// The mutable state is `machine`, under its own lock. Nothing else is called under that lock but the
/// capture of a context, and the step that ends the claim of a job.
final class JobQueue: WorkQueue {
  private let machine: Locked<JobQueueMachine<WorkNode>>
  /// Whether no job ever waits: each starts at once, or is ignored.
  let neverWaits: Bool
  private let isBounded: Bool

  /// The clock of the pause between its runs, and the pause after the last one.
  private let pause: SilenceClock?
  private let lastPause: Locked<Silence>

  let label: WorkLabel?
  /// Where its effect is written.
  private let site: Boxed<CallSite>?
  /// Whether its jobs are waits for a lull, of which each starts another job.
  let holdsLulls: Bool
  /// Called without a lock when the last job has ended or was withdrawn.
  private let onEmpty: (@Sendable () -> Void)?

  init(
    _ policy: EffectPolicy, of label: WorkLabel? = nil, at site: Boxed<CallSite>? = nil,
    silence: Duration? = nil, holdsLulls: Bool = false, onEmpty: (@Sendable () -> Void)? = nil
  ) {
    (self.label, self.site) = (label, site)
    self.holdsLulls = holdsLulls
    self.onEmpty = onEmpty
    (neverWaits, isBounded) = (policy.limit == nil, policy.bound != nil)
    pause = policy.pause
    lastPause = Locked(Silence(of: policy.pause?.length ?? .zero))
    machine = Locked(JobQueueMachine(policy, silence: silence))
  }

  /// Attaches a new job to its parent, and admits it; called under the lock of the store.
  ///
  /// The job has a claim, which the queue ends. It is refused if its parent was cancelled, or if `wait`, which has led
  /// to it, was stopped. The newest job of `former`, which is `.latest`, ends before it is admitted.
  ///
  /// - Returns: How long the silence lasts, if the job comes too soon; it is refused then.
  @discardableResult
  func admit(
    _ job: WorkNode, under parent: WorkNode? = nil, after wait: WorkNode? = nil,
    ending former: JobQueue? = nil, at now: Duration? = nil, isLate: Bool = false,
    into decisions: inout JobDecisions
  ) -> Duration? {
    if let parent, job.adoption(by: parent) == .cancelled {
      decisions.refuse(job, isCancelled: true)
      return nil
    }
    if let wait, wait.isStopped {
      decisions.refuse(job)
      return nil
    }
    if let waiting = former?.newest {
      decisions.forget(waiting)
      decisions.end([waiting], as: .superseded)
    }
    if let context = parent?.context { job.setContext(context) }
    let admission = machine.withLock { machine -> JobQueueMachine<WorkNode>.Admission in
      let admission = machine.admit(job, at: now, isLate: isLate)
      // Under the lock: once the lock is released, the thread that ends the job before it may start it.
      if case .wait = admission {
        job.captureContext()
        if job.isStopped { machine.noteStopped(job) }
      }
      return admission
    }
    switch admission {
    case .ignore:
      decisions.refuse(job)
    case .start(let others):
      job.beginTrace(after: wait, at: site)
      // A lull that begins anew is no end of a run; what ended a wait before that is told.
      if holdsLulls { for other in others where !other.isStopped { decisions.forget(other) } }
      decisions.end(others, as: .superseded)
      decisions.begin(job)
    case .wait(let oldest):
      job.beginTrace(after: wait, at: site)
      if let oldest { decisions.end([oldest], as: .superseded) }
      decisions.wait(job)
    case .tooSoon(let rest):
      decisions.refuse(job)
      return rest
    }
    return nil
  }

  /// Admits a job of a queue in which none waits, for a caller that starts it, or refuses it; called under the lock of
  /// the store.
  func admitAlone(_ job: WorkNode, into decisions: inout JobDecisions) -> Bool {
    guard case .start(let others) = machine.withLock({ $0.admit(job) }) else {
      decisions.refuse(job)
      return false
    }
    job.beginTrace(at: site)
    if !others.isEmpty { decisions.end(others, as: .superseded) }
    return true
  }

  /// Starts a job that was admitted, without a lock.
  func begin(_ job: WorkNode) {
    if job.isStopped {
      // It was ended before its task was created.
      _ = job.takeOperation()
      finish(job)
    } else {
      start(job)
    }
  }

  /// Looks, without a lock, whether a job that waits has to: not, if it was cancelled, or would wait for ever.
  func noteWaiting(_ job: WorkNode) {
    job.recordWait()
    if job.isCancelled { withdraw(job) }
    WaitGraph.recheck(job)
  }

  /// Whether a job that came now would come too soon.
  func isSilent(at now: Duration) -> Bool { machine.withLock { $0.isSilent(at: now) } }

  /// Whether no job runs, waits or lingers.
  var isEmpty: Bool { machine.withLock { $0.isEmpty } }

  /// The jobs that run, those that linger, and those that wait.
  var allJobs: [WorkNode] { machine.withLock { $0.allJobs } }

  /// The job that the next one supersedes, under `.latest`: all others were stopped.
  var newest: WorkNode? {
    machine.withLock { $0.newest }.flatMap { $0.isStopped ? nil : $0 }
  }

  /// Whether it leaves a pause between runs.
  var hasPause: Bool { pause != nil }

  /// Waits, in the task of a job whose turn has come, until the pause after the last run is over.
  ///
  /// - Returns: Whether the job begins; not, if the queue was closed meanwhile.
  nonisolated(nonsending) func waitForPause(_ job: WorkNode) async throws -> Bool {
    guard let pause, machine.withLock({ $0.isPausing(job) }) else { return true }
    if let rest = restOfPause { try await pause.sleep(rest) }
    return machine.withLock { $0.endPause(of: job) }
  }

  /// What is left of the pause after the last run; asked without a lock, because it asks a clock.
  private var restOfPause: Duration? {
    guard let now = pause?.now else { return nil }
    return lastPause.withLock { $0.rest(at: now) }
  }

  /// Notes that the code of a run has returned; called without a lock, because it asks a clock.
  func noteRunEnd() {
    guard let pause else { return }
    let now = pause.now
    lastPause.withLock { $0.begin(at: now) }
  }

  /// Lets the jobs that run pause no longer.
  func endPauses() {
    for job in machine.withLock({ $0.runningJobs }) { job.endPause() }
  }

  /// Ignores every job from now on, including those of commits whose notification is pending; returns those to be
  /// stopped, or only those that wait.
  func close(retiring isRetiring: Bool = false) -> [WorkNode] {
    machine.withLock { machine in
      machine.close()
      return isRetiring ? machine.jobsToBegin : machine.allJobs
    }
  }

  func blockers(of work: WorkNode) -> [WorkNode] {
    machine.withLock { $0.isWaiting(work) ? $0.runningJobs : [] }
  }

  func noteStopped(_ job: WorkNode) {
    if isBounded { machine.withLock { $0.noteStopped(job) } }
  }

  func withdraw(_ job: WorkNode) {
    if machine.withLock({ $0.withdraw(job, lingers: job.ending != nil) }) {
      job.recordEnd(.cancelled)
      job.endClaim()
    }
    if let onEmpty, isEmpty { onEmpty() }
  }

  /// Lets the next job start, because the code of a job has returned; returns the same as `endClaim`.
  @discardableResult
  func finish(_ job: WorkNode) -> Bool {
    var next: WorkNode?
    // In one step: what ends an effect finds the job until nothing is left that its run owns.
    let end = machine.withLock { machine -> WorkNode.Transition in
      let end = job.beginEnd()
      next = machine.finish(job, lingers: end.leavesOwned || end.isUntold)
      return end
    }
    let isToBeTold = end.isUntold && !end.leavesOwned
    if !end.leavesOwned { job.recordEnd(holdsLulls ? .ignored : .finished) }
    let isDetached = job.complete(end)
    // Before the next one starts, whose flags it might clear otherwise.
    if isToBeTold { WorkNode.tell([job]) }
    if let next { start(next) } else if let onEmpty, isEmpty { onEmpty() }
    return isDetached
  }

  func remove(_ job: WorkNode) {
    // Once it is told, it comes back here.
    job.recordEnd(holdsLulls ? .ignored : .finished)
    if job.ending != nil { return WorkNode.tell([job]) }
    machine.withLock { $0.remove(job) }
    if let onEmpty, isEmpty { onEmpty() }
  }

  private func start(_ job: WorkNode) {
    // From here on, a job that needs no pause runs.
    if hasPause, restOfPause == nil { _ = machine.withLock { $0.endPause(of: job) } }
    // What begins with a pause begins after it.
    if holdsLulls || hasPause { job.recordWait() } else { job.recordBegin() }
    if let context = job.context {
      context.run { self.startHere(job) }
    } else if job.isSetOffElsewhere {
      job.makeContext().run { self.startHere(job) }
    } else {
      startHere(job)
    }
  }

  private func startHere(_ job: WorkNode) {
    guard let operation = job.takeOperation() else {
      // A job is withdrawn under the lock of the queue: before its turn, or not at all.
      fatalError("Lensed: the turn of a job came that had ended; this is a fault of Lensed.")
    }
    operation.start(as: job)
  }
}

extension WorkNode: QueuedJob {}

/// Code for a task of its own, in which the job may have been stopped by then.
struct BodyOperation: Operation {
  private let body: @Sendable (_ work: WorkNode) async -> Void

  init(_ body: @escaping @Sendable (_ work: WorkNode) async -> Void) {
    self.body = body
  }

  consuming func start(as work: WorkNode) {
    work.setTask(
      WorkNode.Running.start(on: work.store.taskExecutor) { [body] in
        await WorkNode.$current.withValue(work) { await body(work) }
        (work.queue as? JobQueue)?.finish(work)
      })
  }
}

// MARK: What a commit decides of jobs

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
  /// What ends the runs that are ended here.
  let ender: RunEnder
  /// Jobs that were revoked.
  private(set) var ended: [WorkNode] = []
  /// Jobs whose turn has come, in the order in which they were admitted.
  private var begun = InlineList<WorkNode>()
  /// Jobs that wait for their turn.
  private var waiting: [WorkNode] = []
  /// Jobs that never begin; and whether because what they belong to was cancelled.
  private var refused: [(job: WorkNode, isCancelled: Bool)] = []
  /// What may run a user's `deinit`.
  private var trash: [any Sendable] = []

  init(ender: RunEnder = .ordinary) { self.ender = ender }

  // MARK: Under the lock

  /// Ends jobs, for a reason: no commit of what they have under way begins once the lock is released.
  ///
  /// Where a former commit has ended them, `former` says what that ends runs by.
  mutating func end(
    _ jobs: [WorkNode], as end: EffectEnd = .cancelled, by former: RunEnder? = nil
  ) {
    guard let store = jobs.first?.store else { return }
    for job in jobs { job.note(end, by: former ?? ender) }
    trash.append(WorkNode.revokeCommits(of: jobs, in: store))
    ended += jobs
  }

  mutating func begin(_ job: WorkNode) { begun.append(job) }

  mutating func wait(_ job: WorkNode) { waiting.append(job) }

  mutating func refuse(_ job: WorkNode, isCancelled: Bool = false) {
    // What was cancelled with its dispatch has ended, and is told.
    if !isCancelled { forget(job) }
    refused.append((job, isCancelled))
  }

  /// Lets the end of a job go unreported.
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
