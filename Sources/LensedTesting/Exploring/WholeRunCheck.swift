internal import Lensed

/// Checks what can be said of a whole run.
struct WholeRunCheck<State: Sendable>: Sendable {
  let makeStore: @Sendable (ManualClock) throws -> Store<State>
  let checks: ExplorationChecks
  let initial: State?
  let patience: Duration
  let steps: [ExploredStep<State>]
  let outcome: TrialOutcome<State>
  /// The promise to look at; nil looks at all.
  let promise: String?

  func run() async throws -> ExploredFailure? {
    if isAsked(.paths, ExplorationChecks.pathsPromise), let failure = try await checkPaths() {
      return failure
    }
    if isAsked(.replay, ExplorationChecks.replayPromise), let failure = try checkReplay() {
      return failure
    }
    return isAsked(.undo, ExplorationChecks.undoPromise) ? try checkUndo() : nil
  }

  private func isAsked(_ check: ExplorationChecks, _ name: String) -> Bool {
    checks.contains(check) && (promise == nil || promise == name)
  }

  /// Runs the steps in a store without listeners, whose commits take the fast path.
  private func checkPaths() async throws -> ExploredFailure? {
    let bench = try Bench(makeStore, from: initial)
    for (index, step) in steps.enumerated() {
      guard await bench.perform(step, within: patience) else { return nil }
      let difference = Sameness(expected: outcome.states[index], actual: bench.store.state)
      if difference.isSame { continue }
      return ExploredFailure(
        promise: ExplorationChecks.pathsPromise, step: index + 1, lines: difference.lines())
    }
    return nil
  }

  private func checkReplay() throws -> ExploredFailure? {
    let store = try Bench(makeStore, from: initial).store
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

  private func checkUndo() throws -> ExploredFailure? {
    let store = try Bench(makeStore, from: initial).store
    let history = History<State>(limit: 2)
    store.replaceState(outcome.initial)
    let attached = store.attach(history)
    defer { attached.cancel() }
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

extension TrialOutcome {
  /// The step that a commit belongs to, as near as it can be told.
  fileprivate func step(ofCommit index: Int) -> Int {
    Swift.min(index + 1, Swift.max(1, states.count))
  }
}
