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
      if !reportUnreduced(tested.commit, at: location) {
        reportUnhandledMembers(tested.commit, at: location)
      }
    }

    /// Checks all that the last step committed on its thread against what it says of that.
    func verify(
      from before: State, to actual: State, as subject: String, at location: SourceLocation,
      _ changes: ((inout State) throws -> Void)?
    ) {
      verify(from: before, to: actual, as: subject, at: location, dispatched: [], changes)
      // That an element is missing is a warning of the store already.
      for tested in log.own { reportUnhandledMembers(tested.commit, at: location) }
    }

    private func verify(
      from before: State, to actual: State, as subject: String, at location: SourceLocation,
      dispatched place: [String], _ changes: ((inout State) throws -> Void)?
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

    /// Reports that no action of a commit was handled.
    ///
    /// - Returns: Whether that is reported.
    private func reportUnreduced(
      _ commit: LoggedCommit<State>, at location: SourceLocation
    ) -> Bool {
      if commit.isHandled || commit.cause != .action { return false }
      if !commit.candidates.isEmpty {
        // The store warns of the same.
        let warning = log.takeWarning(of: .missingElement, at: commit.site)
        let parts = commit.candidates.map { "`\($0)`" }.joined(separator: ", ")
        let reason = warning?.missing.map { "there is no \($0)." }
        // The label of an action names its members.
        fail(
          "No reducer ran for \(commit.label): \(reason ?? "\(parts) has nothing that it is for.")",
          commit.placeLines, at: location)
        return true
      }
      if commit.members.contains(where: { store.hasListeners(of: type(of: $0)) }) { return false }
      reportUnhandled(commit.members, of: commit, at: location)
      return true
    }

    /// Reports the actions of a commit that nobody handles, whether or not others of it were handled.
    ///
    /// The store warned of them at the commit; a feature that handled them may have left since.
    private func reportUnhandledMembers(
      _ commit: LoggedCommit<State>, at location: SourceLocation
    ) {
      if commit.cause != .action { return }
      let members = commit.members.filter { isUnhandled(type(of: $0)) }
      if !members.isEmpty { reportUnhandled(members, of: commit, at: location) }
    }

    /// Whether nobody handled actions of a type when the store warned, and nobody does now.
    private func isUnhandled(_ type: any Action.Type) -> Bool {
      if !log.wasUnhandled(type) || store.hasListeners(of: type) { return false }
      return !store.handledActionTypes.contains { $0 == type || $0 == (any Action).self }
    }

    private func reportUnhandled(
      _ members: [any Action], of commit: LoggedCommit<State>, at location: SourceLocation
    ) {
      let names = members.map { "`\(ShortText.action($0))`" }.joined(separator: ", ")
      fail(
        "Nobody handles \(names): it has no reducer, and sets off no effect.", commit.placeLines,
        at: location)
    }
  }
#endif
