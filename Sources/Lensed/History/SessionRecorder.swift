/// Middleware that records all that happens to a store, from its first state on, to be replayed.
///
/// ```swift
/// let recorder = SessionRecorder<AppState>()
/// let store = try Store(initialState: AppState(), middleware: [recorder]) { … }
/// store.dispatch(CounterAction.increase(1))
/// if let session = recorder.session {
///   fresh.replay(session)    // the state of `fresh` is the one of `store`
/// }
/// ```
///
/// Of a commit it keeps the single actions that were applied, what sequences, effects and middleware
/// put in place of others included, and where they were dispatched. Where no action says what happened,
/// it keeps the state: after a replacement, of which an undo is one, and after an outcome of an
/// asynchronous reducer; and where the parts of the store are not those that it had at its first action. `ActionRegistry` makes text of a session, for a file.
///
/// A `History` keeps a state for each of the last commits, and goes back to them. A recorder keeps all
/// commits and none of their states, and goes nowhere.
///
/// **Guarantees.** A commit is recorded in its critical section, so the session holds all of them, in
/// commit order, whichever threads dispatch, and wherever it stands among the middleware. It outlives
/// the store, and does not keep it alive. Once the store has gone, its recorder may be given to another
/// one: that one's initial state follows in the session as a commit.
///
/// **Parts that come and go.** Actions say what happened as long as the same reducers answer them. So a
/// commit in which a part ran that was registered after the first action is kept as a state; and so is
/// each commit after a part was unregistered that was there at the first action. The session replays in
/// a store with the parts of the first action. To keep it small, register before the first action.
///
/// **Cost.** A commit does not copy what it touches, as each does with a `History`. Only the first write
/// to each part of the initial state does, which the session holds, and with any middleware a write
/// that meets another thread which is still telling of the commit before, and what is kept as a state.
/// Nothing is forgotten: the
/// memory grows by some hundred bytes for each commit and each action, and by what the action holds.
public final class SessionRecorder<State: Sendable>: Middleware, CommitRecording {
  private let recorded = Locked<RecordedSession<State>?>(nil)
  private let parts = Locked(ReplayedParts())

  /// A recorder that has no store yet.
  public init() {}

  /// What has happened up to now; nil before the recorder is given to a store.
  ///
  /// It is a value: what happens later is not in it.
  ///
  /// - Complexity: O(1), and holding it costs later commits nothing.
  public var session: RecordedSession<State>? { recorded.withLock { $0 } }

  /// Begins with the state that the store has.
  public func attached(to store: StoreHandle<State>) {
    guard let core = store.core else { return }
    let recorder = CommitRecorder(
      record: { [self] commit in
        let step: RecordedSession<State>.Step =
          parts.withLock { $0.replay(commit) }
          ? .actions(commit.members, from: commit.site) : .state(commit.state.read(State.self))
        recorded.withLock { $0?.append(step) }
        return nil
      })
    let listener = CommitListener(
      interest: .everyCommit, phase: .inCommit(recorder),
      onAttach: { [self] _, state in
        let state = state.read(State.self)
        parts.withLock { $0.continueElsewhere() }
        recorded.withLock { session in
          if session == nil {
            session = RecordedSession(initial: state, steps: [])
          } else {
            session?.append(.state(state))
          }
        }
      })
    _ = core.attach(Attachment(listeners: [listener]))
  }
}
