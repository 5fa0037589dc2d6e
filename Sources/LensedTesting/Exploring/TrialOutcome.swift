internal import Lensed

/// What went wrong in a trial.
struct ExploredFailure: Sendable {
  static let restPromise = "every action comes to rest"

  /// Which promise was broken.
  let promise: String
  /// The parts of the state by which it was broken; empty where they are not known.
  var parts: Set<String> = []
  /// The number of the step after which it showed, from 1; 0 is before the first one.
  let step: Int
  let lines: [String]

  /// Whether it is about the same promise and about one of the same parts: a shorter trial has to fail for the same
  /// reason.
  func hasReason(of other: ExploredFailure) -> Bool {
    promise == other.promise
      && (parts.isEmpty || other.parts.isEmpty || !parts.isDisjoint(with: other.parts))
  }

  /// Says that the reason is another one than that of the whole run, if it is.
  func slide(from whole: ExploredFailure) -> [String] {
    if hasReason(of: whole) { return [] }
    func list(_ parts: Set<String>) -> String {
      parts.sorted().map { "`\($0)`" }.joined(separator: ", ")
    }
    return [
      "It is another reason than that of the whole run: \(list(parts)), which was \(list(whole.parts))."
    ]
  }
}

extension [DifferenceEntry] {
  /// The names of the parts that differ.
  var rootParts: Set<String> { Set(compactMap(\.path.first)) }
}

extension Sameness {
  /// The names of the parts that differ.
  var parts: Set<String> { entries.rootParts }
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
    case .asyncResult:
      "the outcome of \(properties.map { "`\($0)`" }.joined(separator: ", "))"
    case .replacement: "a replacement of the state"
    }
  }
}
