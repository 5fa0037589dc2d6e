internal import Lensed

/// One run of some steps in a fresh store, against the invariants.
struct Trial<State: Sendable>: Sendable {
  let makeStore: @Sendable (ManualClock) throws -> Store<State>
  let invariants: [Invariant<State>]
  let checks: ExplorationChecks
  /// The state to begin with; nil is that of the store.
  var initial: State?
  /// How long a step may take to come to rest.
  var patience = Duration.seconds(10)

  /// Runs the steps, and the checks that are asked for.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - promise: The one to look at; nil looks at all.
  /// - Returns: What the run has shown.
  /// - Throws: What making the store throws.
  func run(_ steps: [ExploredStep<State>], only promise: String? = nil) async throws
    -> TrialOutcome<State>
  {
    let bench = try Bench(makeStore, from: initial)
    var outcome = TrialOutcome(initial: bench.store.state)
    outcome.coverage.note(handlersOf: bench.store)
    if let failure = check(outcome.initial, outcome.initial, nil, step: 0, only: promise) {
      outcome.failure = failure
      return outcome
    }
    let log = CommitLog(of: bench.store)
    var state = outcome.initial
    for (index, step) in steps.enumerated() {
      if await !bench.perform(step, within: patience) {
        outcome.failure = ExploredFailure(
          promise: "every action comes to rest", step: index + 1,
          lines: ["An effect still runs after \(patience), without waiting for anything."])
        return outcome
      }
      for commit in log.take() {
        outcome.commits.append(commit)
        outcome.coverage.note(commit.members, in: state)
        if outcome.failure == nil {
          outcome.failure = check(state, commit.state, commit, step: index + 1, only: promise)
        }
        state = commit.state
      }
      if outcome.failure != nil { return outcome }
      outcome.states.append(state)
    }
    outcome.failure = try await WholeRunCheck(
      makeStore: makeStore, checks: checks, initial: initial, patience: patience, steps: steps,
      outcome: outcome, promise: promise
    ).run()
    return outcome
  }

  /// Checks the invariants for one commit.
  func check(
    _ before: State, _ after: State, _ commit: LoggedCommit<State>?, step: Int,
    only promise: String?
  ) -> ExploredFailure? {
    for invariant in invariants where promise == nil || promise == invariant.name {
      if invariant.holds(before, after) { continue }
      var lines: [String] = []
      if let commit { lines.append("in the commit of \(commit.label)") }
      if let read = invariant.read {
        lines.append("the part is \(ShortText.text(read(after)))")
      } else {
        let change = StateDifference.entries(from: before, to: after, limit: 8)
        lines += change.isEmpty ? ["the state is \(ShortText.text(after))"] : change.map(\.line)
      }
      return ExploredFailure(promise: invariant.name, step: step, lines: lines)
    }
    return nil
  }
}
