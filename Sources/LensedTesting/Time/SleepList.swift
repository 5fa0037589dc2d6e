internal import Lensed

/// The time of a manual clock and those who sleep: a plain value, behind the clock's lock.
struct SleepList: Sendable {
  struct Sleeper: Sendable {
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

  typealias Watcher = (
    isEnough: @Sendable (SleepList) -> Bool, continuation: CheckedContinuation<Void, Never>
  )

  private(set) var now = Duration.zero
  private(set) var sleepers: [Sleeper] = []
  /// How many sleeps have begun, those that ended at once among them.
  private(set) var sleepCount = 0
  var watchers: [UInt64: Watcher] = [:]
  private var lastID: UInt64 = 0
  /// The sleeps that were cancelled before they began.
  private var cancelled: Set<UInt64> = []
  private var schedulers: [ObjectIdentifier: WeakScheduler] = [:]
  /// Those that had not come to rest when the patience of a wait was over.
  private var restless: [ObjectIdentifier: WeakScheduler] = [:]

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

  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// Adds a sleeper.
  ///
  /// - Returns: How its sleep ends at once, if it does, and those whose wait is over.
  mutating func add(
    _ sleeper: Sleeper
  ) -> (verdict: Result<Void, any Error>?, woken: [CheckedContinuation<Void, Never>]) {
    sleepCount += 1
    let isCancelled = cancelled.remove(sleeper.id) != nil
    let isDue = sleeper.deadline <= now
    if !isCancelled && !isDue { sleepers.append(sleeper) }
    let list = self
    let over = watchers.filter { $0.value.isEnough(list) }
    for id in over.keys { watchers[id] = nil }
    let woken = over.values.map(\.continuation)
    if isCancelled { return (.failure(CancellationError()), woken) }
    return (isDue ? .success(()) : nil, woken)
  }

  /// Ends a sleep early; one that has yet to begin ends when it does.
  mutating func cancel(_ id: UInt64) -> Sleeper? {
    guard let index = sleepers.firstIndex(where: { $0.id == id }) else {
      cancelled.insert(id)
      return nil
    }
    return sleepers.remove(at: index)
  }

  /// Moves time to the earliest deadline up to `moment`, and takes those who wake then.
  ///
  /// With none left it moves time to `moment`, unless that has passed.
  mutating func takeDue(until moment: Duration) -> [Sleeper] {
    guard let first = sleepers.map(\.deadline).min(), first <= moment else {
      now = Swift.max(now, moment)
      return []
    }
    return take(at: first)
  }

  /// Moves time to the earliest deadline, and takes those who wake then.
  mutating func takeNext() -> [Sleeper] {
    sleepers.map(\.deadline).min().map { take(at: $0) } ?? []
  }

  /// Moves time, and takes all who wake.
  mutating func move(by duration: Duration) -> [Sleeper] { take(at: now + duration) }

  private mutating func take(at deadline: Duration) -> [Sleeper] {
    now = Swift.max(now, deadline)
    defer { sleepers.removeAll { $0.deadline <= deadline } }
    return sleepers.filter { $0.deadline <= deadline }.sorted { $0.isBefore($1) }
  }
}
