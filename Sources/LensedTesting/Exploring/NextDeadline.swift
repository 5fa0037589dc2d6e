public import Lensed

/// A step of an exploration that moves its clock to the next deadline of a sleeper.
///
/// Exploration mixes it in among the actions where the store was made with a clock. It never reaches the store.
public struct NextDeadline: Action, Hashable {
  /// The step.
  public init() {}
}
