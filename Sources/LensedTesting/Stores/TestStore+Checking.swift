#if canImport(Testing)
  internal import Lensed
  internal import Testing

  // How a step checks a commit: the state after it against the state before it with what the step says, part by part
  // (`Exhaustivity`), and each member of the commit for a handler.

  extension TestStore {
    /// Checks a commit against what a step says of it.
    ///
    /// - Parameters:
    ///   - tested: The commit.
    ///   - subject: Its name, as the subject of a sentence.
    ///   - isOwn: Whether the step has dispatched it.
    ///   - location: The step.
    ///   - changes: What the step says.
    func verify(
      _ tested: TestedCommit<State>, as subject: String, isOwn: Bool = false,
      at location: SourceLocation, _ changes: ((inout State) throws -> Void)?
    ) {
      verify(
        from: tested.before, to: tested.commit.state, as: subject, at: location,
        dispatched: log.placeLines(of: tested.commit), changes)
      if reportMissing(tested.commit, at: location) { return }
      let unhandled = unhandledMembers(of: tested)
      // Of what others have dispatched, a later step may say that it is for a parent.
      if isOwn || exhaustivity.isOff {
        reportUnhandled(unhandled, of: tested.commit, at: location)
      } else {
        if unhandled.isEmpty { return }
        let place = log.placeLines(of: tested.commit)
        log.note(unhandled.map { UnhandledAction(action: $0, place: place) }, at: location)
      }
    }

    /// Checks all that the last step committed on its thread against what it says of that.
    func verify(
      from before: State, to actual: State, as subject: String, at location: SourceLocation,
      _ changes: ((inout State) throws -> Void)?
    ) {
      verify(from: before, to: actual, as: subject, at: location, dispatched: [], changes)
      // That an element is missing is a warning of the store already.
      for tested in log.own {
        reportUnhandled(unhandledMembers(of: tested), of: tested.commit, at: location)
      }
    }

    private func verify(
      from before: State, to actual: State, as subject: String, at location: SourceLocation,
      dispatched place: @autoclosure () -> [String], _ changes: ((inout State) throws -> Void)?
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
      report("\(subject) \(verb)", failing.lines() + place(), at: location)
    }

    /// Reports that an action of a commit was for something that is not there.
    ///
    /// Where the store warns of it, that is an issue at the end, unless a step receives the warning.
    ///
    /// - Returns: Whether it was so.
    private func reportMissing(_ commit: LoggedCommit<State>, at location: SourceLocation) -> Bool {
      if commit.isHandled || commit.cause != .action || commit.candidates.isEmpty { return false }
      let isPassed = exhaustivity.isOff
      if let warning = log.seeWarning(at: commit.site, by: location, isPassed: isPassed) {
        if isPassed { fail("The store warns. \(log.whole(warning))", at: location) }
        return true
      }
      let parts = commit.candidates.map { "\(code: $0)" }.joined(separator: ", ")
      // The label of an action names its members.
      fail(
        "No reducer ran for \(commit.label): \(parts) has nothing that it is for.",
        log.placeLines(of: commit), at: location)
      return true
    }

    /// The actions of a commit without a handler, whether or not others of it were handled.
    ///
    /// The store warned of them at the commit; a feature that handled them may have left since.
    private func unhandledMembers(of tested: TestedCommit<State>) -> [any Action] {
      let commit = tested.commit
      if commit.cause != .action { return [] }
      return commit.members.enumerated().filter { index, action in
        !tested.sent.contains(index) && isUnhandled(type(of: action))
      }.map(\.element)
    }

    /// Whether actions of a type had no handler when the store warned, and have none now.
    func isUnhandled(_ type: any Action.Type) -> Bool {
      log.wasUnhandled(type) && !store.hasListeners(of: type) && !store.handles(type)
    }

    private func reportUnhandled(
      _ members: [any Action], of commit: LoggedCommit<State>, at location: SourceLocation
    ) {
      if members.isEmpty { return }
      let names = members.map { "\(code: ShortText.action($0))" }.joined(separator: ", ")
      fail(
        "Nobody handles \(names): it has no reducer, and sets off no effect.",
        log.placeLines(of: commit), at: location)
    }
  }
#endif
