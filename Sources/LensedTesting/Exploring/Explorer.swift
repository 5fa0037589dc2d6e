#if canImport(Testing)
  internal import Lensed
  internal import Testing

  /// Tries steps, shrinks those that fail, and reports them.
  struct Explorer<State: Sendable>: Sendable {
    private(set) var trial: Trial<State>
    let seed: UInt64?
    let location: SourceLocation
    /// How the pasted test runs the actions.
    private(set) var form = "actions"
    /// How the pasted test gets at the state to begin with.
    private(set) var initialName = "initial"
    let reporter = Reporter("`explore`")

    /// The largest number of shorter runs that are tried.
    private static var tries: Int { 4_000 }

    /// Tries steps.
    ///
    /// - Parameters:
    ///   - steps: The steps.
    ///   - stepCount: How many steps made them, where they are the commits of others.
    /// - Returns: What they have shown.
    func explore(_ steps: [ExploredStep<State>], stepCount: Int? = nil) async -> Exploration {
      do {
        var explorer = self
        var outcome = try await trial.run(steps)
        if outcome.failure == nil, outcome.hasRunTasks, trial.order == nil, let seed {
          explorer.trial.order = seed
          outcome.failure = try await explorer.trial.run(steps).failure
        }
        var exploration = Exploration(
          seed: seed, stepCount: stepCount ?? outcome.stepCount, commitCount: outcome.commits.count,
          neverExercised: outcome.coverage.missing)
        guard let failure = outcome.failure else { return exploration }
        exploration.brokenPromise = failure.promise
        exploration.fewestActions = try await explorer.shrink(steps, failure)
        return exploration
      } catch {
        return failed(to: error)
      }
    }

    /// Replays a session.
    func explore(
      _ session: RecordedSession<State>, stepCount: Int? = nil
    ) async -> Exploration {
      var replaying = self
      (replaying.trial.initial, replaying.trial.runsEffects) = (session.initial, false)
      (replaying.form, replaying.initialName) = ("replaying", "session.initial")
      return await replaying.explore(
        session.steps.map { step in
          switch step.content {
          case .actions(let actions), .outcome(let actions, _):
            .replay(actions, from: site(of: step))
          case .state(let state, _): .state(state)
          }
        }, stepCount: stepCount)
    }

    /// Where a step was dispatched, if not by the exploration itself.
    private func site(of step: RecordedSession<State>.Step) -> CallSite? {
      let site = step.causes?.site
      return site?.description == trial.site?.description ? nil : site
    }

    /// Reports that no store could be made.
    func failed(to error: any Error) -> Exploration {
      reporter.issue("The store to explore could not be made: \(error)", at: location)
      return Exploration(seed: seed, stepCount: 0, commitCount: 0, neverExercised: [])
    }

    /// Finds the fewest steps that break the same promise by the same part, and reports them.
    private func shrink(
      _ steps: [ExploredStep<State>], _ failure: ExploredFailure
    ) async throws -> [any Action] {
      // A promise about a whole run is checked at its end, so nothing after the step matters there either.
      var shrinking = Shrinking(
        Array(steps.prefix(failure.step)), limit: Self.tries)
      await shrinking.run { shorter in
        let outcome = try? await trial.run(shorter, only: failure.promise)
        return outcome?.failure?.hasReason(of: failure) ?? false
      }
      let (best, tries) = await shrinkCommits(shrinking.best, failure, after: shrinking.tries)
      let outcome = try await trial.run(best, only: failure.promise)
      guard let last = outcome.failure else {
        reportUnrepeated(failure.promise, after: failure.step, failure.lines)
        return []
      }
      let initial = await neededInitial(best, failure)
      report(last, best, from: initial, tries: tries, of: failure)
      return best.map(\.action)
    }

    /// Leaves single actions out of steps that have several.
    private func shrinkCommits(
      _ steps: [ExploredStep<State>], _ failure: ExploredFailure, after tries: Int
    ) async -> (steps: [ExploredStep<State>], tries: Int) {
      let parts = steps.enumerated().flatMap { index, step -> [(Int, (any Action)?)] in
        let members = step.members
        return members.isEmpty ? [(index, nil)] : members.map { (index, $0 as (any Action)?) }
      }
      if parts.count == steps.count { return (steps, tries) }
      func joined(_ parts: [(Int, (any Action)?)]) -> [ExploredStep<State>] {
        steps.enumerated().compactMap { index, step in
          let own = parts.filter { $0.0 == index }
          if own.isEmpty { return nil }
          let members = own.compactMap(\.1)
          return members.isEmpty ? step : step.with(members)
        }
      }
      var shrinking = Shrinking(parts, limit: max(0, Self.tries - tries))
      await shrinking.run { shorter in
        let outcome = try? await trial.run(joined(shorter), only: failure.promise)
        return outcome?.failure?.hasReason(of: failure) ?? false
      }
      return (joined(shrinking.best), tries + shrinking.tries)
    }

    /// The state to begin with, if the steps break the promise only from there; nil if they also do from that of the
    /// store.
    private func neededInitial(
      _ steps: [ExploredStep<State>], _ failure: ExploredFailure
    ) async -> State? {
      guard let initial = trial.initial else { return nil }
      var plain = trial
      plain.initial = nil
      let outcome = try? await plain.run(steps, only: failure.promise)
      return outcome?.failure?.hasReason(of: failure) ?? false ? nil : initial
    }

    /// Reports a promise that holds when the steps are made again.
    func reportUnrepeated(_ promise: String, after count: Int, _ lines: [String] = []) {
      reporter.issue(
        """
        “\(promise)” did not hold after \(count) steps\(seedText), and holds when the same \
        steps are made again: something else than state and actions decides.
        """, lines, at: location)
    }

    private var seedText: String {
      if let order = trial.order {
        return " with seed \(order), which is also one of the order of the effects"
      }
      return seed.map { " with seed \($0)" } ?? ""
    }

    private func report(
      _ failure: ExploredFailure, _ steps: [ExploredStep<State>], from initial: State?, tries: Int,
      of whole: ExploredFailure
    ) {
      let count = whole.step
      let pasted = PastedTest(
        promise: failure.promise, steps: steps, initial: initial, initialName: initialName,
        form: form, checks: trial.checks, order: trial.order)
      let fewest = steps.count == 1 ? "1 step is" : "\(steps.count) steps are"
      reporter.issue(
        """
        “\(failure.promise)” does not hold after \(count) \(count == 1 ? "step" : "steps")\(seedText). \(fewest) enough, found in \(tries) \
        \(tries == 1 ? "try" : "tries"):
        """, failure.lines + failure.slide(from: whole) + [""] + pasted.lines, at: location)
    }
  }

  // MARK: Several threads

  extension Explorer {
    /// Dispatches actions; from several threads at once, it then looks at the commits in the order that they came in.
    func explore(_ actions: [any Action], threads: Int) async -> Exploration {
      let steps = actions.map { ExploredStep<State>.dispatch($0) }
      if threads <= 1 { return await explore(steps) }
      do {
        if let session = try await record(actions, threads: threads) {
          return await explore(session, stepCount: steps.count)
        }
        // What does not come to rest is not a matter of the order, as a rule: one thread finds the fewest actions.
        var exploration = await explore(steps)
        if exploration.brokenPromise != nil { return exploration }
        exploration.brokenPromise = ExploredFailure.restPromise
        reportUnrepeated(ExploredFailure.restPromise, after: steps.count)
        return exploration
      } catch {
        return failed(to: error)
      }
    }

    /// The commits of a run, as a session; nil if it did not come to rest.
    private func record(
      _ actions: [any Action], threads: Int
    ) async throws -> RecordedSession<State>? {
      try await ExploredStore.use(
        trial.makeStore, from: trial.initial, runsEffects: true, at: trial.site
      ) {
        await record(actions, threads: threads, on: $0)
      }
    }

    private func record(
      _ actions: [any Action], threads: Int, on explored: ExploredStore<State>
    ) async -> RecordedSession<State>? {
      let log = CommitLog<State>()
      let initial = log.begin(in: explored.store)
      guard await explored.begin(within: trial.patience) else { return nil }
      let threads = min(threads, actions.count)
      let rests = await withTaskGroup { group in
        for thread in 0..<threads {
          group.addTask {
            for index in stride(from: thread, to: actions.count, by: threads) {
              let step = ExploredStep<State>.dispatch(actions[index])
              if await !explored.perform(step, within: trial.patience) { return false }
            }
            return true
          }
        }
        return await group.reduce(true) { $0 && $1 }
      }
      guard rests else { return nil }
      let commits = log.take()
      let final = explored.store.state
      // What is logged by now may have come between the two.
      if let last = commits.last, log.take().isEmpty {
        let difference = Sameness(expected: last.state, actual: final)
        if !difference.isSame {
          reporter.issue(
            "The state is not that of the last commit.", difference.lines(), at: location)
        }
      }
      return TrialOutcome(initial: initial, commits: commits).session
    }
  }
#endif
