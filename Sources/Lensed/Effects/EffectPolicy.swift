/// What becomes of a trigger while the effect is running already.
///
/// | policy | a new trigger, while a run is under way |
/// |---|---|
/// | `.concurrent` | runs beside it |
/// | `.latest` | cancels it and starts at once: no commit of the older run begins any more |
/// | `.first` | is ignored |
/// | `.serial` | is queued, in commit order |
/// | `.limited(n)` | runs beside it while fewer than `n` run, else is queued |
public enum EffectPolicy: Sendable, Hashable {
  /// All run side by side.
  case concurrent
  /// The newest cancels those before it. The later dispatches of a cancelled run are ignored.
  case latest
  /// While one runs, others are ignored.
  case first
  /// One after another, in commit order.
  case serial
  /// At most this many side by side, at least 1; the others are queued in commit order.
  case limited(Int)

  /// The number of runs side by side, or nil without a bound.
  var limit: Int? {
    switch self {
    case .concurrent, .latest, .first: nil
    case .serial: 1
    case .limited(let count): count
    }
  }

  func check() {
    if case .limited(let count) = self, count < 1 {
      fatalError(
        "Lensed: an effect with the policy .limited(\(count)) could never run. Let at least 1 run.")
    }
  }
}
