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
      if all.isSame { return (all, all) }
      lazy var said = Sameness(expected: before, actual: expected).entries
      var (failing, skipped): ([StateDifference.Entry], [StateDifference.Entry]) = ([], [])
      for entry in all.entries {
        if covers(entry.path) || said.contains(where: { $0.path.touches(entry.path) }) {
          failing.append(entry)
        } else {
          skipped.append(entry)
        }
      }
      return (Sameness(failing), Sameness(skipped))
    }

    /// Whether a commit has to be received.
    func mustBeReceived(_ tested: TestedCommit<State>) -> Bool {
      !isOff && covers(tested.changes)
    }
  }
#endif
