public import Lensed

/// What an exploration has shown.
public struct Exploration: Sendable, CustomStringConvertible {
  /// Stands for the actions that were made; nil where they were given.
  public let seed: UInt64?
  /// How many steps were made in all.
  public let stepCount: Int
  /// How many commits came of them, and of what making the store set off.
  public let commitCount: Int
  /// The promise that was broken, and nil where none was.
  public internal(set) var brokenPromise: String?
  /// The fewest actions that break it; several of one commit are a list.
  public internal(set) var fewestActions: [any Action] = []
  /// What never happened: a type of action that some reducer handles, or an action in a case of the state.
  ///
  /// The parts that count are enums and optionals. A case of an enum is known once it was seen, or where the enum
  /// is `CaseIterable`.
  public let neverExercised: [String]

  /// How far it went, and what never happened.
  public var description: String {
    let seed = seed.map { " with seed \($0)" } ?? ""
    let result = brokenPromise.map { "“\($0)” does not hold" } ?? "all promises hold"
    let missing = neverExercised.map { "\n  never: \($0)" }.joined()
    return "\(stepCount) steps\(seed), \(commitCount) commits: \(result)\(missing)"
  }
}
