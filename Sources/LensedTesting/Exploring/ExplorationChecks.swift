/// What exploration checks beside the invariants that it is given.
public struct ExplorationChecks: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Checks by their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Replaying the commits gives the same states: reducers depend on nothing but state and action.
  public static let replay = ExplorationChecks(rawValue: 1)
  /// Undoing a commit and redoing it changes nothing.
  public static let undo = ExplorationChecks(rawValue: 2)
  /// A store that nothing listens to comes to the same states as one whose commits are all observed.
  public static let paths = ExplorationChecks(rawValue: 4)
  /// All of them.
  public static let all: ExplorationChecks = [.replay, .undo, .paths]

  static let replayPromise = "a replay gives the same states"
  static let undoPromise = "undo and redo change nothing"
  static let pathsPromise = "the fast and the slow path agree"
}
