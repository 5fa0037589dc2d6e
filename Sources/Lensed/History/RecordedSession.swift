/// A recorded session: its initial state and its commits, for replay.
///
/// ```swift
/// if let session = recorder.session { fresh.replay(session) }
/// ```
public struct RecordedSession<State: Sendable>: Sendable {
  /// One commit, or the state with which the session goes on in another store.
  package struct Step: Sendable {
    package enum Content: Sendable {
      case actions([any Action])
      /// The actions of one commit, and the state after it; indirect, so that not every step has the size of a state.
      indirect case outcome([any Action], State)
      /// A state that no action reproduces: a replacement, or an asynchronous result; with its actions, if it has any.
      indirect case state(State, [any Action])
    }

    package let content: Content
    /// Why the commit was made, by the numbers of the store that was recorded; nil where that is not known.
    package var causes: CommitCauses?
    /// The number of the commit there; zero where that is not known.
    package var revision: UInt64
    /// The numbers of the commits that the step has beside that one: a step of a history can have several.
    package var earlier: [UInt64] = []

    package init(_ content: Content, _ causes: CommitCauses? = nil, revision: UInt64 = 0) {
      (self.content, self.causes, self.revision) = (content, causes, revision)
    }

    package init(_ commit: LoggedCommit<State>) {
      self.init(
        commit.isReplayable
          ? .outcome(commit.members, commit.state) : .state(commit.state, commit.members),
        commit.causes, revision: commit.revision)
    }

    /// A commit of which only the actions and their call site are known.
    package static func actions(_ actions: [any Action], from site: CallSite?) -> Step {
      Step(.actions(actions), site.map { CommitCauses(.action, .dispatch, site: $0) })
    }

    /// A state: that of a replacement, or of the beginning in another store, whose commits have numbers of their own.
    package static func state(_ state: State) -> Step { Step(.state(state, [])) }
  }

  /// The state at the beginning of the session.
  public let initial: State
  /// The time of that, since the recorded store was made; nil where it is not known.
  package private(set) var start: Duration?
  private var list = RowTree<Step>()
  /// What is known of its states, for a replay to compare with.
  package internal(set) var marks = SessionMarks()

  /// Reads the steps that come before those of the list.
  private var stored: (count: Int, read: @Sendable ((Step) -> Void) -> Void)?

  /// All steps; those that are stored elsewhere are read.
  package var steps: [Step] {
    var steps: [Step] = []
    steps.reserveCapacity(count)
    forEachStep { steps.append($0) }
    return steps
  }

  /// The number of commits.
  public var count: Int { (stored?.count ?? 0) + list.count }

  /// Creates a session whose steps are stored elsewhere, and are read one by one.
  package init(
    initial: State, count: Int, marks: SessionMarks,
    read: @escaping @Sendable ((Step) -> Void) -> Void
  ) {
    self.init(initial: initial, steps: [])
    (self.marks, stored) = (marks, (count, read))
  }

  package func forEachStep(_ body: (Step) -> Void) {
    stored?.read(body)
    list.forEachRow { step, _ in body(step) }
  }

  package init(initial: State, at start: Duration? = nil, steps: [Step]) {
    (self.initial, self.start) = (initial, start)
    for step in steps { append(step) }
  }

  /// Creates a session from a history, without undone commits; nil if the history was never attached to a store.
  public init?(_ history: History<State>) {
    let entries = history.past
    guard let first = entries.first else { return nil }
    let steps: [Step] = entries.dropFirst().map { entry in
      var step = Step(
        entry.isReplayable
          ? .outcome(entry.actions, entry.state) : .state(entry.state, entry.actions),
        entry.causes, revision: entry.revision)
      step.earlier = entry.earlier
      return step
    }
    self.init(initial: first.state, steps: steps)
    for (commits, entry) in entries.enumerated()
    where SessionMarks.isDue(after: commits) || commits == steps.count {
      marks.insert(SessionMarks.Mark(entry.state, after: commits))
    }
  }

  /// Returns this session followed by another one.
  ///
  /// The initial state of `next` is a commit between the two, so it can differ from the last state of this session.
  ///
  /// ```swift
  /// let week = monday.followed(by: tuesday).followed(by: wednesday)
  /// ```
  ///
  /// - Complexity: O(*m* log *n*) in the *m* commits of `next` and the *n* of both. This session is not copied: the two
  ///   share what they have in common.
  public func followed(by next: RecordedSession) -> RecordedSession {
    var session = self
    session.marks = marks.followed(by: next.marks, after: count + 1)
    session.append(.state(next.initial))
    next.forEachStep { session.append($0) }
    return session
  }

  mutating func append(_ step: Step) {
    // By the step, so that the leaves need store no labels.
    let label = RowLabels.first + RowLabels.step * UInt64(list.count)
    list.insert(step, label, at: list.count)
  }
}

extension Store {
  /// Replays a session: its initial state, then each of its commits.
  ///
  /// ```swift
  /// store.replay(session) { step, state in print(step, state) }
  /// ```
  ///
  /// Each commit has the cause, the origin, the call site and the time that were recorded, and its parent is the commit
  /// in which the recorded parent was replayed; nil where the session does not have that one. `change.isReplayed` says
  /// that it is a replay. What an observer dispatches on its thread in the delivery of one is
  /// not applied: the session has what it came to. Its `finish()` throws `CancellationError`, and a warning says so.
  ///
  /// Of what handles actions, only reducers run: no middleware is asked or notified, and no effect and no asynchronous
  /// reducer runs. The session contains the actions that effects dispatched, and the results of asynchronous reducers as
  /// states. To an effect of a value that includes replacements, the initial state and those states are replacements as
  /// any. Observers and readers of `changes` are notified of each commit, and a `History` and a `SessionRecorder` record
  /// it.
  ///
  /// An effect that runs already ends with what it is tied to, with its child and by the actions that cancel it; the
  /// condition of a `cancelled(on:where:)` is asked. It is `ended`, but what that returns is not applied.
  /// `context.until` checks each state.
  /// `onInstall` and `onRemove` are called for the children that come and go.
  ///
  /// The store needs the reducers that the recorded store had at its first action. Reducers that were registered or
  /// unregistered later are not needed: the session has states for the commits that depend on them.
  ///
  /// The session has fingerprints of its states: of the first, of some in between, and of the last. Where a state
  /// differs from its fingerprint, a reducer computes with what is in neither the state nor the action, or the text of
  /// the session has lost something. The replay goes on, warns of it, and returns where it was.
  ///
  /// `visit` is called after each commit with its number in the session, from 1, and the state. Actions that were
  /// recorded without a call site get that of this call.
  ///
  /// - Returns: Where the replay left the session; nil where no fingerprint shows that it did.
  @discardableResult
  public func replay(
    _ session: RecordedSession<State>, visit: (_ step: Int, _ state: State) -> Void = { _, _ in },
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> ReplayDifference? {
    let own = CallSite(fileID: fileID, function: function, line: line)
    var comparison = Comparison(session.marks.all)
    view.core.replaying { replay(session, from: own, &comparison, visit: visit) }
    if let difference = comparison.difference, let warnings = view.core.warnings {
      var warning = StoreWarning(.divergedReplay, at: own)
      warning.property = difference.properties.map { "\(code: $0)" }.joined(separator: ", ")
      warning.cause = difference.description
      warnings.report(warning)
    }
    return comparison.difference
  }

  /// Compares the states of a replay with the marks of the session, up to the first that differs.
  private struct Comparison {
    private var marks: ArraySlice<SessionMarks.Mark>
    private var lastAlike: Int?
    private(set) var difference: ReplayDifference?

    init(_ marks: [SessionMarks.Mark]) { self.marks = marks[...] }

    mutating func compare(_ state: State, after commits: Int) {
      guard difference == nil, let mark = marks.first, mark.commits == commits else { return }
      marks.removeFirst()
      let own = StateFingerprint(of: state, limit: mark.state.limit)
      let properties = mark.state.differing(from: own)
      if properties.isEmpty {
        lastAlike = commits
      } else {
        difference = ReplayDifference(mark, properties, lastAlike: lastAlike)
      }
    }
  }

  private func replay(
    _ session: RecordedSession<State>, from own: CallSite, _ comparison: inout Comparison,
    visit: (_ step: Int, _ state: State) -> Void
  ) {
    var numbers = ReplayedNumbers()
    func replay(_ step: RecordedSession<State>.Step) -> UInt64? {
      var causes = step.causes
      let parent = causes?.parent.flatMap { numbers[$0] }
      causes?.parent = parent
      switch step.content {
      case .actions(let actions), .outcome(let actions, _):
        return view.core.replay(actions, from: causes?.site ?? own, as: causes)
      case .state(let state, _):
        return view.core.replaceState(
          choosing: { state }, replaying: causes ?? .beginning(at: view.core.clock.elapsed))
      }
    }
    _ = view.core.replaceState(
      choosing: { session.initial }, replaying: .beginning(at: session.start))
    comparison.compare(state, after: 0)
    var commits = 0
    session.forEachStep { step in
      numbers.note(step.earlier + [step.revision], as: replay(step))
      commits += 1
      let state = state
      comparison.compare(state, after: commits)
      visit(commits, state)
    }
  }
}

/// The commits of a replay, by their recorded numbers; numbers that follow each other in both are one run.
struct ReplayedNumbers {
  /// By their recorded numbers.
  private var runs: [(recorded: UInt64, replayed: UInt64, count: UInt64)] = []

  /// Notes the commits that one commit has replayed; nil where none was made.
  mutating func note(_ recorded: [UInt64], as replayed: UInt64?) {
    for number in recorded { note(number, as: replayed ?? 0) }
  }

  private mutating func note(_ recorded: UInt64, as replayed: UInt64) {
    if let last = runs.last {
      if recorded == last.recorded &+ last.count, replayed == last.replayed &+ last.count {
        runs[runs.count - 1].count += 1
        return
      }
      // The session goes on in another store, which counts its commits anew.
      if recorded < last.recorded &+ last.count { runs = [] }
    }
    if recorded > 0 && replayed > 0 {
      runs.append((recorded, replayed, 1))
    }
  }

  /// The commit in which a recorded one was replayed; nil where there is none.
  subscript(recorded: UInt64) -> UInt64? {
    let next = runs.indices.partitioningIndex { runs[$0].recorded > recorded }
    guard next > 0 else { return nil }
    let run = runs[next - 1]
    let distance = recorded - run.recorded
    return distance < run.count ? run.replayed + distance : nil
  }
}
