public import Lensed

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
