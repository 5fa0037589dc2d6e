internal import Dispatch
internal import Lensed

/// An executor that knows when all tasks on it have come to rest.
///
/// A `TestStore` runs the effects of its store on one. For code without a store, give it to tasks yourself:
///
/// ```swift
/// let scheduler = TestScheduler()
/// let task = Task(executorPreference: scheduler) { try await clock.sleep(for: .seconds(1)) }
/// await scheduler.rest()                    // the task sleeps now
/// await clock.advance(by: .seconds(1))      // the task has ended
/// ```
///
/// A task rests while it waits: for a clock, a gate, a value, another task. Its pieces between two waits, the
/// *jobs*, run one at a time, in the order in which they became ready. So a run repeats. With a `seed:` they
/// run in an order that the seed stands for.
///
/// **What it sees.** Tasks that were made with it as their executor, their child tasks, and default actors that
/// these call. It does not see code on actors with executors of their own, nor tasks that were made with
/// `Task {}`. `rest()` also lets the main actor run what was ready there.
public final class TestScheduler: TaskExecutor, Sendable {
  private let queue: Locked<JobList>
  /// Calls a function later, on another thread; a test of the scheduler calls it itself.
  private let callSoon: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// The test that made it.
  fileprivate let test = currentTestName

  /// A scheduler without tasks.
  ///
  /// - Parameter seed: Stands for an order in which ready jobs run; nil is the order in which they became ready.
  public init(seed: UInt64? = nil) {
    queue = Locked(JobList(seed: seed))
    callSoon = { turn in DispatchQueue.global().async { turn() } }
    LiveSchedulers.add(self)
  }

  /// A scheduler whose turns are taken when `callSoon` says so.
  init(callSoon: @escaping @Sendable (_ turn: @escaping @Sendable () -> Void) -> Void) {
    queue = Locked(JobList(seed: nil))
    self.callSoon = callSoon
    LiveSchedulers.add(self)
  }

  deinit {
    LiveSchedulers.remove(ObjectIdentifier(self))
  }

  /// Whether no job runs or is ready to.
  public var isResting: Bool { queue.withLock { !$0.isRunning } }

  /// How many jobs have become ready so far.
  package var jobCount: UInt64 { queue.withLock { $0.total } }

  /// Runs a job, soon; the tasks call it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if queue.withLock({ $0.add(job) }) { drainSoon() }
  }

  /// Lets no job begin until `release`; to be called before the first one is enqueued.
  func hold() { queue.withLock { $0.isHeld = true } }

  /// Lets jobs begin again.
  func release() {
    if queue.withLock({ $0.release() }) { drainSoon() }
  }

  /// Returns when no job runs or is ready to.
  ///
  /// All tasks on this scheduler then wait for something, or have ended.
  nonisolated(nonsending) public func rest() async {
    _ = await rest(within: nil)
  }

  /// Returns when no job runs or is ready to, or when the time is over.
  ///
  /// - Returns: Whether it has come to rest.
  nonisolated(nonsending) package func rest(within patience: Duration?) async -> Bool {
    var seen: UInt64?
    while true {
      if await !waitUntilIdle(patience) { return false }
      let total = jobCount
      if total == seen { return true }
      // What a job has sent to the main actor may send jobs back.
      await MainActor.run {}
      seen = total
    }
  }

  nonisolated(nonsending) private func waitUntilIdle(_ patience: Duration?) async -> Bool {
    if isResting { return true }
    let id = queue.withLock { $0.makeID() }
    let watchdog = patience.map { patience in
      Task.detached {
        try await runOut(patience)
        self.queue.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: false)
      }
    }
    defer { watchdog?.cancel() }
    return await withCheckedContinuation { continuation in
      let isResting = queue.withLock { list in
        if list.isRunning { list.waiters[id] = continuation }
        return !list.isRunning
      }
      if isResting { continuation.resume(returning: true) }
    }
  }

  /// How many jobs run before other code gets the thread.
  ///
  /// On one core there is no other thread: without an end, a task that only gives way would keep a test from
  /// going on, or from losing its patience.
  static let jobsPerTurn = 64

  private func drainSoon() {
    callSoon { self.drain() }
  }

  private func drain() {
    for _ in 0..<TestScheduler.jobsPerTurn {
      let (job, waiters) = queue.withLock { $0.take() }
      for waiter in waiters { waiter.resume(returning: true) }
      guard let job else { return }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
    drainSoon()
  }
}

/// The jobs of a scheduler: those that are ready, and whether one runs.
private struct JobList: Sendable {
  private var ready: [UnownedJob] = []
  private var first = 0
  private var random: SeededGenerator?
  private(set) var isRunning = false
  /// Whether no job may begin.
  var isHeld = false
  private(set) var total: UInt64 = 0
  private var lastID: UInt64 = 0
  var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]

  init(seed: UInt64?) {
    random = seed.map { SeededGenerator(seed: $0) }
  }

  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// - Returns: Whether the caller has to begin to run jobs.
  mutating func add(_ job: UnownedJob) -> Bool {
    ready.append(job)
    total += 1
    defer { isRunning = true }
    return !isRunning && !isHeld
  }

  /// - Returns: Whether the caller has to begin to run jobs.
  mutating func release() -> Bool {
    defer { isHeld = false }
    return isHeld && isRunning
  }

  /// Takes the next job; without one, all rests, and those who waited for that are returned.
  mutating func take() -> (job: UnownedJob?, waiters: [CheckedContinuation<Bool, Never>]) {
    if first == ready.count {
      ready.removeAll(keepingCapacity: true)
      (first, isRunning) = (0, false)
      defer { waiters = [:] }
      return (nil, Array(waiters.values))
    }
    if var generator = random {
      ready.swapAt(first, Int.random(in: first..<ready.count, using: &generator))
      random = generator
    }
    if first > 1_000 {
      ready.removeFirst(first)
      first = 0
    }
    defer { first += 1 }
    return (ready[first], [])
  }
}

/// A reference to a scheduler that does not keep it alive.
struct WeakScheduler: Sendable {
  weak var object: TestScheduler?
}

/// The schedulers that are alive, to find the one that a task runs on.
enum LiveSchedulers {
  private static let entries = Locked<[ObjectIdentifier: WeakScheduler]>([:])

  static func add(_ scheduler: TestScheduler) {
    entries.withLock { $0[ObjectIdentifier(scheduler)] = WeakScheduler(object: scheduler) }
  }

  static func remove(_ id: ObjectIdentifier) {
    entries.withLock { $0[id] = nil }
  }

  /// The schedulers that the running test has made.
  static var ofCurrentTest: [TestScheduler] {
    guard let test = currentTestName else { return [] }
    let all = entries.withLock { $0.values.compactMap(\.object) }
    return all.filter { $0.test == test }
  }

  /// The scheduler that the running task prefers, if it prefers one.
  static var ofCurrentTask: TestScheduler? {
    let executor = unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor }
    guard let executor = unsafe executor else { return nil }
    // Released without the lock.
    let all = entries.withLock { $0.values.compactMap(\.object) }
    return all.first { unsafe $0.asUnownedTaskExecutor() == executor }
  }
}
