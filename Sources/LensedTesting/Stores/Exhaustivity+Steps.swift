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
      let said = SaidParts(from: before, to: expected)
      let mustHold = { part in covers(part) || said.touch(part) }
      // Chosen before they are counted: many differences that are skipped hide none that fails.
      let failing = Sameness(expected: expected, actual: actual, where: mustHold)
      let skipped = showsSkipped ? skipped(of: all, expected, actual, mustHold) : []
      return (failing, Sameness(skipped))
    }

    /// The differences, and of those shown whole that fail in part, the others.
    private func skipped(
      of all: Sameness, _ expected: State, _ actual: State, _ mustHold: (_ part: [String]) -> Bool
    ) -> [DifferenceEntry] {
      let parts = StateDifference.entries(
        from: expected, to: actual, limit: all.entries.count + Sameness.limit, showsWhole: false
      ).filter { !mustHold($0.part) }
      return all.entries.flatMap { entry in
        if !mustHold(entry.part) { return [entry] }
        guard case .changed = entry.kind else { return [] }
        return parts.filter { $0.path.starts(with: entry.path) }
      }
    }

    /// Whether a commit has to be received, and no step was told so yet.
    func mustBeReceived(_ tested: TestedCommit<State>) -> Bool {
      !tested.wasReported && coversCommit(from: tested.before, to: tested.commit.state)
    }
  }

  /// The parts of all that a step says to change.
  ///
  /// They are found by their values. To call the step again, on the state after, would also find a value that it writes
  /// as it was; but a step is written for the state before, and may trap or fail in any other.
  private struct SaidParts {
    private let parts: Set<[String]>
    /// The parts on the way to them.
    private let ways: Set<[String]>

    init(from before: Any, to expected: Any) {
      let entries = StateDifference.entries(
        from: before, to: expected, limit: .max, showsWhole: false)
      parts = Set(entries.lazy.map(\.part))
      ways = Set(parts.lazy.flatMap { part in part.indices.map { Array(part[..<$0]) } })
    }

    /// Whether a part leads to or through one of them.
    func touch(_ part: [String]) -> Bool {
      ways.contains(part) || (0...part.count).contains { parts.contains(Array(part.prefix($0))) }
    }
  }
#endif
