/// A recorded session: its initial state and its commits, for replay.
///
/// ```swift
/// if let session = recorder.session { fresh.replay(session) }
/// ```
public struct RecordedSession<State: Sendable>: Sendable {
  package enum Step: Sendable {
    /// The single actions of one commit, and their call site if it is known.
    case actions([any Action], from: CallSite?)
    /// A state that no action reproduces: a replacement, or a result of an asynchronous reducer.
    ///
    /// It is indirect because most steps are actions, and each step would have the size of a state.
    indirect case state(State)
  }

  /// The state at the beginning of the session.
  public let initial: State
  private var list = RowTree<Step>()
  /// What is known of its states, for a replay to compare with.
  var marks = SessionMarks()

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
  package init(initial: State, count: Int, read: @escaping @Sendable ((Step) -> Void) -> Void) {
    self.init(initial: initial, steps: [])
    stored = (count, read)
  }

  /// Hands out the steps in order.
  fileprivate func forEachStep(_ body: (Step) -> Void) {
    stored?.read(body)
    list.forEachRow { step, _ in body(step) }
  }

  package init(initial: State, steps: [Step]) {
    self.initial = initial
    for step in steps { append(step) }
  }

  /// Creates a session from a history, up to its current position; undone commits are left out.
  ///
  /// It is nil if the history was never attached to a store.
  public init?(_ history: History<State>) {
    let entries = history.past
    guard let first = entries.first else { return nil }
    let steps: [Step] = entries.dropFirst().map { entry in
      entry.isReplayable ? .actions(entry.actions, from: entry.site) : .state(entry.state)
    }
    self.init(initial: first.state, steps: steps)
    for (commits, entry) in entries.enumerated()
    where SessionMarks.isDue(after: commits) || commits == steps.count {
      marks.add(entry.state, after: commits)
    }
  }

  /// Returns this session followed by another one.
  ///
  /// The initial state of `next` is a commit between the two, so it can differ from the last state
  /// of this session.
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
    list.insert(step, UInt64(list.count), at: list.count)
  }
}

extension Store {
  /// Replays a session: its initial state, then each of its commits.
  ///
  /// ```swift
  /// store.replay(session) { step, state in print(step, state) }
  /// ```
  ///
  /// Each commit has the call site that was recorded. What an observer dispatches on its thread in the delivery of one is
  /// not applied: the session has what it came to. Its `finish()` throws `CancellationError`, and a warning says so.
  ///
  /// Only reducers run: no middleware is asked or notified, and no effect and no asynchronous reducer runs. The
  /// session contains the actions that effects dispatched, and the results of asynchronous reducers as states. To an
  /// effect of a value that includes replacements, the initial state and those states are replacements as any.
  /// Observers and readers of `changes` are notified of each commit, and a `History` and a `SessionRecorder` record
  /// it.
  ///
  /// The store needs the reducers that the recorded store had at its first action. Reducers that
  /// were registered or unregistered later are not needed: the session has states for the commits
  /// that depend on them.
  ///
  /// The session has fingerprints of its states: of the first, of some in between, and of the last. Where a state differs
  /// from its fingerprint, a reducer computes with what is in neither the state nor the action, or the text of the session
  /// has lost something. The replay goes on, warns of it, and returns where it was.
  ///
  /// - Parameters:
  ///   - session: The session to replay.
  ///   - visit: Called after each commit with its number in the session, from 1, and the state.
  ///   - fileID: The call site of actions that were recorded without one.
  ///   - function: The call site of actions that were recorded without one.
  ///   - line: The call site of actions that were recorded without one.
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
      warning.property = difference.properties.map { "`\($0)`" }.joined(separator: ", ")
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

    init(_ marks: [SessionMarks.Mark]) {
      self.marks = marks[...]
    }

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
    func replace(_ state: State) {
      _ = view.core.replaceState(choosing: { state }, isReplay: true)
    }
    replace(session.initial)
    comparison.compare(state, after: 0)
    var commits = 0
    session.forEachStep { step in
      switch step {
      case .actions(let actions, let site): view.core.replay(actions, from: site ?? own)
      case .state(let state): replace(state)
      }
      commits += 1
      let state = state
      comparison.compare(state, after: commits)
      visit(commits, state)
    }
  }
}
