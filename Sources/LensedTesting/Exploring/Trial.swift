internal import Lensed

/// One step of an exploration.
enum ExploredStep<State: Sendable>: Sendable {
  /// Dispatches an action; its effects run.
  case dispatch(any Action)
  /// Applies the actions of one recorded commit; only reducers run.
  case replay([any Action], from: CallSite?)
  /// Restores a recorded state.
  indirect case state(State)
}

/// What went wrong in a trial.
struct ExploredFailure: Sendable {
  /// Which promise was broken; a shorter trial has to break the same one.
  let promise: String
  /// The number of the step after which it showed, from 1; 0 is the initial state.
  let step: Int
  let lines: [String]
}

/// One run of some steps in a fresh store, against the invariants.
struct Trial<State: Sendable>: Sendable {
  let makeStore: @Sendable (ManualClock) throws -> Store<State>
  let invariants: [Invariant<State>]
  let checks: ExplorationChecks
  /// The state to begin with; nil is that of the store.
  let initial: State?

  /// What a run has shown.
  struct Outcome: Sendable {
    var failure: ExploredFailure?
    var initial: State
    var commits: [LoggedCommit<State>] = []
    /// The state after each step.
    var states: [State] = []
    var coverage = ActionCoverage()

    /// The commits, for a replay.
    var session: RecordedSession<State> {
      RecordedSession(
        initial: initial,
        steps: commits.map { commit in
          commit.cause == .action
            ? .actions(commit.members, from: commit.site) : .state(commit.state)
        })
    }
  }

  /// Runs the steps, and the checks that are asked for.
  ///
  /// - Parameter promise: The one to look at; nil looks at all.
  func run(_ steps: [ExploredStep<State>], only promise: String? = nil) async throws -> Outcome {
    let bench = try Bench(self)
    var outcome = Outcome(initial: bench.store.state)
    outcome.coverage.note(handlersOf: bench.store)
    if let failure = check(outcome.initial, outcome.initial, nil, step: 0, only: promise) {
      outcome.failure = failure
      return outcome
    }
    let log = CommitLog(of: bench.store)
    var state = outcome.initial
    for (index, step) in steps.enumerated() {
      if await !bench.perform(step) {
        outcome.failure = ExploredFailure(
          promise: "every action comes to rest", step: index + 1,
          lines: ["An effect still runs after 10 seconds, without waiting for anything."])
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
    outcome.failure = try await checkWhole(steps, outcome, only: promise)
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

extension LoggedCommit {
  /// What was committed.
  var label: String {
    switch cause {
    case .action: members.map { "`\(ShortText.action($0))`" }.joined(separator: ", ")
    case .asyncResult:
      "the outcome of \(properties.map { "`\($0)`" }.joined(separator: ", "))"
    case .replacement: "a replacement of the state"
    }
  }
}
