// How a policy decides, for a trigger that has led to a job:
//
// 1. In the commit of the trigger, under the lock of the store, `JobQueue.admit` asks `JobQueueMachine.admit`. The job
//    starts, waits or is ignored. Under `.latest` the machine names the `newest` job, which the new one supersedes.
// 2. `JobDecisions.end` revokes what was superseded, under the same lock: none of its commits begins any more.
// 3. Without the lock, `JobDecisions.perform` drops what was revoked (`CancellationPass`), and then starts what has begun.
// 4. When the code of a job has returned, `JobQueueMachine.finish` names the waiting job whose turn has come.
//
// The machine stands below; `JobQueue` and `JobDecisions` (`JobQueue.swift`) hold it, and do what it answers.

/// What happens to a new trigger while the effect is already running.
///
/// | policy | a new trigger, while one run is under way |
/// |---|---|
/// | `.concurrent` | starts beside it |
/// | `.latest` | cancels it and starts at once: no further commit of the older run begins |
/// | `.first` | is ignored |
/// | `.serial` | waits its turn, in commit order |
/// | `.limited(n)` | starts beside it while fewer than `n` run, else waits its turn |
///
/// The queue of `.serial` and `.limited(n)` can be bounded, and slowed down:
///
/// ```swift
/// Effect(on: Notice.self, .serial.keepingNewest(3).pausing(for: .seconds(1))) { … }
/// ```
///
/// How long a run counts:
///
/// - Until its code has returned, with the sequence that it returns or awaits.
/// - A sequence that the run has dispatched without awaiting it goes on beside the next run. It ends with whatever ends its
///   own run, such as a newer run of `.latest`.
/// - A run that was cancelled, and has not noticed yet, keeps its place under `.serial` and `.limited`. Under `.first` it
///   no longer counts: a new trigger starts beside it.
/// - A run that is past its limit (`timedOut`), and has not noticed yet, counts under every policy, because it may be tried
///   again.
public struct EffectPolicy: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case concurrent, latest, first, serial
    case limited(Int)
  }

  /// How many triggers may wait.
  enum Bound: Sendable, Hashable {
    /// At most this many: a newer one takes the place of the oldest.
    case newest(Int)
    /// At most this many: a newer one is ignored.
    case most(Int)

    var count: Int {
      switch self {
      case .newest(let count), .most(let count): count
      }
    }
  }

  let kind: Kind
  private(set) var bound: Bound?
  /// The pause between runs.
  private(set) var pause: SilenceClock?

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// All run side by side.
  public static let concurrent = EffectPolicy(.concurrent)
  /// The newest cancels those before it.
  ///
  /// What a cancelled run still dispatches is ignored.
  public static let latest = EffectPolicy(.latest)
  /// While one runs that was not cancelled, others are ignored.
  public static let first = EffectPolicy(.first)
  /// One after another, in commit order.
  public static let serial = EffectPolicy(.serial)

  /// At most this many side by side; the others wait in commit order.
  ///
  /// It is at least 1.
  public static func limited(_ count: Int) -> EffectPolicy { EffectPolicy(.limited(count)) }

  /// This policy, under which at most `count` triggers wait: a newer one takes the place of the oldest that waits.
  ///
  /// ```swift
  /// Effect(on: Notice.self, .serial.keepingNewest(3)) { … }
  /// ```
  ///
  /// The trigger that gives way ends as `.superseded`. Where a bound is said twice, the last one counts.
  ///
  /// - Parameter count: At least 1.
  /// - Returns: The policy, of a queue with that bound; only `.serial` and `.limited` have a queue.
  public func keepingNewest(_ count: Int) -> EffectPolicy {
    if count < 1 {
      fatalError(
        "Lensed: `keepingNewest(\(count))` would let no trigger wait. Keep at least 1, or take `.first`."
      )
    }
    return queueing("keepingNewest") { $0.bound = .newest(count) }
  }

  /// This policy, under which at most `count` triggers wait: further ones are ignored.
  ///
  /// ```swift
  /// Effect(on: Upload.self, .limited(2).dropping(beyond: 10)) { … }
  /// ```
  ///
  /// Where a bound is said twice, the last one counts.
  ///
  /// - Parameter count: At least 0.
  /// - Returns: The policy, of a queue with that bound; only `.serial` and `.limited` have a queue.
  public func dropping(beyond count: Int) -> EffectPolicy {
    if count < 0 {
      fatalError(
        "Lensed: `dropping(beyond: \(count))` is no number of triggers. Give 0 or more.")
    }
    return queueing("dropping(beyond:)") { $0.bound = .most(count) }
  }

  /// This policy, which leaves a pause between runs: none begins sooner than `duration` after the end of the one before.
  ///
  /// ```swift
  /// Effect(on: Send.self, .serial.pausing(for: .milliseconds(500), clock: clock)) { … }
  /// ```
  ///
  /// The run whose turn has come waits out the pause, and counts as running meanwhile; what ends it then keeps it from
  /// its code. Of a child, and of a key, the pause is kept as long as something runs or waits there. A `duration` of zero
  /// or less is none. Equal policies may have different clocks.
  ///
  /// - Parameters:
  ///   - duration: The pause.
  ///   - clock: The clock to measure and to wait by.
  /// - Returns: The policy; only `.serial` and `.limited` have a queue.
  public func pausing<C: Clock>(
    for duration: Duration, clock: C = ContinuousClock()
  ) -> EffectPolicy where C.Duration == Duration {
    let pause = SilenceClock(waitable(duration), clock)
    return queueing("pausing(for:)") { $0.pause = pause }
  }

  /// The policy with something changed that only a queue has.
  private func queueing(_ name: String, _ change: (inout EffectPolicy) -> Void) -> EffectPolicy {
    if limit == nil {
      fatalError(
        """
        Lensed: \(code: name) was said of the policy \(code: self), under which no trigger ever waits. Say it of \
        `.serial` or `.limited(n)`.
        """)
    }
    return changed(self, change)
  }

  /// How many may run side by side, or nil when there is no bound.
  var limit: Int? {
    switch kind {
    case .concurrent, .latest, .first: nil
    case .serial: 1
    case .limited(let count): count
    }
  }

  /// Traps if no job could ever run.
  func check() {
    if case .limited(let count) = kind, count < 1 {
      fatalError(
        "Lensed: an effect with the policy .limited(\(count)) could never run. Let at least 1 run.")
    }
  }
}

extension EffectPolicy: CustomStringConvertible {
  /// The policy as it is written, without its dot: `serial.keepingNewest(3)`.
  public var description: String {
    var text = "\(kind)"
    switch bound {
    case .newest(let count): text += ".keepingNewest(\(count))"
    case .most(let count): text += ".dropping(beyond: \(count))"
    case nil: break
    }
    if let pause { text += ".pausing(for: \(pause.length))" }
    return text
  }
}

// MARK: Which jobs run, wait or are ignored

/// A job, as the machine of its queue sees it.
protocol QueuedJob: AnyObject, Sendable {
  /// Whether it was stopped, and may have yet to notice.
  var isStopped: Bool { get }
}

/// Which jobs run and which wait for their turn, by a policy, as a pure machine.
///
/// A job is admitted once: it starts, waits or is ignored, or comes too soon, in a silence (`Silence`). A waiting job
/// is withdrawn, or starts when a running one ends. A job whose code has returned lingers while its run owns sequences:
/// the policy counts it no longer, and it gives way, or is dropped, like one that runs.
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
  /// Those that were stopped while they waited, and are yet to be withdrawn.
  private var leaving: Set<ObjectIdentifier> = []
  /// Those of the running jobs that have yet to begin, because a pause is not over, or not known to be.
  private var pausing: Set<ObjectIdentifier> = []
  private var isClosed = false
  /// The job that the next one supersedes, under `.latest` alone: it runs, or lingers.
  private(set) var newest: Job?

  init(_ policy: EffectPolicy, silence: Duration? = nil) {
    self.policy = policy
    self.silence = silence.map(Silence.init)
  }

  var runningJobs: [Job] { running.values }

  /// The jobs that begin no more once the effect is retired: an order to end them in.
  var jobsToBegin: [Job] {
    waitingJobs.reversed() + runningJobs.filter { pausing.contains(ObjectIdentifier($0)) }
  }

  /// The waiting jobs, in order.
  var waitingJobs: [Job] {
    (0..<queue.count).compactMap { queue[$0] }.filter { isWaiting($0) }
  }

  /// All jobs, in an order to cancel them in: the last waiting one first, then those that run or linger.
  ///
  /// In this order no job starts while all are cancelled.
  var allJobs: [Job] { waitingJobs.reversed() + runningJobs + lingering.values }

  var isEmpty: Bool { running.isEmpty && waiting.isEmpty && lingering.isEmpty }

  func isWaiting(_ job: Job) -> Bool { waiting.contains(ObjectIdentifier(job)) }

  /// Whether a job that came now would come too soon.
  func isSilent(at now: Duration) -> Bool { silence?.rest(at: now) != nil }

  /// Admits a job; `now` is the time, where there is a silence, and a late job has waited for the end of that.
  mutating func admit(_ job: Job, at now: Duration? = nil, isLate: Bool = false) -> Admission {
    if isClosed { return .ignore }
    if let now, !isLate, let rest = silence?.rest(at: now) { return .tooSoon(rest) }
    // A stopped job that has yet to notice it is under way no longer.
    if policy.kind == .first && running.contains(where: { !$0.isStopped }) { return .ignore }
    let waits = policy.limit.map { running.count >= $0 } ?? false
    var oldest: Job?
    if waits, let bound = policy.bound, waiting.count >= bound.count {
      if case .most = bound { return .ignore }
      oldest = oldestWaiting()
    }
    if let now { silence?.begin(at: now) }
    if waits {
      queue.append(job)
      waiting.insert(ObjectIdentifier(job))
      return .wait(cancelling: oldest)
    }
    run(job)
    guard policy.kind == .latest else { return .start(cancelling: []) }
    return .start(cancelling: exchange(&newest, with: job).map { [$0] } ?? [])
  }

  private mutating func run(_ job: Job) {
    running[ObjectIdentifier(job)] = job
    if policy.pause != nil { pausing.insert(ObjectIdentifier(job)) }
  }

  func isPausing(_ job: Job) -> Bool { pausing.contains(ObjectIdentifier(job)) }

  /// Lets a job begin whose pause is over.
  ///
  /// - Returns: Whether it begins; not, once the queue is closed.
  mutating func endPause(of job: Job) -> Bool {
    if isClosed { return false }
    pausing.remove(ObjectIdentifier(job))
    return true
  }

  /// The oldest job that waits; those in front of it were withdrawn, and leave the queue.
  private mutating func oldestWaiting() -> Job? {
    while let first = queue.first, !isWaiting(first) { _ = queue.popFirst() }
    return queue.first
  }

  /// Notes that a job was stopped: if it waited, it counts no longer under a bound, and lingers until it is withdrawn.
  mutating func noteStopped(_ job: Job) {
    let id = ObjectIdentifier(job)
    if policy.bound == nil || waiting.remove(id) == nil { return }
    leaving.insert(id)
    lingering[id] = job
    removeWithdrawn()
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
    if policy.pause != nil { pausing.remove(ObjectIdentifier(job)) }
    if lingers {
      lingering[ObjectIdentifier(job)] = job
    } else if newest === job {
      newest = nil
    }
    guard let limit = policy.limit, running.count < limit else { return nil }
    while let next = queue.popFirst() {
      let id = ObjectIdentifier(next)
      guard waiting.remove(id) != nil else { continue }
      run(next)
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
    let id = ObjectIdentifier(job)
    guard (waiting.remove(id) ?? leaving.remove(id)) != nil else { return false }
    lingering[id] = lingers ? job : nil
    removeWithdrawn()
    return true
  }

  /// Removes withdrawn jobs from the queue, once they are its larger part.
  private mutating func removeWithdrawn() {
    if queue.count <= 2 * waiting.count + 8 { return }
    let rest = waitingJobs
    queue = RingBuffer()
    for job in rest { queue.append(job) }
  }
}

// MARK: Silences

// A silence is a time in which no run begins:
//
// - A throttled effect has one after each run that was admitted. Whether a trigger comes too soon, and whether it
//   begins a run, is one decision, so the silence is a part of the `JobQueueMachine`.
// - A queue that pauses (`EffectPolicy.pausing`) has one after each run that has ended. The job whose turn has come
//   waits it out (`JobQueue.waitForPause`).
//
// No clock is asked under a lock: the time is read before.

/// When a silence ends, by times that its holder is given.
struct Silence: Sendable {
  private let length: Duration
  /// Nil before the first one.
  private var end: Duration?

  init(of length: Duration) {
    self.length = length
  }

  /// Begins a silence.
  mutating func begin(at now: Duration) { end = now + length }

  /// How long the silence lasts; nil if it is over.
  func rest(at now: Duration) -> Duration? {
    guard let end, now < end else { return nil }
    return end - now
  }
}

/// The length of silences, and the clock that they are measured and waited by: equal to one of the same length.
final class SilenceClock: Sendable, Hashable {
  let length: Duration
  /// The operations of an instant are the clock's own code.
  private let elapsed: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void

  init<C: Clock>(_ length: Duration, _ clock: C) where C.Duration == Duration {
    let start = clock.now
    self.length = length
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }

  /// The time since this was made.
  var now: Duration { elapsed() }

  static func == (one: SilenceClock, other: SilenceClock) -> Bool { one.length == other.length }

  func hash(into hasher: inout Hasher) { hasher.combine(length) }
}
