/// A clock whose time stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let queries = store.states(\.query).debounce(for: .seconds(1), clock: clock)
/// let reader = Task { for await query in queries { … } }
/// await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(1))
/// ```
public final class ManualClock: Clock, Sendable {
  /// A moment, as time passed since the clock was made.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public var offset: Swift.Duration

    /// The moment so much later.
    public func advanced(by duration: Swift.Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The time until another moment.
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

    /// Whether one moment is before another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private typealias Verdict = Result<Void, any Error>

  private struct Sleeper: Sendable {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Time: Sendable {
    var now = Instant(offset: .zero)
    var sleepers: [UInt64: Sleeper] = [:]
    var watchers: [(size: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var historians: [(size: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var sleepCount = 0
    var lastID: UInt64 = 0
    var cancelled: Set<UInt64> = []

    mutating func lieDown(
      _ id: UInt64, _ sleeper: Sleeper
    ) -> (verdict: Verdict?, watchers: [CheckedContinuation<Void, Never>]) {
      if cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
      sleepCount += 1
      let isDue = sleeper.deadline <= now
      if !isDue { sleepers[id] = sleeper }
      let (size, total) = (sleepers.count, sleepCount)
      let told = watchers.filter { $0.size <= size } + historians.filter { $0.size <= total }
      watchers.removeAll { $0.size <= size }
      historians.removeAll { $0.size <= total }
      return (isDue ? .success(()) : nil, told.map(\.continuation))
    }
  }

  private let time = Fenced(Time())

  /// A clock that stands at zero.
  public init() {}

  /// The moment at which the clock stands.
  public var now: Instant { time.withLock(\.now) }

  /// The clock is exact.
  public var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// How many sleep.
  public var sleeperCount: Int { time.withLock(\.sleepers.count) }

  /// Moves time, and wakes those whose deadline has come, the earliest first.
  public func advance(by duration: Swift.Duration) {
    let woken = time.withLock { time in
      time.now = time.now.advanced(by: duration)
      let now = time.now
      let due = time.sleepers.filter { $0.value.deadline <= now }
      for id in due.keys { time.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Returns when at least so many sleep.
  nonisolated(nonsending) public func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isEnough = time.withLock { time in
        if time.sleepers.count >= count { return true }
        time.watchers.append((count, continuation))
        return false
      }
      if isEnough { continuation.resume() }
    }
  }

  /// Returns when at least so many sleeps have begun since the clock was made.
  ///
  /// It tells a sleep that was begun anew from the one before it.
  nonisolated(nonsending) public func waitForSleeps(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isEnough = time.withLock { time in
        if time.sleepCount >= count { return true }
        time.historians.append((count, continuation))
        return false
      }
      if isEnough { continuation.resume() }
    }
  }

  /// Sleeps until the clock was moved to a moment.
  ///
  /// - Throws: `CancellationError` when the sleeping task was cancelled.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    let id = time.withLock { time in
      time.lastID += 1
      return time.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        lieDown(id, Sleeper(deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      rise(id)
    }
  }

  private func lieDown(_ id: UInt64, _ sleeper: Sleeper) {
    let (verdict, watchers) = time.withLock { $0.lieDown(id, sleeper) }
    for watcher in watchers { watcher.resume() }
    if let verdict { sleeper.continuation.resume(with: verdict) }
  }

  private func rise(_ id: UInt64) {
    let sleeper = time.withLock { time in
      let sleeper = time.sleepers.removeValue(forKey: id)
      if sleeper == nil { time.cancelled.insert(id) }
      return sleeper
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
