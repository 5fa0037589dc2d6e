internal import Dispatch
internal import Lensed

// How a test knows whether more will come:
//
// 1. A `StoreProbe` that is bound while a store is made gives the tasks of the store this executor. It counts the jobs
//    that are ready or run. While there are none, each task of the store has ended or waits.
// 2. `WorkSleep` marks the tasks that a test wakes: by a clock, a gate or a commit.
// 3. So there are three answers (`TestStore.Prospect`). Nothing more comes when nothing is under way. Nothing comes before
//    the test moves something, when all that is left sleeps. It is unknown when code waits for anything else.
// 4. With a seed, jobs also run wherever other threads may act in the middle of a delivery (`StoreProbe.attack`).

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
/// run in an order that the seed stands for, and some of them in the middle of a delivery: where a store calls observers
/// and starts effects, other threads may act, and so do these.
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
  public convenience init(seed: UInt64? = nil) {
    self.init(seed: seed, callSoon: { turn in DispatchQueue.global().async { turn() } })
  }

  /// A scheduler whose turns are taken when `callSoon` says so.
  init(
    seed: UInt64? = nil,
    callSoon: @escaping @Sendable (_ turn: @escaping @Sendable () -> Void) -> Void
  ) {
    queue = Locked(JobList(seed: seed))
    isSeeded = seed != nil
    self.callSoon = callSoon
    LiveSchedulers.add(self)
  }

  deinit {
    LiveSchedulers.remove(ObjectIdentifier(self))
  }

  /// Whether a seed stands for the order of the jobs.
  let isSeeded: Bool

  /// Whether no job runs or is ready to.
  public var isResting: Bool { queue.withLock { !$0.isRunning } }

  /// How many jobs have become ready so far.
  package var jobCount: UInt64 { queue.withLock { $0.total } }

  /// How many waits for it have begun so far.
  var waitCount: UInt64 { queue.withLock { $0.lastID } }

  /// Runs a job, soon; the tasks call it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (wasIdle, begins) = queue.withLock { (!$0.isRunning, $0.add(job)) }
    if wasIdle, let causer = LiveSchedulers.ofCurrentTask {
      queue.withLock { _ = $0.causers.insert(ObjectIdentifier(causer)) }
    }
    if begins { drainSoon() }
  }

  /// Whether a task on another scheduler has set this one to work.
  func wasSetToWork(by other: TestScheduler) -> Bool {
    queue.withLock { $0.causers.contains(ObjectIdentifier(other)) }
  }

  /// Lets no job begin until `release` was called as often; the one that runs goes on.
  func hold() { queue.withLock { $0.holds += 1 } }

  /// Lets jobs begin again, if it was held once.
  func release() {
    if queue.withLock({ $0.release() }) { drainSoon() }
  }

  /// Returns when no job runs or is ready to, or when the task is cancelled.
  ///
  /// All tasks on this scheduler then wait for something, or have ended. In a task on this scheduler, it returns when
  /// all others do so.
  nonisolated(nonsending) public func rest() async {
    await wait { await self.rest($0) }
  }

  /// Returns when no job runs or is ready to, if only for a moment, or when the task is cancelled.
  nonisolated(nonsending) func waitUntilIdle() async {
    await wait { await self.waitUntilIdle($0) != nil }
  }

  nonisolated(nonsending) private func wait(
    _ wait: nonisolated(nonsending) (_ id: UInt64) async -> Bool
  ) async {
    let id = queue.withLock { $0.makeID() }
    defer { queue.withLock { _ = $0.impatient.remove(id) } }
    await withTaskCancellationHandler {
      _ = await wait(id)
    } onCancel: {
      giveUp(id)
    }
  }

  /// Returns when no job runs or is ready to, or when the time is over.
  ///
  /// - Returns: Whether it has come to rest.
  nonisolated(nonsending) package func rest(within patience: Duration) async -> Bool {
    let id = queue.withLock { $0.makeID() }
    // One for all looks: each may find jobs that are new.
    let watchdog = Task.detached {
      try await runOut(patience)
      self.giveUp(id)
    }
    defer {
      watchdog.cancel()
      queue.withLock { _ = $0.impatient.remove(id) }
    }
    return await rest(id)
  }

  /// - Returns: Whether it has come to rest before the wait was given up.
  nonisolated(nonsending) private func rest(_ id: UInt64) async -> Bool {
    var seen: UInt64?
    while true {
      guard let total = await waitUntilIdle(id) else { return false }
      // Here, what goes on is a job itself.
      if total == seen || LiveSchedulers.ofCurrentTask === self { return true }
      // It may be idle at each look, and have run jobs between two of them.
      if seen != nil && queue.withLock({ $0.impatient.contains(id) }) { return false }
      // What a job has sent to the main actor may send jobs back.
      await MainActor.run {}
      seen = total
    }
  }

  /// Returns how many jobs had become ready when none ran; nil if the wait was given up.
  ///
  /// The number is of that moment: read later, it might be that of a job which runs again, and has yet to go to the
  /// main actor.
  nonisolated(nonsending) private func waitUntilIdle(_ id: UInt64) async -> UInt64? {
    await withCheckedContinuation { continuation in
      let (mustWait, total) = queue.withLock { list -> (Bool, UInt64?) in
        if !list.isRunning { return (false, list.total) }
        if list.impatient.contains(id) { return (false, nil) }
        list.waiters[id] = continuation
        return (true, nil)
      }
      if !mustWait { continuation.resume(returning: total) }
    }
  }

  /// Ends a wait for rest, which may have yet to begin.
  private func giveUp(_ id: UInt64) {
    let waiter = queue.withLock { list in
      list.impatient.insert(id)
      return list.waiters.removeValue(forKey: id)
    }
    waiter?.resume(returning: nil)
  }

  /// Lets jobs run in the middle of a step, while the scheduler is held.
  func lettingRunInBetween<Result>(_ step: () throws -> Result) rethrows -> Result {
    queue.withLock { $0.isStep = true }
    defer { queue.withLock { $0.isStep = false } }
    return try step()
  }

  /// Runs jobs on this thread, in the middle of what the caller does: which ones, and how many, the seed stands for.
  ///
  /// Without a seed none run, nor while another thread runs one, nor outside of steps that let them.
  package func runInBetween() {
    let isRunningOne = LiveSchedulers.ofCurrentTask === self
    while let job = queue.withLock({
      $0.takeInBetween(isRunningOne: isRunningOne)
    }) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      queue.withLock { $0.endInBetween() }
    }
  }

  /// What a store calls where other threads may act in the middle of a delivery; nil without a seed.
  var attack: (@Sendable () -> Void)? {
    if isSeeded { { [weak self] in self?.runInBetween() } } else { nil }
  }

  /// How many jobs run before other code gets the thread.
  ///
  /// On one core there is no other thread: without an end, a task that only gives way would keep a test from going on,
  /// or from losing its patience. A thread for each scheduler would let such tasks take the time of all tests.
  static let jobsPerTurn = 64

  private func drainSoon() {
    callSoon { self.drain() }
  }

  private func drain() {
    for _ in 0..<TestScheduler.jobsPerTurn {
      let (job, waiters, total) = queue.withLock { $0.take() }
      for waiter in waiters { waiter.resume(returning: total) }
      guard let job else { return }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
    drainSoon()
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

  /// Lets no job begin on some schedulers while `body` makes several ready: their order is not that of a race.
  static func holding<Result>(
    _ schedulers: [TestScheduler], while body: () throws -> Result
  ) rethrows -> Result {
    for scheduler in schedulers { scheduler.hold() }
    defer { for scheduler in schedulers { scheduler.release() } }
    return try body()
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
