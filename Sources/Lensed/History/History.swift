/// Middleware that keeps the past of a store: to look at it, to go back, to go forth again.
///
/// ```swift
/// let history = History<AppState>(limit: 200)
/// let store = try Store(initialState: AppState(), middleware: [history]) { … }
/// store.dispatch(CounterAction.increase(1))
/// history.undo()    // the store's state is the one before
/// history.redo()    // and again the one after
/// history.entries.map(\.action)
/// ```
///
/// **Guarantees.** An entry is made in the critical section of its commit, so the history and the state
/// never disagree. `undo`, `redo` and `jump` are each one critical section with the commit that they
/// make, a replacement: observers hear of it, no `whenChanged` effect starts, and asynchronous reducers
/// drop what they do. An action, a result, or a replacement from elsewhere drops what was undone. An
/// action that nothing handled is no entry, and drops nothing: there is nothing to undo in it.
///
/// Once the store has gone, its history may be given to another one. It begins anew there: what it held
/// of the first one is forgotten.
///
/// **Cost.** Each entry holds a state, so each commit copies what it touches. The limit bounds the
/// memory. A `SessionRecorder` keeps no states, and so a session of any length.
public final class History<State: Sendable>: Middleware, CommitRecording {
  private let machine: Locked<HistoryMachine<State>>
  private let parts = Locked(ReplayedParts())
  private let store = Locked<StoreHandle<State>?>(nil)

  /// A history of the last commits.
  ///
  /// - Parameter limit: How many commits are kept, at least 1; anything less traps, and `Int.max` keeps
  ///   all. Beside them stands the state that they begin with.
  public init(limit: Int = 100) {
    if limit < 1 {
      fatalError(
        "Lensed: a History with limit: \(limit) could undo nothing. Keep at least 1 commit.")
    }
    machine = Locked(HistoryMachine(limit: limit))
  }

  /// What is kept, the oldest first: the state it begins with, the commits, and those that were undone.
  public var entries: [HistoryEntry<State>] { machine.withLock(\.entries) }
  /// The entries up to the one that the store's state is.
  var past: [HistoryEntry<State>] { machine.withLock(\.past) }
  /// The entry that the store's state is; those after it were undone.
  public var position: Int { machine.withLock(\.position) }
  /// Whether there is something to undo.
  public var canUndo: Bool { machine.withLock(\.canUndo) }
  /// Whether there is something to redo.
  public var canRedo: Bool { machine.withLock(\.canRedo) }

  /// Goes back by one commit; at the beginning, and once the store has gone, it does nothing.
  ///
  /// - Returns: Whether it went.
  @discardableResult
  public func undo() -> Bool {
    travel { $0.index(-1) }
  }

  /// Goes forth by one commit that was undone; at the end it does nothing.
  ///
  /// - Returns: Whether it went.
  @discardableResult
  public func redo() -> Bool {
    travel { $0.index(1) }
  }

  /// Goes to a commit; when it is not kept it does nothing.
  ///
  /// - Parameter revision: The number of the commit, as its entry has it.
  /// - Returns: Whether it went.
  @discardableResult
  public func jump(to revision: UInt64) -> Bool {
    travel { $0.index(of: revision) }
  }

  /// Begins, anew, with the state that the store has.
  public func attached(to store: StoreHandle<State>) {
    // Until it has begun anew, it leads to nobody.
    self.store.withLock { $0 = nil }
    guard let core = store.core else { return }
    // What it held of an earlier store leaves in this variable, to be released without the lock.
    let forgotten = Locked<[HistoryEntry<State>]>([])
    let listener = CommitListener(
      interest: .everyCommit, phase: .inCommit(recorder),
      onAttach: { [self] revision, state in
        let first = HistoryEntry(
          actions: [], cause: .replacement, revision: revision, state: state.read(State.self),
          site: nil, isReplayable: false)
        parts.withLock { $0 = ReplayedParts() }
        let old = machine.withLock { $0.begin(with: first) }
        forgotten.withLock { $0 = old }
      })
    _ = core.attach(Attachment(listeners: [listener]))
    self.store.withLock { $0 = store }
  }

  private var recorder: CommitRecorder {
    CommitRecorder(
      record: { [self] commit in
        if commit.cause == .action && !commit.isHandled { return nil }
        let isReplayable = parts.withLock { $0.replay(commit) }
        let entry = HistoryEntry(
          actions: commit.members, cause: commit.cause, revision: commit.revision,
          state: commit.state.read(State.self), site: commit.site, isReplayable: isReplayable)
        return machine.withLock { $0.record(entry) }
      })
  }

  private func travel(
    _ find: @escaping @Sendable (HistoryMachine<State>) -> Int?
  ) -> Bool {
    guard let core = store.withLock({ $0?.core }) else { return false }
    return core.replaceState(choosing: { () -> State? in
      machine.withLock { machine in find(machine).flatMap { machine.travel(to: $0) } }
    })
  }
}
