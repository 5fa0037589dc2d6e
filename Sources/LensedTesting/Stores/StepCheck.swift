#if canImport(Testing)
  internal import Lensed

  /// Compares what a step says with what a commit did.
  struct StepCheck<State: Sendable>: Sendable {
    let exhaustivity: Exhaustivity<State>

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
      var said: [StateDifference.Entry]?
      var (failing, skipped): ([StateDifference.Entry], [StateDifference.Entry]) = ([], [])
      for entry in all.entries {
        if exhaustivity.covers(entry.path) {
          failing.append(entry)
          continue
        }
        let isSaid = (said ?? Sameness(expected: before, actual: expected).entries)
        said = isSaid
        if isSaid.contains(where: { $0.path.touches(entry.path) }) {
          failing.append(entry)
        } else {
          skipped.append(entry)
        }
      }
      return (Sameness(failing), Sameness(skipped))
    }

    /// Whether a commit has to be received.
    func mustBeReceived(_ tested: TestedCommit<State>) -> Bool {
      if exhaustivity.isOff { return false }
      return exhaustivity.covers(changes(of: tested))
    }

    /// What a commit changed.
    func changes(of tested: TestedCommit<State>) -> [StateDifference.Entry] {
      StateDifference.entries(from: tested.before, to: tested.commit.state, limit: 200)
    }

    /// What a commit changed, as lines, and where it was dispatched.
    func lines(of tested: TestedCommit<State>) -> [String] {
      let changes = changes(of: tested)
      let lines = changes.prefix(12).map(\.line) + (changes.count > 12 ? ["… and more"] : [])
      let place = tested.commit.site.map { ["dispatched at \($0)"] } ?? []
      return lines + place
    }
  }
#endif
