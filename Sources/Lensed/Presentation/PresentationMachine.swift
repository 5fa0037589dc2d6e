/// Whether a presentation is at work, as a pure machine.
///
/// Each time it begins to follow the store is a *run*; there is one at most, and whatever an earlier
/// one still has under way is void.
///
/// The presenter's `onStart` and `onStop` are *calls*, made one at a time, in the order of the starts and
/// stops, by whichever thread finds that none is being made. A run is followed only after the `onStart`
/// of its start has returned.
struct PresentationMachine<Run: AnyObject & Sendable>: Sendable {
  private enum Phase: Sendable {
    case stopped
    case running(Run)
    case paused
  }

  /// A call of the presenter that is due.
  enum Call: Sendable {
    /// `onStart`, with the state of the run; the start has this number.
    case start(Run, number: Int)
    /// `onStop`.
    case stop
  }

  private var phase = Phase.stopped
  private var starts = 0
  private var calls = RingBuffer<Call>()
  private var isCalling = false
  /// The last start whose `onStart` has returned.
  private var greeted = 0

  init() {}

  /// Begins the first run of a start.
  ///
  /// - Returns: Whether it was stopped; otherwise `run` is of no use.
  mutating func start(_ run: Run) -> Bool {
    guard case .stopped = phase else { return false }
    phase = .running(run)
    starts += 1
    calls.append(.start(run, number: starts))
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
    if case .stopped = phase {} else { calls.append(.stop) }
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
    calls.append(.stop)
    return true
  }

  /// The number of the start that this run belongs to; nil when what it does is void.
  func start(of run: Run) -> Int? {
    if case .running(let current) = phase, current === run { starts } else { nil }
  }

  /// Whether the present run may be followed: the `onStart` of its start has returned.
  var isGreeted: Bool { greeted == starts }

  /// The call that is due next; nil when there is none, or when one is being made.
  mutating func beginCall() -> Call? {
    guard !isCalling, let call = calls.popFirst() else { return nil }
    isCalling = true
    return call
  }

  /// Ends the call that was begun.
  ///
  /// - Returns: The run that is to be followed now.
  mutating func endCall(_ call: Call) -> Run? {
    isCalling = false
    guard case .start(_, let number) = call else { return nil }
    greeted = number
    guard isGreeted, case .running(let run) = phase else { return nil }
    return run
  }
}
