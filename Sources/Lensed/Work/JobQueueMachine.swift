/// Who runs and who waits for a turn, by a policy, as a pure machine.
struct JobQueueMachine<Member: AnyObject & Sendable>: Sendable {
  /// What becomes of a job that arrives.
  enum Admission: Sendable {
    /// It starts, once the given ones were cancelled.
    case start(cancelling: [Member])
    /// It waits for its turn.
    case wait
    /// It is ignored.
    case ignore
  }

  private let policy: EffectPolicy
  private var running = InlineTable<ObjectIdentifier, Member>()
  /// Those who wait, in order, and some that have left.
  private var queue = RingBuffer<Member>()
  private var waiting: Set<ObjectIdentifier> = []
  private var isClosed = false
  /// The one that runs and has not given way, where the newest does.
  private var newest: Member?

  init(_ policy: EffectPolicy) {
    self.policy = policy
  }

  /// Those who run.
  var occupants: [Member] { running.values }

  /// How many wait for a turn.
  var waitingCount: Int { waiting.count }

  /// Whether a job waits for its turn.
  func isWaiting(_ job: Member) -> Bool { waiting.contains(ObjectIdentifier(job)) }

  mutating func admit(_ job: Member) -> Admission {
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

  /// Ignores whatever arrives from now on.
  mutating func close() {
    isClosed = true
  }

  /// A running job has ended.
  ///
  /// - Returns: The job whose turn has come; it runs.
  mutating func end(_ job: Member) -> Member? {
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

  /// Takes a job out of the line.
  ///
  /// - Returns: Whether it was waiting.
  mutating func withdraw(_ job: Member) -> Bool {
    guard waiting.remove(ObjectIdentifier(job)) != nil else { return false }
    // What has left is dropped in one go once it is the larger part.
    if queue.count > 2 * waiting.count + 8 {
      var rest = RingBuffer<Member>()
      while let next = queue.popFirst() {
        if waiting.contains(ObjectIdentifier(next)) { rest.append(next) }
      }
      queue = rest
    }
    return true
  }

  /// Those who wait, in order.
  var line: [Member] {
    var copy = queue
    var jobs: [Member] = []
    while let next = copy.popFirst() {
      if waiting.contains(ObjectIdentifier(next)) { jobs.append(next) }
    }
    return jobs
  }

  /// Everybody: those who wait, the last first, so that nobody's turn comes while all are cancelled,
  /// then those who run.
  var everybody: [Member] { line.reversed() + occupants }
}
