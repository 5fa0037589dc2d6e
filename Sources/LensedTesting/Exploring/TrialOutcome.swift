internal import Lensed

/// What went wrong in a trial.
struct ExploredFailure: Sendable {
  static let restPromise = "every action comes to rest"

  /// Which promise was broken; a shorter trial has to break the same one.
  let promise: String
  /// The number of the step after which it showed, from 1; 0 is before the first one.
  let step: Int
  let lines: [String]
}

/// What a run has shown.
struct TrialOutcome<State: Sendable>: Sendable {
  var failure: ExploredFailure?
  var initial: State
  var commits: [LoggedCommit<State>] = []
  /// For each commit the number of its step; 0 is what making the store has set off.
  var stepNumbers: [Int] = []
  /// The state before the first step, and the state after each step.
  var states: [State] = []
  var coverage = ActionCoverage()

  /// How many steps were made.
  var stepCount: Int { max(0, states.count - 1) }

  /// The commits, for a replay.
  var session: RecordedSession<State> {
    RecordedSession(
      initial: initial,
      steps: commits.map { commit in
        commit.isReplayable
          ? .actions(commit.members, from: commit.site) : .state(commit.state)
      })
  }
}

extension LoggedCommit {
  /// What was committed.
  var label: String {
    switch cause {
    case .action: members.map { "`\(ShortText.action($0))`" }.joined(separator: ", ")
    case .asyncResult, .placeholder:
      "the outcome of \(properties.map { "`\($0)`" }.joined(separator: ", "))"
    case .replacement: "a replacement of the state"
    }
  }
}
