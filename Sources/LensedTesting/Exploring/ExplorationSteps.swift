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

/// A step of an exploration that replaces the whole state, as a jump of a history does.
///
/// What a failed replay of a session with jumps prints has such steps. It never reaches the store as an action.
///
/// ```swift
/// let actions: [any Action] = [ReplaceState(AppState(count: 9)), CountAction.add(1)]
/// await explore(store: makeStore, replaying: actions, invariants: invariants)
/// ```
public struct ReplaceState<State: Sendable>: Action {
  /// The state from then on.
  public let state: State

  /// The step.
  public init(_ state: State) {
    self.state = state
  }
}
