#if canImport(Testing)
  internal import Lensed
  public import Testing

  // The last step of a test: all comes to rest, and whatever is left is reported: commits that no step has received, errors,
  // warnings, effects that are still under way. How it is known that all has come to rest: `TestStore+Resting`. How a
  // dispatch knows that it is finished: `Work/Finish.swift` of Lensed.

  extension TestStore {
    /// Ends the test: expects that no commit is left to receive, and that nothing is under way.
    ///
    /// Each commit that no step has received is an issue at the step after which it came, unless a step has named it
    /// already. So is each uncaught error, whatever the exhaustivity. Each effect that is still under way is an issue
    /// here, with what it waits for; with `off` it is none. It waits for what the test cannot see, and for nothing else.
    ///
    /// What is committed after it is an issue when the test store is released, unless `finish` is called again. After a
    /// further step it has to be called again.
    ///
    /// - Parameter sourceLocation: Where issues are reported.
    public nonisolated(nonsending) func finish(
      sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      await turns.step {
        end(leavingEffects: false)
        // Commits may come as long as something moves.
        let prospect = await wait { false }
        reportUnreceived()
        reportFindings()
        reportUnderWay(prospect, at: sourceLocation)
        attachSession()
      }
    }

    /// Cancels nothing, and lets the test end although these are under way: effects without end.
    ///
    /// - Parameter sourceLocation: Where issues are reported.
    public nonisolated(nonsending) func finishLeavingEffects(
      sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      await turns.step {
        end(leavingEffects: true)
        await comeToRest(at: sourceLocation)
        reportUnreceived()
        reportFindings()
        attachSession()
      }
    }

    /// Reports the uncaught errors, the actions without a handler, and the warnings.
    private func reportFindings() {
      // An error goes never into silence, whatever the test need not say.
      for error in log.takeErrors() {
        report(
          "An error was caught by nobody. \(log.whole(error.value).descriptionWithAdvice)",
          at: error.step)
      }
      for unhandled in log.takeUnhandled() {
        fail(
          """
          Nobody handles \(code: ShortText.action(unhandled.value.action)): it has no reducer, and sets off no effect. \
          What a child sends to its parent, `expectSent` expects.
          """, unhandled.value.place, at: unhandled.step)
      }
      for warning in log.takeWarnings() where !warning.isPassed {
        fail("The store warns. \(log.whole(warning.value))", at: warning.step)
      }
    }

    /// Takes the commits that came and were not received, without looking at them.
    public nonisolated(nonsending) func skipReceived(
      sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      await step {
        await comeToRest(at: sourceLocation)
        log.dropPending()
      }
    }

    /// Reports the commits that are waiting as not received, and takes them.
    private func reportUnreceived() {
      let (pending, exhaustivity) = (log.pending, exhaustivity)
      for tested in pending {
        let sentence = "\(tested.commit.sentence) was not received by any step:"
        if exhaustivity.mustBeReceived(tested) {
          report(sentence, log.lines(of: tested), at: tested.step)
        } else {
          showSkipped(sentence, log.lines(of: tested), at: tested.step)
        }
      }
      log.dropPending()
    }

    private func reportUnderWay(_ prospect: Prospect, at location: SourceLocation) {
      switch prospect {
      case .there: return
      case .nothing(let works):
        for work in works {
          fail(
            """
            \(work.name) is still under way. Move its clock, open its gate, cancel it, or end the test with \
            `finishLeavingEffects()`:
            """, ["\(work)"], at: location)
        }
      case .unknown:
        fail(
          "The store has not come to an end in \(patience):", prospect.reasons, at: location)
      }
    }
  }

  extension LoggedCommit {
    /// What was committed, as the subject of a sentence.
    var sentence: String {
      switch cause {
      case .action: label
      case .asyncResult, .placeholder:
        "An outcome of \(properties.map { "\(code: $0)" }.joined(separator: ", "))"
      case .replacement: "A replacement of the state"
      }
    }
  }
#endif
