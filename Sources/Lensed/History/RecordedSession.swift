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
  private var list: GrowingList<Step>

  package var steps: ArraySlice<Step> { list.elements }

  /// The number of commits.
  public var count: Int { list.count }

  package init(initial: State, steps: [Step]) {
    self.initial = initial
    list = GrowingList(steps)
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
  /// - Complexity: O(*m*) in the commits of `next`. Appending a second session to the same one
  ///   copies the commits of both.
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
  /// - Parameters:
  ///   - session: The session to replay.
  ///   - visit: Called after each commit with its number in the session, from 1, and the state.
  ///   - fileID: The call site of actions that were recorded without one.
  ///   - function: The call site of actions that were recorded without one.
  ///   - line: The call site of actions that were recorded without one.
  public func replay(
    _ session: RecordedSession<State>, visit: (_ step: Int, _ state: State) -> Void = { _, _ in },
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    let own = CallSite(fileID: fileID, function: function, line: line)
    view.core.replaying { replay(session, from: own, visit: visit) }
  }

  private func replay(
    _ session: RecordedSession<State>, from own: CallSite,
    visit: (_ step: Int, _ state: State) -> Void
  ) {
    func replace(_ state: State) {
      _ = view.core.replaceState(choosing: { state }, isReplay: true)
    }
    replace(session.initial)
    for (index, step) in session.steps.enumerated() {
      switch step {
      case .actions(let actions, let site): view.core.replay(actions, from: site ?? own)
      case .state(let state): replace(state)
      }
      visit(index + 1, state)
    }
  }
}
