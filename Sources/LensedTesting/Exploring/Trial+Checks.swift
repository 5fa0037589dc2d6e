internal import Lensed

extension Trial {
  /// Checks what can be said of a whole run.
  func checkWhole(
    _ steps: [ExploredStep<State>], _ outcome: Outcome, only promise: String?
  ) async throws -> ExploredFailure? {
    func isAsked(_ check: ExplorationChecks, _ name: String) -> Bool {
      checks.contains(check) && (promise == nil || promise == name)
    }
    if isAsked(.paths, ExplorationChecks.pathsPromise),
      let failure = try await checkPaths(steps, outcome)
    {
      return failure
    }
    if isAsked(.replay, ExplorationChecks.replayPromise), let failure = try checkReplay(outcome) {
      return failure
    }
    if isAsked(.undo, ExplorationChecks.undoPromise) { return try checkUndo(outcome) }
    return nil
  }

  /// Runs the steps in a store without listeners, whose commits take the fast path.
  private func checkPaths(
    _ steps: [ExploredStep<State>], _ outcome: Outcome
  ) async throws -> ExploredFailure? {
    let bench = try Bench(self)
    for (index, step) in steps.enumerated() {
      guard await bench.perform(step) else { return nil }
      let difference = Sameness(expected: outcome.states[index], actual: bench.store.state)
      if difference.isSame { continue }
      return ExploredFailure(
        promise: ExplorationChecks.pathsPromise, step: index + 1, lines: difference.lines())
    }
    return nil
  }

  private func checkReplay(_ outcome: Outcome) throws -> ExploredFailure? {
    let store = try Bench(self).store
    var failure: ExploredFailure?
    store.replay(outcome.session) { number, state in
      if failure != nil { return }
      let commit = outcome.commits[number - 1]
      let difference = Sameness(expected: commit.state, actual: state)
      if difference.isSame { return }
      failure = ExploredFailure(
        promise: ExplorationChecks.replayPromise, step: outcome.step(ofCommit: number - 1),
        lines: ["in the commit of \(commit.label)"] + difference.lines())
    }
    return failure
  }

  private func checkUndo(_ outcome: Outcome) throws -> ExploredFailure? {
    let store = try Bench(self).store
    let history = History<State>(limit: 2)
    store.replaceState(outcome.initial)
    store.attachForTest(history)
    for (index, commit) in outcome.commits.enumerated() {
      if commit.cause == .action {
        store.replay(commit.members, from: commit.site)
      } else {
        store.replaceState(commit.state)
      }
      let before = store.state
      guard history.undo(), history.redo() else { continue }
      let difference = Sameness(expected: before, actual: store.state)
      if difference.isSame { continue }
      return ExploredFailure(
        promise: ExplorationChecks.undoPromise, step: outcome.step(ofCommit: index),
        lines: ["of the commit of \(commit.label)"] + difference.lines())
    }
    return nil
  }
}

extension Trial.Outcome {
  /// The step that a commit belongs to, as near as it can be told.
  fileprivate func step(ofCommit index: Int) -> Int {
    Swift.min(index + 1, Swift.max(1, states.count))
  }
}
