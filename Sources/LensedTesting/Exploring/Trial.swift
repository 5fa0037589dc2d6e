internal import Lensed

/// One run of some steps in a fresh store, against the invariants.
struct Trial<State: Sendable>: Sendable {
  let makeStore: @Sendable (ManualClock) throws -> Store<State>
  let invariants: [Invariant<State>]
  let checks: ExplorationChecks
  /// Where the exploration is written, which is where its actions are dispatched; nil where it is not known.
  var site: CallSite?
  /// The state to begin with; nil is that of the store.
  var initial: State?
  /// Whether effects run; where recorded commits are replayed, only reducers do.
  var runsEffects = true
  /// Stands for an order in which effects run, also in the middle of a delivery; nil is the order in which they became
  /// ready.
  var order: UInt64?
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
    try await ExploredStore.use(
      makeStore, from: initial, runsEffects: runsEffects, order: order, at: site
    ) { explored in
      var outcome = await run(steps, on: explored, only: promise)
      outcome.hasRunTasks = runsEffects && explored.scheduler.jobCount > 0
      if outcome.failure == nil {
        outcome.failure = try await WholeRunCheck(
          trial: self, steps: steps, outcome: outcome, promise: promise
        ).run()
      }
      return outcome
    }
  }

  private func run(
    _ steps: [ExploredStep<State>], on explored: ExploredStore<State>, only promise: String?
  ) async -> TrialOutcome<State> {
    let log = CommitLog<State>()
    var outcome = TrialOutcome(initial: log.begin(in: explored.store))
    outcome.coverage.note(handlersOf: explored.store)
    outcome.failure = check(outcome.initial, outcome.initial, nil, step: 0, only: promise)
    for number in 0...steps.count where outcome.failure == nil {
      let rests = await explored.perform(number, of: steps, within: patience)
      note(log.take(), of: number, in: &outcome, only: promise)
      if !rests && outcome.failure == nil {
        outcome.failure = ExploredFailure(
          promise: number == 0
            ? "the store comes to rest before the first action" : ExploredFailure.restPromise,
          step: number,
          lines: ["An effect still runs after \(patience), without waiting for anything."])
      }
    }
    return outcome
  }

  /// Notes the commits of a step, and checks the invariants for each.
  private func note(
    _ commits: [LoggedCommit<State>], of step: Int, in outcome: inout TrialOutcome<State>,
    only promise: String?
  ) {
    var state = outcome.states.last ?? outcome.initial
    for commit in commits {
      outcome.commits.append(commit)
      outcome.stepNumbers.append(step)
      outcome.coverage.note(commit.members, in: state)
      if outcome.failure == nil {
        outcome.failure = check(state, commit.state, commit, step: step, only: promise)
      }
      state = commit.state
    }
    outcome.states.append(state)
  }

  /// Checks the invariants for one commit.
  func check(
    _ before: State, _ after: State, _ commit: LoggedCommit<State>?, step: Int,
    only promise: String?
  ) -> ExploredFailure? {
    for invariant in invariants where promise == nil || promise == invariant.name {
      if invariant.holds(before, after) { continue }
      var (lines, parts): ([String], Set<String>) = ([], [])
      if let commit { lines.append("in the commit of \(commit.label)") }
      if let read = invariant.read {
        lines.append("the part is \(ShortText.text(read(after)))")
      } else {
        let change = StateDifference.entries(from: before, to: after, limit: 8)
        parts = StateDifference.entries(from: before, to: after, limit: Sameness.limit).rootParts
        lines += change.isEmpty ? ["the state is \(ShortText.text(after))"] : change.map(\.line)
      }
      return ExploredFailure(
        promise: invariant.name, parts: parts, step: step, lines: lines)
    }
    return nil
  }
}

// MARK: What a run has shown

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
      parts.sorted().map { "\(code: $0)" }.joined(separator: ", ")
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
  /// Whether anything but reducers ran, so that its order matters.
  var hasRunTasks = false

  /// How many steps were made.
  var stepCount: Int { max(0, states.count - 1) }

  /// The commits, for a replay.
  var session: RecordedSession<State> {
    RecordedSession(initial: initial, steps: commits.map { RecordedSession.Step($0) })
  }
}

extension LoggedCommit {
  /// What was committed.
  var label: String {
    switch cause {
    case .action: members.map { "\(code: ShortText.action($0))" }.joined(separator: ", ")
    case .asyncResult, .placeholder:
      "the outcome of \(properties.map { "\(code: $0)" }.joined(separator: ", "))"
    case .replacement: "a replacement of the state"
    }
  }
}

// MARK: What it commits

/// The commits of a store, in order, for a test that takes them one after another.
final class CommitLog<State: Sendable>: Sendable {
  private let commits = Locked<[LoggedCommit<State>]>([])

  /// Logs the store's commits from now on.
  ///
  /// - Returns: The state before the first one.
  func begin(in store: Store<State>) -> State {
    store.logCommits { [self] commit in commits.withLock { $0.append(commit) } }
  }

  /// Takes out all commits that were logged.
  func take() -> [LoggedCommit<State>] {
    commits.withLock { commits in
      defer { commits = [] }
      return commits
    }
  }
}
