internal import Lensed

// When a `Persistence` writes:
//
// 1. The first commit that touches a kept part asks `WriterMachine.touch`. With `eachCommit` a turn is due; with
//    `debounced` the writer begins a timer.
// 2. The `WriteTimer` says how long to sleep until the next look, and then whether a turn is due: after a lull, or at the
//    limit.
// 3. At most one turn is queued or running. What is touched meanwhile is for the next one. `sync()` makes a turn due at
//    once.
// 4. A turn that failed is tried again after a delay, which grows.
//
// The machine calls nothing and knows no clock: `Writer` does what it returns.

/// When a `Persistence` writes.
public enum PersistenceWriting: Sendable, Hashable {
  /// When no kept part has been touched for a while, and at the latest some time after the first commit that is not
  /// on the disk. The writer looks each time `for` has passed, so a write comes after one to two times `for`.
  case debounced(for: Duration, atMost: Duration)
  /// At once, while no write is under way; what is committed meanwhile comes with the next one.
  case eachCommit

  /// The default: after 50 milliseconds without a commit, and at the latest after a second.
  public static var standard: PersistenceWriting {
    .debounced(for: .milliseconds(50), atMost: .seconds(1))
  }
}

// MARK: Deciding

/// Decides when a turn of the writer is due: pure.
///
/// A *turn* takes what was touched and writes it. At most one is queued or running, and each waiter is answered by a turn that
/// began after the waiter came.
struct WriterMachine<Waiter: Sendable>: Sendable {
  enum Phase: Sendable, Equatable { case idle, queued, running }

  enum Action: Sendable, Equatable {
    case none
    /// Queue a turn.
    case queueTurn
    /// Begin to wait until a turn is due, by a `WriteTimer`.
    case startTimer(lull: Duration, limit: Duration)
    /// Begin to wait for so long, until the next attempt.
    case startRetry(after: Duration)
  }

  private let writing: PersistenceWriting
  private(set) var phase = Phase.idle
  /// How many attempts in a row have failed.
  private var failures = 0
  private var waiters: [Waiter] = []
  private var isTimerRunning = false
  private var isRetryRunning = false
  private var isDue = false
  /// Whether something was touched that the next attempt takes.
  private var isTouched = false

  init(_ writing: PersistenceWriting) {
    self.writing = writing
  }

  /// Something was touched, for the first time since the last turn took.
  mutating func touch() -> Action {
    if isRetryRunning {
      isTouched = true
      return .none
    }
    guard case .debounced(let lull, let limit) = writing else { return request() }
    if isTimerRunning { return .none }
    isTimerRunning = true
    return .startTimer(lull: lull, limit: limit)
  }

  /// A caller of `sync` waits until everything before is safe.
  mutating func wait(_ waiter: Waiter) -> Action {
    waiters.append(waiter)
    return request()
  }

  mutating func request() -> Action {
    switch phase {
    case .idle:
      phase = .queued
      return .queueTurn
    case .queued: return .none
    case .running:
      isDue = true
      return .none
    }
  }

  mutating func endTimer() -> Action {
    isTimerRunning = false
    return request()
  }

  mutating func endRetry() -> Action {
    isRetryRunning = false
    return request()
  }

  /// A turn begins.
  ///
  /// - Returns: The waiters that the turn answers.
  mutating func beginTurn() -> [Waiter] {
    phase = .running
    (isDue, isTouched) = (false, false)
    defer { waiters = [] }
    return waiters
  }

  mutating func endTurn(failed: Bool) -> Action {
    phase = .idle
    failures = failed ? failures + 1 : 0
    if !waiters.isEmpty { return request() }
    if !failed {
      // An attempt that is still waited for has nothing to do any more.
      isRetryRunning = false
      if isDue { return request() }
      return isTouched ? touch() : .none
    }
    // A commit alone waits for the next attempt.
    if isRetryRunning { return .none }
    isRetryRunning = true
    return .startRetry(after: retryDelay)
  }

  /// A tenth of a second after the first failure, twice as long after each further one, ten seconds at most.
  private var retryDelay: Duration {
    min(.milliseconds(100) * (1 << min(failures - 1, 7)), .seconds(10))
  }
}

// MARK: The timer

/// The wait after the first commit that is not on the disk, until no commit has come for a lull or the limit is over: pure.
///
/// It is looked at each time a lull has passed, rather than begun anew by each commit: so a commit pays nothing for it, and
/// a write comes after once to twice of the lull.
struct WriteTimer: Sendable {
  private let lull: Duration
  private let limit: Duration
  /// The number of commits at the last look.
  private var commits: UInt64

  init(lull: Duration, limit: Duration, commits: UInt64) {
    (self.lull, self.limit, self.commits) = (lull, limit, commits)
  }

  /// How long to sleep until the next look.
  func nextLook(after elapsed: Duration) -> Duration { waitable(min(lull, limit - elapsed)) }

  mutating func isDue(after elapsed: Duration, commits now: UInt64) -> Bool {
    now == exchange(&commits, with: now) || elapsed >= limit
  }
}
