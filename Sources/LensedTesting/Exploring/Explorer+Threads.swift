#if canImport(Testing)
  internal import Lensed
  internal import Testing

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
      try await Bench.use(trial.makeStore, from: trial.initial, runsEffects: true) { bench in
        await record(actions, threads: threads, on: bench)
      }
    }

    private func record(
      _ actions: [any Action], threads: Int, on bench: Bench<State>
    ) async -> RecordedSession<State>? {
      let log = CommitLog<State>()
      let initial = log.begin(in: bench.store)
      guard await bench.begin(within: trial.patience) else { return nil }
      let threads = min(threads, actions.count)
      let rests = await withTaskGroup { group in
        for thread in 0..<threads {
          group.addTask {
            for index in stride(from: thread, to: actions.count, by: threads) {
              let step = ExploredStep<State>.dispatch(actions[index])
              if await !bench.perform(step, within: trial.patience) { return false }
            }
            return true
          }
        }
        return await group.reduce(true) { $0 && $1 }
      }
      guard rests else { return nil }
      let commits = log.take()
      let final = bench.store.state
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
