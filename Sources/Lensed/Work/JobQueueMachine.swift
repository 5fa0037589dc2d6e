/// Which jobs run and which wait for their turn, by a policy, as a pure machine.
///
/// A job is admitted once, and is then started, made to wait, or ignored. A waiting job is withdrawn, or
/// starts when a running job ends.
struct JobQueueMachine<Job: AnyObject & Sendable>: Sendable {
  /// The answer to a job that arrives.
  enum Admission: Sendable {
    /// It runs. The given jobs are to be cancelled first.
    case start(cancelling: [Job])
    /// It waits for its turn.
    case wait
    /// It is ignored.
    case ignore
  }

  private let policy: EffectPolicy
  private var running = InlineTable<ObjectIdentifier, Job>()
  /// The waiting jobs in order, among jobs that were withdrawn.
  private var queue = RingBuffer<Job>()
  private var waiting: Set<ObjectIdentifier> = []
  private var isClosed = false
  /// The running job that the next one supersedes, under `.latest` alone.
  private var newest: Job?

  init(_ policy: EffectPolicy) {
    self.policy = policy
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

  /// All jobs, in an order to cancel them in: the last waiting one first, then those that run.
  ///
  /// In this order no job starts while all are cancelled.
  var allJobs: [Job] { waitingJobs.reversed() + runningJobs }

  var isEmpty: Bool { running.isEmpty && waiting.isEmpty }

  func isWaiting(_ job: Job) -> Bool { waiting.contains(ObjectIdentifier(job)) }

  mutating func admit(_ job: Job) -> Admission {
    if isClosed || policy == .first && !running.isEmpty { return .ignore }
    if let limit = policy.limit, running.count >= limit {
      queue.append(job)
      waiting.insert(ObjectIdentifier(job))
      return .wait
    }
    running[ObjectIdentifier(job)] = job
    guard policy == .latest else { return .start(cancelling: []) }
    return .start(cancelling: exchange(&newest, with: job).map { [$0] } ?? [])
  }

  /// Ignores every job that arrives from now on.
  mutating func close() {
    isClosed = true
  }

  /// Removes a running job that has ended.
  ///
  /// - Returns: The waiting job whose turn has come; it runs now.
  mutating func finish(_ job: Job) -> Job? {
    running[ObjectIdentifier(job)] = nil
    if newest === job { newest = nil }
    guard let limit = policy.limit, running.count < limit else { return nil }
    while let next = queue.popFirst() {
      let id = ObjectIdentifier(next)
      guard waiting.remove(id) != nil else { continue }
      running[id] = next
      return next
    }
    return nil
  }

  /// Removes a waiting job.
  ///
  /// - Returns: Whether it was waiting.
  mutating func withdraw(_ job: Job) -> Bool {
    guard waiting.remove(ObjectIdentifier(job)) != nil else { return false }
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
