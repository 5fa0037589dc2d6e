#if canImport(Testing)
  internal import Lensed
  internal import Testing

  /// What a step waits for.
  struct Awaited<State: Sendable, Value: Sendable>: Sendable {
    /// Its name, as the subject of a sentence.
    let name: String
    /// The value in a commit, if it is meant.
    let find: @Sendable (LoggedCommit<State>) -> Value?
    /// Why a commit that looks alike is not meant; nil where it does not look alike.
    var difference: @Sendable (LoggedCommit<State>) -> [String]? = { _ in nil }
  }

  extension TestStore {
    /// Waits for a commit, takes it, and checks it.
    ///
    /// - Returns: What was found in it; nil where it did not come.
    nonisolated(nonsending) func receive<Value: Sendable>(
      _ awaited: Awaited<State, Value>, at location: SourceLocation,
      _ changes: ((inout State) throws -> Void)?
    ) async -> Value? {
      await turns.step {
        log.begin(at: location)
        let find = { (tested: TestedCommit<State>) in awaited.find(tested.commit) }
        let prospect = await wait { [log] in log.first { awaited.find($0.commit) } != nil }
        guard case .there = prospect, let found = log.first(where: find) else {
          reportMissing(awaited, prospect, log.pending, at: location)
          return nil
        }
        passOver(found.index, before: found.tested.commit, at: location)
        log.take(found.tested)
        verify(found.tested, as: found.tested.commit.sentence, at: location, changes)
        return found.value
      }
    }

    /// Passes over the pending commits before one that a step takes.
    func passOver(_ count: Int, before commit: LoggedCommit<State>, at location: SourceLocation) {
      if count == 0 { return }
      let exhaustivity = exhaustivity
      var earlier: [TestedCommit<State>] = []
      for skipped in log.prefix(count) where !skipped.wasReported {
        if exhaustivity.mustBeReceived(skipped) {
          earlier.append(skipped)
        } else {
          // Received in commit order: what was skipped is not received later.
          log.take(skipped)
          showSkipped("\(skipped.commit.sentence) was skipped:", skipped.lines, at: location)
        }
      }
      if earlier.isEmpty { return }
      log.noteReported(earlier)
      report(
        "\(commit.sentence) came after commits that no step has received:",
        earlier.map { "\($0.commit.sentence)\($0.commit.place)" }, at: location)
    }

    private func reportMissing<Value>(
      _ awaited: Awaited<State, Value>, _ prospect: Prospect,
      _ pending: [TestedCommit<State>], at location: SourceLocation
    ) {
      for tested in pending {
        if let lines = awaited.difference(tested.commit) {
          // The test means this one, so it is no longer there to be received.
          log.take(tested)
          return report(
            "\(tested.commit.sentence) came, and the step expects another one:",
            lines + tested.commit.placeLines, at: location)
        }
      }
      let waiting = pending.map {
        "not received yet: \($0.commit.sentence)\($0.commit.place)"
      }
      report(
        "\(awaited.name) was expected, and does not come:", prospect.reasons + waiting, at: location
      )
    }
  }
#endif
