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
  private(set) var steps: [Step]

  /// How many commits there were.
  public var count: Int { steps.count }

  init(initial: State, steps: [Step]) {
    self.initial = initial
    self.steps = steps
  }

  /// What a history holds, up to where it stands now; what was undone is left out.
  public init?(_ history: History<State>) {
    let entries = history.past
    guard let first = entries.first else { return nil }
    initial = first.state
    steps = entries.dropFirst().map { entry in
      entry.cause == .action
        ? .actions(entry.actions, from: entry.site) : .state(entry.state)
    }
  }

  /// This session, and another one that came after it.
  ///
  /// The state that the other one began with is a commit between them, so that it need not be the one
  /// that this session ended with.
  ///
  /// ```swift
  /// let week = monday.followed(by: tuesday).followed(by: wednesday)
  /// ```
  public func followed(by next: RecordedSession) -> RecordedSession {
    RecordedSession(initial: initial, steps: steps + [.state(next.initial)] + next.steps)
  }

  mutating func append(_ step: Step) {
    steps.append(step)
  }
}

extension Store {
  /// Replays a session: its initial state, then each of its commits.
  ///
  /// The reducers run, and nothing else does: no middleware is asked, no effect starts, no
  /// asynchronous reducer runs. What effects dispatched is in the session, and the outcomes of
  /// asynchronous reducers are in it as states. Observers hear of each commit.
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
