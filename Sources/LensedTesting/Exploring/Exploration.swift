public import Lensed

/// What an exploration has shown.
public struct Exploration: Sendable, CustomStringConvertible {
  /// The seed that makes the same actions again; nil if the actions were given.
  public let seed: UInt64?
  /// The number of steps that were made in all.
  public let stepCount: Int
  /// The number of commits that the steps made, with those that making the store set off.
  public let commitCount: Int
  /// The promise that was broken; nil if none was.
  public internal(set) var brokenPromise: String?
  /// The fewest actions that break the promise; several of one commit are a list.
  public internal(set) var fewestActions: [any Action] = []
  /// What never happened: a type of action that some reducer handles, or an action in a case of the state.
  ///
  /// The parts that count are enums and optionals. A case of an enum is known once it was seen, or where the enum
  /// is `CaseIterable`.
  public let neverExercised: [String]

  /// How far the exploration went, what broke, and what never happened.
  public var description: String {
    let seed = seed.map { " with seed \($0)" } ?? ""
    let result = brokenPromise.map { "“\($0)” does not hold" } ?? "all promises hold"
    let missing = neverExercised.map { "\n  never: \($0)" }.joined()
    return "\(stepCount) steps\(seed), \(commitCount) commits: \(result)\(missing)"
  }
}

// MARK: What is checked

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
