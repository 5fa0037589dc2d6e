/// A session to be replayed: the state it began with, and what happened.
public struct RecordedSession<State: Sendable>: Sendable {
  enum Step: Sendable {
    /// Single actions that were applied as one commit, and where they were dispatched if it is known.
    case actions([any Action], from: CallSite?)
    /// A state that no action led to: a replacement, or the outcome of an asynchronous reducer.
    ///
    /// It is indirect because most steps are actions, and each would take up the size of a state.
    indirect case state(State)
  }

  /// The state that the session began with.
  public let initial: State
  private var list: GrowingList<Step>

  var steps: ArraySlice<Step> { list.elements }

  /// How many commits there were.
  public var count: Int { list.count }

  init(initial: State, steps: [Step]) {
    self.initial = initial
    list = GrowingList(steps)
  }

  /// What a history holds, up to where it stands now; what was undone is left out.
  ///
  /// It is nil where the history was never given to a store.
  public init?(_ history: History<State>) {
    let entries = history.past
    guard let first = entries.first else { return nil }
    let steps: [Step] = entries.dropFirst().map { entry in
      entry.isReplayable ? .actions(entry.actions, from: entry.site) : .state(entry.state)
    }
    self.init(initial: first.state, steps: steps)
  }

  /// This session, and another one that came after it.
  ///
  /// The state that the other one began with is a commit between them, so that it need not be the one
  /// that this session ended with.
  ///
  /// ```swift
  /// let week = monday.followed(by: tuesday).followed(by: wednesday)
  /// ```
  ///
  /// - Complexity: O(*m*) in the commits of `next`. Where another session was put after this one before,
  ///   the commits of this one are copied too.
  public func followed(by next: RecordedSession) -> RecordedSession {
    var session = self
    session.list.append(contentsOf: [.state(next.initial)] + next.steps)
    return session
  }

  mutating func append(_ step: Step) {
    list.append(step)
  }
}

extension Store {
  /// Replays a session: its initial state, then each of its commits.
  ///
  /// The reducers run, and nothing else does: no middleware is asked, no effect starts, no
  /// asynchronous reducer runs. What effects dispatched is in the session, and the outcomes of
  /// asynchronous reducers are in it as states. Observers hear of each commit.
  ///
  /// Replay a session in a store with the reducers of the recorded one, as they were at its first
  /// action. What was registered or unregistered later need not be: commits that depend on it are in the
  /// session as states.
  ///
  /// - Parameters:
  ///   - session: What is replayed.
  ///   - visit: Given the state after each commit, and its number in the session, from 1.
  ///   - fileID: Where the replayed actions are said to come from.
  ///   - function: Where the replayed actions are said to come from.
  ///   - line: Where the replayed actions are said to come from.
  public func replay(
    _ session: RecordedSession<State>, visit: (_ step: Int, _ state: State) -> Void = { _, _ in },
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    let site = CallSite(fileID: fileID, function: function, line: line)
    replaceState(session.initial)
    for (index, step) in session.steps.enumerated() {
      switch step {
      case .actions(let actions, _): view.core.replay(actions, from: site)
      case .state(let state): replaceState(state)
      }
      visit(index + 1, state)
    }
  }
}
