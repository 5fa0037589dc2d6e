#if canImport(Testing)
  internal import Lensed

  // Compares what a step says with what a commit did.
  extension Exhaustivity where State: Sendable {
    /// What differs from what the step says.
    ///
    /// - Parameters:
    ///   - before: The state before.
    ///   - expected: The state as the step says it.
    ///   - actual: The state after.
    /// - Returns: The differences that fail the step, and those that the exhaustivity skips.
    func compare(
      _ before: State, _ expected: State, _ actual: State
    ) -> (failing: Sameness, skipped: Sameness) {
      let all = Sameness(expected: expected, actual: actual)
      if all.isSame || isOn { return (all, Sameness([])) }
      let said = SaidPaths(from: before, to: expected)
      let mustHold = { path in covers(path) || said.touch(path) }
      // Chosen before they are counted: many differences that are skipped hide none that fails.
      let failing = Sameness(expected: expected, actual: actual, where: mustHold)
      let skipped = showsSkipped ? all.entries.filter { !mustHold($0.path) } : []
      return (failing, Sameness(skipped))
    }

    /// Whether a commit has to be received, and no step was told so yet.
    func mustBeReceived(_ tested: TestedCommit<State>) -> Bool {
      !tested.wasReported && coversCommit(from: tested.before, to: tested.commit.state)
    }
  }

  /// The paths of all that a step says to change.
  private struct SaidPaths {
    private let paths: Set<[String]>
    /// The paths on the way to them.
    private let ways: Set<[String]>

    init(from before: Any, to expected: Any) {
      paths = Set(
        StateDifference.entries(from: before, to: expected, limit: .max).lazy.map(\.path))
      ways = Set(paths.lazy.flatMap { path in path.indices.map { Array(path[..<$0]) } })
    }

    /// Whether a path leads to or through one of them.
    func touch(_ path: [String]) -> Bool {
      ways.contains(path) || (0...path.count).contains { paths.contains(Array(path.prefix($0))) }
    }
  }
#endif
