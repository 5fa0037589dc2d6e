/// Middleware that records a whole session of a store, for replay.
///
/// ```swift
/// let recorder = SessionRecorder<AppState>()
/// let store = try Store(initialState: AppState(), middleware: [recorder]) { … }
/// store.dispatch(CounterAction.increase(1))
/// if let session = recorder.session {
///   fresh.replay(session)    // `fresh` has the state of `store`
/// }
/// ```
///
/// For each commit it records the single actions, their call site, what made the commit, when, and what set that off. A
/// replayed commit has the same. The actions include those of sequences and effects, and replacements made by
/// middleware. It records the state instead where no action reproduces it: after a replacement (an undo is one), after
/// a result of an asynchronous reducer, and where other reducers ran than the store had at its first action.
/// `RecordedSession.write(to:_:)` of `LensedPersistence` writes the session to a file, where each of these actions can be
/// written; one that cannot, because it is `NotLogged` or not registered, is an error that names it. Such a session is
/// for `SessionRecorder(to:_:)`, which writes the state after each commit.
///
/// A `History` holds a state for each of the last commits, and can restore it. A recorder holds all
/// commits without their states, and restores nothing.
///
/// **Guarantees.** A commit is recorded in its critical section. So the session has all commits in commit order,
/// whichever threads dispatch, and wherever the recorder is in the list of middleware. The recorder does not keep the
/// store alive. After the store has been released, the recorder can be attached to another one; that store's initial
/// state follows in the session as a commit.
///
/// **Registering later.** Replaying actions produces the same state only with the same reducers. So
/// a commit is recorded as a state if a part ran that was registered after the first action. Once one
/// of the parts of the first action was unregistered, every commit is recorded as a state. The session
/// replays in a store with the parts of the first action. To keep it small, register before that.
///
/// **Cost.** Unlike with a `History`, a commit does not copy the collections it touches. The
/// exceptions are the first write to each part of the initial state, which the session holds;
/// commits that are recorded as states; and, as with any middleware, a write while another thread
/// is still notifying of the previous commit. Nothing is discarded: the memory grows by about two
/// hundred bytes for each commit and a hundred for each action, and by the contents of the actions.
public final class SessionRecorder<State: Sendable>: Middleware {
  private let recorded = Locked<RecordedSession<State>?>(nil)
  /// The state of the present commit, if it gets a mark.
  private let unmarked = Locked<(state: State, commits: Int)?>(nil)
  /// The memory of the state, for the last mark.
  private let view = Locked<StoreView<State>?>(nil)
  private let parts = Locked<ReplayedParts?>(nil)
  private let recording = Locked<StoreSubscription?>(nil)

  private let sink: SessionSink<State>?

  /// Creates a recorder without a store.
  public init() { sink = nil }

  /// Creates a recorder that writes elsewhere what it would hold.
  package init(writingTo sink: SessionSink<State>) { self.sink = sink }

  /// The session so far; nil before the recorder is attached to a store, and if it writes to a file.
  ///
  /// It is a value, so it does not include later commits.
  ///
  /// - Complexity: O(1), with a look at a bounded number of values of the state. Holding it costs later commits
  ///   nothing.
  public var session: RecordedSession<State>? {
    let end = makeEndMark()
    var session = recorded.withLock { $0 }
    if let end { session?.marks.insert(end) }
    return session
  }

  /// True, so that what other middleware dispatches while it is attached is recorded too.
  public var attachesFirst: Bool { true }

  /// Starts or continues the session with the store's current state.
  public func attached(to store: ScopedStore<State>) {
    let core = store.view.core
    if let sink { return write(core, to: sink) }
    let recorder = CommitRecorder(
      record: { [self] commit in
        let (isReplayable, formerOwners) = parts.replay(commit)
        let step = RecordedSession<State>.Step(
          isReplayable
            ? .actions(commit.actions.members)
            : .state(commit.state.read(State.self), commit.actions.members),
          CommitCauses(commit), revision: commit.revision)
        let commits = recorded.withLock { session in
          session?.append(step)
          return session?.count ?? 0
        }
        if SessionMarks.isDue(after: commits) { noteState(commit.state, after: commits) }
        return formerOwners
      }, afterwards: { [self] in self.mark() })
    record(core, with: recorder) { [self] start in
      let state = start.state.read(State.self)
      let commits = recorded.withLock { session in
        if session == nil {
          session = RecordedSession(initial: state, at: start.time, steps: [])
        } else {
          session?.append(.state(state))
        }
        return session?.count ?? 0
      }
      noteState(start.state, after: commits)
    }
    let view = core.view(of: State.self)
    let former = self.view.withLock { exchange(&$0, with: view) }
    withExtendedLifetime(former) {}
    mark()
  }

  /// Records the commits of a store, whose present state `begin` is given, under the lock.
  private func record(
    _ core: StoreCore, with recorder: CommitRecorder,
    from begin: @escaping @Sendable (_ start: CommitRecord) -> Void
  ) {
    detached()
    var recorder = recorder
    recorder.begin = { [self] start in
      let former = parts.withLock { parts -> ReplayedParts? in
        defer { parts = ReplayedParts(start, after: parts) }
        return parts
      }
      begin(start)
      return [former]
    }
    let recording = core.record(with: recorder)
    let former = self.recording.withLock { exchange(&$0, with: recording) }
    withExtendedLifetime(former) {}
  }

  /// Ends the session for now.
  public func detached() {
    if let end = makeEndMark() { recorded.withLock { $0?.marks.insert(end) } }
    recording.withLock { $0.take() }?.cancel()
    let former = view.withLock { $0.take() }
    withExtendedLifetime(former) {}
    sink?.afterwards()
  }
}

// MARK: Elsewhere

extension SessionRecorder {
  private func write(_ core: StoreCore, to sink: SessionSink<State>) {
    let recorder = CommitRecorder(
      record: { [self] commit in
        let (isReplayable, formerOwners) = parts.replay(commit)
        let dropped = sink.record(LoggedCommit(commit, isReplayable: isReplayable))
        return formerOwners == nil && dropped == nil ? nil : Boxed((formerOwners, dropped))
      },
      afterwards: sink.afterwards, run: sink.run)
    record(core, with: recorder) { sink.begin(SessionStart($0)) }
    sink.afterwards()
  }
}

/// What a recorder is given to write elsewhere.
package struct SessionSink<State: Sendable>: Sendable {
  /// Is given the beginning, under the lock of the store: it only takes it in.
  package let begin: @Sendable (SessionStart<State>) -> Void
  /// Is given each commit, under the lock of the store; returns what is to be released without it.
  package let record: @Sendable (LoggedCommit<State>) -> (any Sendable)?
  /// Called without the lock after each commit, by the thread that made it.
  package let afterwards: @Sendable () -> Void
  /// Is given a run of an effect as it waits, begins, and has ended; `afterwards` follows.
  package let run: @Sendable (RecordedRun) -> Void

  package init(
    begin: @escaping @Sendable (SessionStart<State>) -> Void,
    record: @escaping @Sendable (LoggedCommit<State>) -> (any Sendable)?,
    afterwards: @escaping @Sendable () -> Void,
    run: @escaping @Sendable (RecordedRun) -> Void
  ) {
    (self.begin, self.record, self.afterwards, self.run) = (begin, record, afterwards, run)
  }
}

/// How a session begins, or goes on in another store.
package struct SessionStart<State: Sendable>: Sendable {
  package let state: State
  package let revision: UInt64
  /// The time since the store was made.
  package let time: Duration
  /// Nil where only the state is known.
  private let ownership: OwnershipMap?

  init(_ start: CommitRecord) {
    (state, revision) = (start.state.read(State.self), start.revision)
    (time, ownership) = (start.time ?? .zero, start.touched.ownership)
  }

  /// The beginning of a session that is written afterwards.
  package init(_ state: State, at time: Duration?) {
    (self.state, revision, self.time, ownership) = (state, 0, time ?? .zero, nil)
  }

  /// The parts of the state and what their owners handle, as text.
  package var owners: [OwnedPart] {
    (ownership?.bySlot ?? [:]).sorted { $0.key < $1.key }.map { _, owner in
      OwnedPart(
        part: owner.footprint.name, isConstant: owner.isConstant,
        actions: owner.cases.map(\.handled))
    }
  }
}

extension ReducerCase {
  fileprivate var handled: String {
    if let type { "\(type)" } else { "every action" }
  }
}

package struct OwnedPart: Sendable {
  package let part: String
  package let isConstant: Bool
  package let actions: [String]
}

// MARK: Marks

extension SessionRecorder {
  /// Keeps a state for a mark, under the lock of the store, until that is made.
  private func noteState(_ state: StateAddress, after commits: Int) {
    let new = (state: state.read(State.self), commits: commits)
    // What another thread has yet to take for its mark stays: this commit has none then.
    unmarked.withLock { if $0 == nil { $0 = new } }
  }

  /// Makes the mark of the state that was kept for it: without the lock, because it reflects the state.
  private func mark() {
    guard let (state, commits) = unmarked.withLock({ $0.take() }) else { return }
    let mark = SessionMarks.Mark(state, after: commits)
    recorded.withLock { $0?.marks.insert(mark) }
  }

  /// The mark of the present state, which is the last of the session so far; nil where it has one.
  private func makeEndMark() -> SessionMarks.Mark? {
    guard let view = view.withLock({ $0 }) else { return nil }
    let (state, commits) = view.lend { state in
      (state.read(State.self), recorded.withLock { $0?.count ?? 0 })
    }
    if recorded.withLock({ $0?.marks.has(commits) ?? true }) { return nil }
    return SessionMarks.Mark(state, after: commits)
  }
}
