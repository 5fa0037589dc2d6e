// Which jobs of a queue run, wait or are ignored: each verb answers a policy's question.
//
// - `admit`: a job has come. Under `.first` it may be ignored; under `.latest` it takes the place of the `newest`; beyond the
//   limit it waits, where the bound of the queue lets it; in a silence (`Silence`) it has come too soon.
// - `finish`: the code of a job has returned. The waiting job whose turn has come runs.
// - `withdraw`, `remove`: a job that waited, or lingered, has gone.
//
// `EffectPolicy.swift` says when each is asked. `JobQueue` holds the machine, and does what it answers.

/// A job, as the machine of its queue sees it.
protocol QueuedJob: AnyObject, Sendable {
  /// Whether it was stopped, and may have yet to notice.
  var isStopped: Bool { get }
}

/// Which jobs run and which wait for their turn, by a policy, as a pure machine.
///
/// A job is admitted once, and is then started, made to wait, or ignored. A waiting job is withdrawn, or
/// starts when a running job ends. A job whose code has returned lingers while its run owns sequences: the policy
/// counts it no longer, and it gives way, or is dropped, like one that runs.
///
/// With a silence, a job that comes too soon after one that has begun is not admitted.
struct JobQueueMachine<Job: QueuedJob>: Sendable {
  /// The answer to a job that arrives.
  enum Admission: Sendable {
    /// It runs. The given jobs are to be cancelled first.
    case start(cancelling: [Job])
    /// It waits for its turn. The given job that waits is to be cancelled first, if there is one.
    case wait(cancelling: Job?)
    /// It is ignored.
    case ignore
    /// It comes too soon: the silence lasts for this long.
    case tooSoon(Duration)
  }

  private let policy: EffectPolicy
  /// The time after an admitted job in which no other is; nil where there is none.
  private var silence: Silence?
  private var running = InlineTable<ObjectIdentifier, Job>()
  private var lingering = InlineTable<ObjectIdentifier, Job>()
  /// The waiting jobs in order, among jobs that were withdrawn.
  private var queue = RingBuffer<Job>()
  private var waiting: Set<ObjectIdentifier> = []
  private var isClosed = false
  /// The job that the next one supersedes, under `.latest` alone: it runs, or lingers.
  private var newest: Job?

  init(_ policy: EffectPolicy, silence: Duration? = nil) {
    self.policy = policy
    self.silence = silence.map(Silence.init)
  }

  var runningJobs: [Job] { running.values }

  /// The waiting jobs, in order.
  var waitingJobs: [Job] {
    var copy = queue
    var jobs: [Job] = []
    while let next = copy.popFirst() {
      if waiting.contains(ObjectIdentifier(next)) { jobs.append(next) }
    }
    return jobs
  }

  /// All jobs, in an order to cancel them in: the last waiting one first, then those that run or linger.
  ///
  /// In this order no job starts while all are cancelled.
  var allJobs: [Job] { waitingJobs.reversed() + runningJobs + lingering.values }

  var isEmpty: Bool { running.isEmpty && waiting.isEmpty && lingering.isEmpty }

  func isWaiting(_ job: Job) -> Bool { waiting.contains(ObjectIdentifier(job)) }

  /// Whether a job that came now would come too soon.
  func isSilent(at now: Duration) -> Bool { silence?.rest(at: now) != nil }

  /// Admits a job.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - now: The time, where there is a silence.
  ///   - isLate: Whether the job has waited for the end of the silence.
  /// - Returns: What becomes of it.
  mutating func admit(_ job: Job, at now: Duration? = nil, isLate: Bool = false) -> Admission {
    if isClosed { return .ignore }
    if let now, !isLate, let rest = silence?.rest(at: now) { return .tooSoon(rest) }
    // A stopped job that has yet to notice it is under way no longer.
    if policy.kind == .first && running.contains(where: { !$0.isStopped }) { return .ignore }
    let waits = policy.limit.map { running.count >= $0 } ?? false
    var oldest: Job?
    if waits, let bound = policy.bound {
      // One that was stopped, and has yet to leave, waits no longer.
      let others = waitingJobs.filter { !$0.isStopped }
      switch bound {
      case .most(let count): if others.count >= count { return .ignore }
      case .newest(let count): if others.count >= count { oldest = others.first }
      }
    }
    if let now { silence?.begin(at: now) }
    if waits {
      queue.append(job)
      waiting.insert(ObjectIdentifier(job))
      return .wait(cancelling: oldest)
    }
    running[ObjectIdentifier(job)] = job
    guard policy.kind == .latest else { return .start(cancelling: []) }
    return .start(cancelling: exchange(&newest, with: job).map { [$0] } ?? [])
  }

  /// Ignores every job that arrives from now on.
  mutating func close() {
    isClosed = true
  }

  /// Removes a running job whose code has returned; if its run goes on in what it owns, it lingers.
  ///
  /// - Returns: The waiting job whose turn has come; it runs now.
  mutating func finish(_ job: Job, lingers: Bool = false) -> Job? {
    running[ObjectIdentifier(job)] = nil
    if lingers {
      lingering[ObjectIdentifier(job)] = job
    } else if newest === job {
      newest = nil
    }
    guard let limit = policy.limit, running.count < limit else { return nil }
    while let next = queue.popFirst() {
      let id = ObjectIdentifier(next)
      guard waiting.remove(id) != nil else { continue }
      running[id] = next
      return next
    }
    return nil
  }

  /// Removes a job that lingers: its run is over.
  mutating func remove(_ job: Job) {
    lingering[ObjectIdentifier(job)] = nil
    if newest === job { newest = nil }
  }

  /// Removes a waiting job; it lingers, if its end is yet to be told.
  ///
  /// - Returns: Whether it was waiting.
  mutating func withdraw(_ job: Job, lingers: Bool = false) -> Bool {
    guard waiting.remove(ObjectIdentifier(job)) != nil else { return false }
    if lingers { lingering[ObjectIdentifier(job)] = job }
    // Withdrawn jobs are removed together, once they are the larger part of the queue.
    if queue.count > 2 * waiting.count + 8 {
      var rest = RingBuffer<Job>()
      while let next = queue.popFirst() {
        if waiting.contains(ObjectIdentifier(next)) { rest.append(next) }
      }
      queue = rest
    }
    return true
  }
}
