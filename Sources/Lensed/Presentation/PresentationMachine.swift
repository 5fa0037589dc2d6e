/// The phases of a presentation, as a pure state machine.
///
/// A *run* follows the store from a start or a resume to a pause or a stop. There is one at most,
/// and deliveries of an earlier run are void.
///
/// The presenter's `onStart` and `onStop` are *calls*. They are made one at a time, in the order of
/// the starts and stops, by any thread that finds none in progress.
///
/// A run is *followed* by a task, once the `onStart` of its start has returned and the task of each
/// earlier run has ended. So there is one such task at a time.
struct PresentationMachine<Run: AnyObject & Sendable>: Sendable {
  private enum Phase: Sendable {
    case stopped
    case running(Run)
    case paused
  }

  /// A call of the presenter.
  enum Call: Sendable {
    /// `onStart`, with the state of the run.
    case start(Run)
    /// `onStop`.
    case stop
  }

  private var phase = Phase.stopped
  private var starts = 0
  private var calls = RingBuffer<Call>()
  private var isCalling = false
  /// The starts whose `onStart` has returned.
  private var startsDone = 0
  /// Whether a run is followed; an earlier one, until its task has ended.
  private var isFollowing = false

  /// Starts, with a first run.
  ///
  /// - Returns: Whether it was stopped before; otherwise `run` is not used.
  mutating func start(_ run: Run) -> Bool {
    guard case .stopped = phase else { return false }
    phase = .running(run)
    starts += 1
    calls.append(.start(run))
    return true
  }

  /// Resumes, with a new run; stops if there is none, because the store was released.
  ///
  /// - Returns: Whether it was paused before; otherwise `run` is not used.
  mutating func resume(_ run: Run?) -> Bool {
    guard case .paused = phase else { return false }
    if let run { phase = .running(run) } else { _ = stop() }
    return true
  }

  /// Pauses.
  ///
  /// - Returns: The run to cancel.
  mutating func pause() -> Run? {
    guard case .running(let run) = phase else { return nil }
    phase = .paused
    return run
  }

  /// Stops.
  ///
  /// - Returns: The run to cancel.
  mutating func stop() -> Run? {
    if case .stopped = phase { return nil }
    let run = pause()
    phase = .stopped
    calls.append(.stop)
    return run
  }

  /// The number of the start that a run belongs to; nil if the run is not the current one.
  func start(of run: Run) -> Int? {
    if case .running(let current) = phase, current === run { starts } else { nil }
  }

  /// Begins the next call; nil if none is due or one is in progress.
  mutating func beginCall() -> Call? {
    guard !isCalling, let call = calls.popFirst() else { return nil }
    isCalling = true
    return call
  }

  /// Ends the call in progress.
  mutating func endCall(_ call: Call) {
    isCalling = false
    if case .start = call { startsDone += 1 }
  }

  /// Begins to follow the current run; nil if there is none, or none that can be followed yet.
  mutating func beginFollowing() -> Run? {
    guard !isFollowing, startsDone == starts, case .running(let run) = phase else { return nil }
    isFollowing = true
    return run
  }

  /// Ends following a run, whose task has ended.
  ///
  /// - Returns: Whether the run was the current one, which has ended by itself and is stopped now.
  mutating func endFollowing(_ run: Run) -> Bool {
    isFollowing = false
    guard start(of: run) != nil else { return false }
    _ = stop()
    return true
  }
}
