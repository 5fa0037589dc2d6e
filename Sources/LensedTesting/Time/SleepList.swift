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

  private(set) var now = Duration.zero
  private var heap = Heap()
  /// How many sleeps have begun, those that ended at once among them.
  private(set) var sleepCount = 0
  private(set) var coming = ComingWaits()
  private var schedulers: [ObjectIdentifier: WeakScheduler] = [:]
  /// Those that had not come to rest when the patience of a wait was over.
  private var restless: [ObjectIdentifier: WeakScheduler] = [:]

  /// Those who sleep, the one that wakes first at the front.
  var sleepers: [Sleeper] { heap.elements.sorted { $0.isBefore($1) } }
  var count: Int { heap.elements.count }
  /// The moment that the first of them sleeps until.
  var nextDeadline: Duration? { heap.elements.first?.deadline }
  /// How often two sleepers were compared so far.
  var comparisonCount: Int { heap.comparisonCount }

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
    heap.insert(sleeper)
    return nil
  }

  /// Ends a sleep early; one that has yet to begin ends when it does.
  mutating func cancel(_ id: UInt64) -> Sleeper? {
    coming.cancel(id)
    return heap.remove(id)
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
    while let first = heap.elements.first, first.deadline <= deadline {
      due.append(first)
      _ = heap.remove(first.id)
    }
    return due
  }
}

extension SleepList {
  /// The sleepers as a binary heap: the one that wakes first is at the front.
  private struct Heap: Sendable {
    private(set) var elements: [Sleeper] = []
    private var places: [UInt64: Int] = [:]
    private(set) var comparisonCount = 0

    mutating func insert(_ sleeper: Sleeper) {
      elements.append(sleeper)
      places[sleeper.id] = elements.count - 1
      rise(from: elements.count - 1)
    }

    mutating func remove(_ id: UInt64) -> Sleeper? {
      guard let place = places[id] else { return nil }
      let last = elements.count - 1
      if place != last { swap(place, last) }
      places[id] = nil
      let removed = elements.removeLast()
      if place < elements.count {
        rise(from: place)
        sink(from: place)
      }
      return removed
    }

    private mutating func rise(from start: Int) {
      var place = start
      while place > 0, isBefore(place, (place - 1) / 2) {
        swap(place, (place - 1) / 2)
        place = (place - 1) / 2
      }
    }

    private mutating func sink(from start: Int) {
      var place = start
      while true {
        var first = place
        for child in [2 * place + 1, 2 * place + 2]
        where child < elements.count && isBefore(child, first) {
          first = child
        }
        if first == place { return }
        swap(place, first)
        place = first
      }
    }

    private mutating func isBefore(_ left: Int, _ right: Int) -> Bool {
      comparisonCount += 1
      return elements[left].isBefore(elements[right])
    }

    private mutating func swap(_ left: Int, _ right: Int) {
      elements.swapAt(left, right)
      places[elements[left].id] = left
      places[elements[right].id] = right
    }
  }
}
