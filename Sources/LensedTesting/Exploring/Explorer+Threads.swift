#if canImport(Testing)
  internal import Lensed
  internal import Testing

  extension Explorer {
    /// Dispatches actions; from several threads at once, it then looks at the commits in the order that they came in.
    func explore(_ actions: [any Action], threads: Int) async -> Exploration {
      if threads <= 1 { return await explore(actions.map { .dispatch($0) }) }
      do {
        return await explore(try await record(actions, threads: threads))
      } catch {
        return failed(to: error)
      }
    }

    /// The commits of a run, as a session.
    private func record(
      _ actions: [any Action], threads: Int
    ) async throws -> RecordedSession<State> {
      try await Bench.use(trial.makeStore, from: trial.initial, runsEffects: true) { bench in
        await record(actions, threads: threads, on: bench)
      }
    }

    private func record(
      _ actions: [any Action], threads: Int, on bench: Bench<State>
    ) async -> RecordedSession<State> {
      let log = CommitLog<State>()
      let initial = log.begin(in: bench.store)
      _ = await bench.begin(within: trial.patience)
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
