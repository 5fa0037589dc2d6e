internal import Lensed

/// The time of a manual clock and those who sleep: a plain value, behind the clock's lock.
struct SleepList: Sendable {
  struct Sleeper: Sendable, Identifiable {
    let id: UInt64
    let deadline: Duration
    let sleep: WorkSleep
    let continuation: CheckedContinuation<Void, any Error>

    /// Lets it go on; called without the lock.
    func wake(with verdict: Result<Void, any Error>) {
      sleep.end()
      continuation.resume(with: verdict)
    }

    func isBefore(_ other: Sleeper) -> Bool { (deadline, id) < (other.deadline, other.id) }
  }

  private(set) var now = Duration.zero
  /// Those who sleep, the one that wakes first at the front.
  private var list = SortedEntities<Sleeper>(by: { $0.isBefore($1) })
  /// How many sleeps have begun, those that ended at once among them.
  private(set) var sleepCount = 0
  private(set) var coming = ComingWaits()
  private var schedulers: [ObjectIdentifier: WeakScheduler] = [:]
  /// Those that had not come to rest when the patience of a wait was over.
  private var restless: [ObjectIdentifier: WeakScheduler] = [:]

  var sleepers: [Sleeper] { Array(list) }
  var count: Int { list.count }
  /// The moment that the first of them sleeps until.
  var nextDeadline: Duration? { list.first?.deadline }

  var liveSchedulers: [TestScheduler] { schedulers.values.compactMap(\.object) }
  var restlessSchedulers: [TestScheduler] { restless.values.compactMap(\.object) }

  mutating func note(_ scheduler: TestScheduler) {
    let id = ObjectIdentifier(scheduler)
    if schedulers[id]?.object === scheduler { return }
    schedulers = schedulers.filter { $0.value.object != nil }
    schedulers[id] = WeakScheduler(object: scheduler)
  }

  mutating func setRestless(_ schedulers: [TestScheduler]) {
    restless = schedulers.reduce(into: [:]) {
      $0[ObjectIdentifier($1)] = WeakScheduler(object: $1)
    }
  }

  mutating func makeID() -> UInt64 { coming.makeID() }

  /// Adds a sleeper.
  ///
  /// - Returns: How its sleep ends at once, if it does.
  mutating func add(_ sleeper: Sleeper) -> Result<Void, any Error>? {
    sleepCount += 1
    if coming.begin(sleeper.id) { return .failure(CancellationError()) }
    if sleeper.deadline <= now { return .success(()) }
    list.insert(sleeper)
    return nil
  }

  /// Ends a sleep early; one that has yet to begin ends when it does.
  mutating func cancel(_ id: UInt64) -> Sleeper? {
    coming.cancel(id)
    return list.remove(id: id)
  }

  /// Moves time to the earliest deadline up to `moment`, and takes those who wake then.
  ///
  /// With none left it moves time to `moment`, unless that has passed.
  mutating func takeDue(until moment: Duration) -> [Sleeper] {
    guard let first = nextDeadline, first <= moment else {
      now = Swift.max(now, moment)
      return []
    }
    return take(at: first)
  }

  /// Moves time to the earliest deadline, and takes those who wake then.
  mutating func takeNext() -> [Sleeper] { nextDeadline.map { take(at: $0) } ?? [] }

  /// Moves time, and takes all who wake.
  mutating func move(by duration: Duration) -> [Sleeper] { take(at: now + duration) }

  private mutating func take(at deadline: Duration) -> [Sleeper] {
    now = Swift.max(now, deadline)
    var due: [Sleeper] = []
    while let first = list.first, first.deadline <= deadline {
      due.append(list.remove(at: 0))
    }
    return due
  }
}
