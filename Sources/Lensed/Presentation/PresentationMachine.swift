/// Whether a presentation is at work, as a pure machine.
///
/// Each time it begins to follow the store is a *run*; there is one at most, and whatever an earlier
/// one still has under way is void.
struct PresentationMachine<Run: AnyObject & Sendable>: Sendable {
  private enum Phase: Sendable {
    case stopped
    case running(Run)
    case paused
  }

  private var phase = Phase.stopped
  private var starts = 0

  init() {}

  /// Begins the first run of a start.
  ///
  /// - Returns: Whether it was stopped; otherwise `run` is of no use.
  mutating func start(_ run: Run) -> Bool {
    guard case .stopped = phase else { return false }
    phase = .running(run)
    starts += 1
    return true
  }

  /// Begins a further run.
  ///
  /// - Returns: Whether it was paused; otherwise `run` is of no use.
  mutating func resume(_ run: Run) -> Bool {
    guard case .paused = phase else { return false }
    phase = .running(run)
    return true
  }

  /// Ends the run, to go on later.
  ///
  /// - Returns: The run to be cancelled.
  mutating func pause() -> Run? {
    guard case .running(let run) = phase else { return nil }
    phase = .paused
    return run
  }

  /// Ends everything.
  ///
  /// - Returns: Whether it was started, and the run to be cancelled.
  mutating func stop() -> (wasStarted: Bool, run: Run?) {
    defer { phase = .stopped }
    switch phase {
    case .stopped: return (false, nil)
    case .paused: return (true, nil)
    case .running(let run): return (true, run)
    }
  }

  /// Ends everything because a run has come to its end.
  ///
  /// - Returns: Whether it was the present one.
  mutating func end(_ run: Run) -> Bool {
    guard start(of: run) != nil else { return false }
    phase = .stopped
    return true
  }

  /// The number of the start that this run belongs to; nil when what it does is void.
  func start(of run: Run) -> Int? {
    if case .running(let current) = phase, current === run { starts } else { nil }
  }
}
