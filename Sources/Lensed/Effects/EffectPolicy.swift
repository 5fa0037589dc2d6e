/// What becomes of an occasion while the effect is running already.
///
/// | policy | a new occasion, while one is running |
/// |---|---|
/// | `.concurrent` | runs beside it |
/// | `.latest` | cancels it and starts at once: no commit of the older run begins any more |
/// | `.first` | is ignored |
/// | `.serial` | waits its turn, in commit order |
/// | `.limited(n)` | runs beside it while fewer than `n` do, else waits its turn |
public enum EffectPolicy: Sendable, Hashable {
  /// All run side by side.
  case concurrent
  /// The newest cancels those before it. What a cancelled one still dispatches is ignored.
  case latest
  /// While one runs, others are ignored.
  case first
  /// One after another, in commit order.
  case serial
  /// At most so many side by side, the others wait in commit order. At least 1.
  case limited(Int)

  /// How many may run side by side, or nil when there is no bound.
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
