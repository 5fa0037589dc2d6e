internal import Lensed

/// Checks what can be said of a whole run.
struct WholeRunCheck<State: Sendable>: Sendable {
  let trial: Trial<State>
  let steps: [ExploredStep<State>]
  let outcome: TrialOutcome<State>
  /// The promise to look at; nil looks at all.
  let promise: String?

  func run() async throws -> ExploredFailure? {
    if isAsked(.paths, ExplorationChecks.pathsPromise), let failure = try await checkPaths() {
      return failure
    }
    if isAsked(.replay, ExplorationChecks.replayPromise), let failure = try await checkReplay() {
      return failure
    }
    return isAsked(.undo, ExplorationChecks.undoPromise) ? try await checkUndo() : nil
  }

  private func isAsked(_ check: ExplorationChecks, _ name: String) -> Bool {
    trial.checks.contains(check) && (promise == nil || promise == name)
  }

  /// Runs the steps in a store without listeners, whose commits take the fast path.
  ///
  /// Not in an order that a seed stands for: it is another where other commits give effects an occasion.
  private func checkPaths() async throws -> ExploredFailure? {
    if trial.order != nil { return nil }
    return try await ExploredStore.use(
      trial.makeStore, from: trial.initial, runsEffects: trial.runsEffects, at: trial.site
    ) { explored in
      for number in 0...steps.count {
        guard await explored.perform(number, of: steps, within: trial.patience) else { return nil }
        let difference = Sameness(expected: outcome.states[number], actual: explored.store.state)
        if difference.isSame { continue }
        return ExploredFailure(
          promise: ExplorationChecks.pathsPromise, parts: difference.parts, step: number,
          lines: difference.lines())
      }
      return nil
    }
  }

  private func checkReplay() async throws -> ExploredFailure? {
    try await ExploredStore.use(trial.makeStore, from: trial.initial, runsEffects: false) {
      replay(in: $0.store)
    }
  }

  private func replay(in store: Store<State>) -> ExploredFailure? {
    var failure: ExploredFailure?
    store.replay(outcome.session) { number, state in
      if failure != nil { return }
      let commit = outcome.commits[number - 1]
      let difference = Sameness(expected: commit.state, actual: state)
      if difference.isSame { return }
      failure = ExploredFailure(
        promise: ExplorationChecks.replayPromise, parts: difference.parts,
        step: outcome.stepNumbers[number - 1],
        lines: ["in the commit of \(commit.label)"] + difference.lines())
    }
    return failure
  }

  private func checkUndo() async throws -> ExploredFailure? {
    try await ExploredStore.use(trial.makeStore, from: trial.initial, runsEffects: false) {
      undo(in: $0.store)
    }
  }

  private func undo(in store: Store<State>) -> ExploredFailure? {
    let history = History<State>(limit: 2)
    store.replaceState(outcome.initial)
    let attached = store.attach(history)
    defer { attached.cancel() }
    for (index, commit) in outcome.commits.enumerated() {
      if commit.isReplayable {
        store.replay(commit.members, from: commit.site)
      } else {
        store.replaceState(commit.state)
      }
      let before = store.state
      guard history.undo(), history.redo() else { continue }
      let difference = Sameness(expected: before, actual: store.state)
      if difference.isSame { continue }
      return ExploredFailure(
        promise: ExplorationChecks.undoPromise, parts: difference.parts,
        step: outcome.stepNumbers[index],
        lines: ["of the commit of \(commit.label)"] + difference.lines())
    }
    return nil
  }
}
