#if canImport(Testing)
  internal import Lensed
  internal import Testing

  /// Dispatches from several threads at once, and then looks at the commits in the order that they came in.
  struct ThreadedRun<State: Sendable>: Sendable {
    let trial: Trial<State>
    let seed: UInt64
    let location: SourceLocation
    private let reporter = Reporter("`explore`")

    func explore(_ actions: [any Action], threads: Int) async -> Exploration {
      do {
        let session = try await record(actions, threads: threads)
        let explorer = Explorer(
          trial: Trial(
            makeStore: trial.makeStore, invariants: trial.invariants, checks: trial.checks,
            initial: session.initial, patience: trial.patience),
          seed: seed, location: location, form: "replaying")
        return await explorer.explore(
          session.steps.map { step in
            switch step {
            case .actions(let actions, let site): .replay(actions, from: site)
            case .state(let state): .state(state)
            }
          })
      } catch {
        reporter.issue("The store to explore could not be made: \(error)", at: location)
        return Exploration(seed: seed, stepCount: 0, commitCount: 0, neverExercised: [])
      }
    }

    /// The commits of a run, as a session.
    private func record(
      _ actions: [any Action], threads: Int
    ) async throws -> RecordedSession<State> {
      let bench = try Bench(trial.makeStore, from: trial.initial)
      let initial = bench.store.state
      let log = CommitLog(of: bench.store)
      await withTaskGroup { group in
        for thread in 0..<threads {
          group.addTask {
            for index in stride(from: thread, to: actions.count, by: threads) {
              _ = await bench.perform(.dispatch(actions[index]), within: trial.patience)
            }
          }
        }
      }
      let commits = log.take()
      let final = bench.store.state
      if let last = commits.last {
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
