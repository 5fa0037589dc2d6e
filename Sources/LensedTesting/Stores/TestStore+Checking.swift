#if canImport(Testing)
  internal import Lensed
  internal import Testing

  extension TestStore {
    /// Checks a commit against what a step says of it.
    func verify(
      _ tested: TestedCommit<State>, as subject: String, at location: SourceLocation,
      _ changes: ((inout State) throws -> Void)?
    ) {
      verify(
        from: tested.before, to: tested.commit.state, as: subject, at: location,
        dispatched: tested.commit.placeLines, changes)
      verifyHandled(tested.commit, at: location)
    }

    /// Checks a change of the state against what a step says of it.
    func verify(
      from before: State, to actual: State, as subject: String, at location: SourceLocation,
      dispatched place: [String] = [], _ changes: ((inout State) throws -> Void)?
    ) {
      var expected = before
      do {
        try changes?(&expected)
      } catch {
        return report(
          "The step threw an error before it had said what changes: \(error)", at: location)
      }
      let (failing, skipped) = exhaustivity.compare(before, expected, actual)
      showSkipped("\(subject) also changed what the test skips:", skipped.lines(), at: location)
      if failing.isSame { return }
      let verb =
        changes == nil
        ? "changed the state, and the step says nothing of it:"
        : "did not change the state as the step says:"
      report("\(subject) \(verb)", failing.lines() + place, at: location)
    }

    /// Checks that the actions of a commit were handled.
    private func verifyHandled(_ commit: LoggedCommit<State>, at location: SourceLocation) {
      if commit.isHandled || commit.cause != .action || exhaustivity.isOff { return }
      // The label of an action names its members.
      let (names, place) = (commit.label, commit.placeLines)
      if !commit.candidates.isEmpty {
        // The store warns of the same.
        let warning = log.takeWarning(of: .missingElement, at: commit.site)
        let parts = commit.candidates.map { "`\($0)`" }.joined(separator: ", ")
        let reason = warning?.missing.map { "there is no \($0)." }
        return report(
          "No reducer ran for \(names): \(reason ?? "\(parts) has nothing that it is for.")", place,
          at: location)
      }
      if commit.members.contains(where: { store.hasListeners(of: type(of: $0)) }) { return }
      report(
        "Nobody handles \(names): it has no reducer, and sets off no effect.", place, at: location)
    }
  }
#endif
