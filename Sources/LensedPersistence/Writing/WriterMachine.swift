/// Decides when a turn of the writer is due: pure.
///
/// A *turn* takes what was touched and writes it. At most one is queued or running, and each waiter is answered by a turn that
/// began after the waiter came.
struct WriterMachine<Waiter: Sendable>: Sendable {
  enum Phase: Sendable, Equatable { case idle, queued, running }

  /// What there is to do.
  enum Action: Sendable, Equatable {
    case none
    /// Queue a turn.
    case queueTurn
    /// Begin to wait until a turn is due.
    case startTimer
    /// Begin to wait until the next attempt, after so many that failed.
    case startRetry(Int)
  }

  private(set) var phase = Phase.idle
  private(set) var failures = 0
  private var waiters: [Waiter] = []
  private var isTimerRunning = false
  private var isRetryRunning = false
  private var isDue = false
  /// Whether something was touched that the next attempt takes.
  private var isTouched = false
  private let isDebounced: Bool

  init(isDebounced: Bool) {
    self.isDebounced = isDebounced
  }

  /// Something was touched, for the first time since the last turn took.
  mutating func touch() -> Action {
    if isRetryRunning {
      isTouched = true
      return .none
    }
    if !isDebounced { return request() }
    if isTimerRunning { return .none }
    isTimerRunning = true
    return .startTimer
  }

  /// A caller of `sync` waits until everything before is safe.
  mutating func wait(_ waiter: Waiter) -> Action {
    waiters.append(waiter)
    return request()
  }

  /// A turn is due.
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

  /// A turn ended.
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
    return .startRetry(failures)
  }
}
