public import Lensed

/// A step of an exploration that moves its clock to the next deadline of a sleeper.
///
/// Exploration mixes it in among the actions where the store was made with a clock. It never reaches the store.
public struct NextDeadline: Action, Hashable {
  /// The step.
  public init() {}
}

extension Generator where Value == any Action {
  /// The actions that a seed stands for; where the clock moves, every eighth on average moves it.
  func list(of count: Int, seed: UInt64, movesClock: Bool) -> [any Action] {
    var random = SeededGenerator(seed: seed)
    return (0..<max(0, count)).map { _ in
      movesClock && UInt64.random(in: 0..<8, using: &random) == 0
        ? NextDeadline() : next(&random)
    }
  }
}
