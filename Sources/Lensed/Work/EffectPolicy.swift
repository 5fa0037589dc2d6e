/// What happens to a new trigger while the effect is already running.
///
/// | policy | a new trigger, while one run is under way |
/// |---|---|
/// | `.concurrent` | starts beside it |
/// | `.latest` | cancels it and starts at once: no further commit of the older run begins |
/// | `.first` | is ignored |
/// | `.serial` | waits its turn, in commit order |
/// | `.limited(n)` | starts beside it while fewer than `n` run, else waits its turn |
public enum EffectPolicy: Sendable, Hashable {
  /// All run side by side.
  case concurrent
  /// The newest cancels those before it. What a cancelled run still dispatches is ignored.
  case latest
  /// While one runs, others are ignored.
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
