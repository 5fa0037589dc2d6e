/// What happens to a new trigger while the effect is already running.
///
/// | policy | a new trigger, while one run is under way |
/// |---|---|
/// | `.concurrent` | starts beside it |
/// | `.latest` | cancels it and starts at once: no further commit of the older run begins |
/// | `.first` | is ignored |
/// | `.serial` | waits its turn, in commit order |
/// | `.limited(n)` | starts beside it while fewer than `n` run, else waits its turn |
///
/// A run counts until its code has returned. A sequence that it dispatched, and neither returned nor awaited, may go
/// on beside the next run; it ends with what ends its own run, a newer run of `.latest` among them. A run that was
/// cancelled, and has yet to notice, keeps its place under `.serial` and `.limited`. Under `.first` it makes nobody
/// wait: a new trigger starts beside it. One that is past its limit (`timedOut`), and has yet to notice, still counts
/// under each: it may be tried again.
public enum EffectPolicy: Sendable, Hashable {
  /// All run side by side.
  case concurrent
  /// The newest cancels those before it. What a cancelled run still dispatches is ignored.
  case latest
  /// While one runs that was not cancelled, others are ignored.
  case first
  /// One after another, in commit order.
  case serial
  /// At most this many side by side; the others wait in commit order. At least 1.
  case limited(Int)

  /// How many may run side by side, or nil when there is no bound.
  var limit: Int? {
    switch self {
    case .concurrent, .latest, .first: nil
    case .serial: 1
    case .limited(let count): count
    }
  }

  /// Traps if no job could ever run.
  func check() {
    if case .limited(let count) = self, count < 1 {
      fatalError(
        "Lensed: an effect with the policy .limited(\(count)) could never run. Let at least 1 run.")
    }
  }
}
