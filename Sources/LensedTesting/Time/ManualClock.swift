internal import Lensed

/// A clock whose time stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let test = try TestStore(initialState: Search(), search(api: .stub, clock))
/// await test.dispatch(QueryChanged("ab")) { $0.query = "ab" }
/// await clock.advance(by: .milliseconds(300))
/// await test.receive(Found.self) { $0.results = ["abc"] }
/// ```
///
/// **When a call returns.** Everything that `advance` and `run` wake is given time to come to rest, before they
/// wake what is due next, and before they return. That is known, not waited out, for tasks on a
/// `TestScheduler`: the effects of a `TestStore`, and tasks that were made with a scheduler as their executor.
/// Other tasks are woken, and run on when the system lets them. Wait for what they do: with a `Gate`, a
/// `Recorder`, `finish()` of a dispatch, or `waitForSleepers(_:)`.
///
/// An effect that never waits does not hang the test: after ten seconds the clock goes on without its scheduler.
///
/// Sleepers with one deadline wake in the order in which they fell asleep. Any thread may use the clock.
public final class ManualClock: Clock, Sendable {
  /// A moment, as time passed since the clock was made.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock was made.
    public var offset: Swift.Duration

    /// A moment.
    public init(offset: Swift.Duration) {
      self.offset = offset
    }

    /// The moment so much later.
    public func advanced(by duration: Swift.Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The time until another moment.
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

    /// Whether one moment is before another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }

    /// The time since the clock was made.
    public var description: String { "\(offset)" }
  }

  /// A task that sleeps.
  public struct Sleeper: Sendable, CustomStringConvertible {
    /// The moment that it sleeps until.
    public let deadline: Instant
    /// The effect that sleeps, if it is the effect of a store.
    public let name: String?

    /// Who sleeps, and until when.
    public var description: String { "\(name ?? "a task") until \(deadline)" }
  }

  private let time = Watched(SleepList())

  /// A clock that stands at zero.
  public init() {}

  /// The moment at which the clock stands.
  public var now: Instant { Instant(offset: time.read { $0.now }) }

  /// The clock is exact.
  public var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// The tasks that sleep, in the order in which they wake.
  public var sleepers: [Sleeper] {
    time.read { $0.sleepers }
      .map { Sleeper(deadline: Instant(offset: $0.deadline), name: $0.sleep.name) }
  }

  /// The moments that tasks sleep until, the first at the front, each as often as there are sleepers.
  public var deadlines: [Instant] { sleepers.map(\.deadline) }

  /// The number of tasks that sleep.
  public var sleeperCount: Int { time.read { $0.count } }

  /// The first of the moments that tasks sleep until.
  var nextDeadline: Instant? { time.read { $0.nextDeadline }.map { Instant(offset: $0) } }

  /// How many sleeps were asked for and have not begun.
  var comingCount: Int { time.read { $0.coming.count } }

  /// Sleeps until the clock was moved to a moment.
  ///
  /// - Throws: `CancellationError` when the sleeping task was cancelled.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    let scheduler = LiveSchedulers.ofCurrentTask
    let id = time.change { time in
      if let scheduler { time.note(scheduler) }
      return time.makeID()
    }
    let sleep = WorkSleep()
    defer { sleep.end() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeper = SleepList.Sleeper(
          id: id, deadline: deadline.offset, sleep: sleep, continuation: continuation)
        if let verdict = time.change({ $0.add(sleeper) }) {
          sleeper.wake(with: verdict)
        } else {
          sleep.begin()
        }
      }
    } onCancel: {
      time.change { $0.cancel(id) }?.wake(with: .failure(CancellationError()))
    }
  }
}

extension ManualClock {
  /// Moves time on, wakes those whose deadline comes, and returns when they rest.
  ///
  /// A task that wakes and sleeps again for less than what is left of `duration` is woken again.
  public nonisolated(nonsending) func advance(by duration: Swift.Duration) async {
    await rest(waitsForTest: true)
    await wakeAll(until: now.advanced(by: duration))
  }

  /// Moves time on to a moment, wakes those whose deadline comes, and returns when they rest.
  ///
  /// For a moment that has passed it moves nothing, and returns when all rest.
  public nonisolated(nonsending) func advance(to moment: Instant) async {
    await rest(waitsForTest: true)
    await wakeAll(until: moment)
  }

  private nonisolated(nonsending) func wakeAll(until moment: Instant) async {
    while true {
      let due = time.change { $0.takeDue(until: moment.offset) }
      if due.isEmpty { break }
      wake(due)
      await rest(waitsForTest: false)
    }
  }

  /// Moves time on as long as a task sleeps, and returns when none does and all rest.
  ///
  /// - Parameter limit: Stops after so many moments, for those who always sleep again.
  /// - Returns: Whether no task sleeps any more.
  @discardableResult
  public nonisolated(nonsending) func run(limit: Int = 10_000) async -> Bool {
    await rest(waitsForTest: true)
    for _ in 0..<max(0, limit) {
      let due = time.change { $0.takeNext() }
      if due.isEmpty { return true }
      wake(due)
      await rest(waitsForTest: false)
    }
    return sleeperCount == 0
  }

  /// Moves time on and wakes those whose deadline comes, and does not wait for what they do.
  ///
  /// For code that cannot suspend, and for tests of code that no `TestScheduler` runs.
  public func move(by duration: Swift.Duration) {
    wake(time.change { $0.move(by: duration) })
  }

  private func wake(_ sleepers: [SleepList.Sleeper]) {
    LiveSchedulers.holding(time.read { $0.liveSchedulers }) {
      for sleeper in sleepers { sleeper.wake(with: .success(())) }
    }
  }

  /// Returns when at least so many sleep, or when the waiting task is cancelled.
  ///
  /// A task that is cancelled before it sleeps never does. In a test of a `TestStore` nothing has to be waited
  /// for: when a step of the test returns, every task that is going to sleep sleeps.
  public nonisolated(nonsending) func waitForSleepers(_ count: Int = 1) async {
    await time.wait { $0.count >= count }
  }

  /// Returns when at least so many sleeps have begun since the clock was made, or when the waiting task is cancelled.
  ///
  /// It tells a sleep that began anew from the one before it. A sleep of a task that was cancelled already counts
  /// too.
  public nonisolated(nonsending) func waitForSleeps(_ count: Int) async {
    await time.wait { $0.sleepCount >= count }
  }

  /// Returns when all tasks rest that sleep here on a scheduler, or have done so, and what they have set to work.
  ///
  /// A scheduler that is not at rest after ten seconds is not waited for again before it is: a task that never waits
  /// must not hang the test.
  ///
  /// - Parameter waitsForTest: As `SchedulerCircle` says.
  private nonisolated(nonsending) func rest(waitsForTest: Bool) async {
    let restless = time.read { $0.restlessSchedulers }.filter { !$0.isResting }
    let circle = SchedulerCircle(
      slept: { self.time.read { $0.liveSchedulers } },
      ofTest: LiveSchedulers.ofCurrentTest, restless: restless)
    // The task that calls may be on one of them, which so rests when all others on it do.
    let wait = Task.detached { await circle.rest(waitsForTest: waitsForTest) }
    let watchdog = Task.detached {
      try await runOut(.seconds(10))
      wait.cancel()
    }
    defer { watchdog.cancel() }
    let unrested = await withTaskCancellationHandler {
      await wait.value
    } onCancel: {
      wait.cancel()
    }
    if !Task.isCancelled { time.change { $0.setRestless(restless + unrested) } }
  }
}

// MARK: Who has to rest

/// The schedulers that have to rest together before a clock is moved on.
///
/// They are those on which tasks have slept on the clock, and those that tasks on these have set to work.
struct SchedulerCircle: Sendable {
  /// The schedulers on which tasks have slept on the clock.
  let slept: @Sendable () -> [TestScheduler]
  /// The schedulers of the running test.
  let ofTest: [TestScheduler]
  /// Those that are not waited for.
  let restless: [TestScheduler]

  /// Returns when all of the circle rest, or when the task is cancelled.
  ///
  /// - Parameter waitsForTest: Whether to wait for the other schedulers of the test too, for one on which a task is about
  ///   to sleep on the clock for the first time. Those of its other cases are among them: each is waited for at most
  ///   twice.
  /// - Returns: The schedulers that were not at rest when the task was cancelled.
  @concurrent func rest(waitsForTest: Bool) async -> [TestScheduler] {
    let others = waitsForTest ? ofTest.filter { !restless.has($0) } : []
    var seen: [ObjectIdentifier: UInt64]?
    var looks = 0
    while true {
      looks += 1
      let circle = members.filter { !restless.has($0) }
      let busy = looks <= 2 ? others.filter { !$0.isResting } : []
      for scheduler in busy + circle where !scheduler.isResting { await scheduler.waitUntilIdle() }
      // Without a new job since the last look, none of them has run while it waited for another one.
      let counts = circle.reduce(into: [:]) { $0[ObjectIdentifier($1)] = $1.jobCount }
      if Task.isCancelled {
        return busy.filter { !$0.isResting }
          + circle.filter { !$0.isResting || $0.jobCount != seen?[ObjectIdentifier($0)] }
      }
      if counts == seen { return [] }
      // What a job has sent to the main actor may send jobs back.
      await MainActor.run {}
      seen = counts
    }
  }

  private var members: [TestScheduler] {
    var members = slept()
    var others = ofTest.filter { !members.has($0) }
    var index = 0
    while index < members.count {
      let member = members[index]
      members += others.filter { $0.wasSetToWork(by: member) }
      others.removeAll { $0.wasSetToWork(by: member) }
      index += 1
    }
    return members
  }
}

extension [TestScheduler] {
  fileprivate func has(_ scheduler: TestScheduler) -> Bool { contains { $0 === scheduler } }
}
