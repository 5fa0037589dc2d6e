/// Middleware that records a store's past states, for undo, redo and inspection.
///
/// ```swift
/// let history = History<AppState>(limit: 200)
/// let store = try Store(initialState: AppState(), middleware: [history]) { … }
/// store.dispatch(CounterAction.increase(1))
/// history.undo()    // the store has the previous state
/// history.redo()    // the store has the newer state again
/// history.entries.map(\.action)
/// ```
///
/// **Guarantees.**
/// - An entry is recorded in the critical section of its commit, so the history and the state never
///   disagree.
/// - `undo`, `redo` and `jump` are each one critical section, together with the commit they make.
///   That commit is a replacement: observers are notified, no `whenChanged` effect starts, and
///   asynchronous reducers are cancelled.
/// - An action, a result or a replacement from elsewhere discards the undone entries. An action
///   that no reducer handled is not recorded and discards nothing.
/// - After its store has been released, a history can be attached to another store. It starts empty
///   there.
///
/// **Cost.** Each entry holds a state, so each commit copies the collections it touches. The limit
/// bounds the memory. A `SessionRecorder` holds no states, so it can record a session of any
/// length.
public final class History<State: Sendable>: Middleware, CommitRecording {
  private let machine: Locked<HistoryMachine<State>>
  private let parts = Locked(ReplayedParts())
  private let store = Locked<StoreHandle<State>?>(nil)
  private let recording = Locked<StoreSubscription?>(nil)

  /// Creates a history of the last commits.
  ///
  /// - Parameter limit: The number of commits to keep, at least 1; anything less traps, and
  ///   `Int.max` keeps all. The state before the oldest commit is kept besides.
  public init(limit: Int = 100) {
    if limit < 1 {
      fatalError(
        "Lensed: a History with limit: \(limit) could undo nothing. Keep at least 1 commit.")
    }
    machine = Locked(HistoryMachine(limit: limit))
  }

  /// The entries, oldest first: the first state, the commits, and the undone commits.
  public var entries: [HistoryEntry<State>] { machine.withLock(\.entries) }
  /// The entries up to the current one.
  var past: [HistoryEntry<State>] { machine.withLock(\.past) }
  /// The index of the current entry; the entries after it were undone.
  public var position: Int { machine.withLock(\.position) }
  /// Whether there is a commit to undo.
  public var canUndo: Bool { machine.withLock(\.canUndo) }
  /// Whether there is a commit to redo.
  public var canRedo: Bool { machine.withLock(\.canRedo) }

  /// Undoes one commit; does nothing at the beginning, or after the store has been released.
  ///
  /// - Returns: Whether a commit was undone.
  @discardableResult
  public func undo() -> Bool {
    travel { $0.index(-1) }
  }

  /// Redoes one undone commit; does nothing at the end, or after the store has been released.
  ///
  /// - Returns: Whether a commit was redone.
  @discardableResult
  public func redo() -> Bool {
    travel { $0.index(1) }
  }

  /// Restores the state after a commit; does nothing if the commit is not in the history.
  ///
  /// - Parameter revision: The number of the commit, from its entry.
  /// - Returns: Whether the state was restored.
  @discardableResult
  public func jump(to revision: UInt64) -> Bool {
    travel { $0.index(of: revision) }
  }

  /// Starts a new history with the store's current state.
  public func attached(to store: StoreHandle<State>) {
    // Until the new history has begun, undo and redo have no store.
    endRecording()
    guard let core = store.core else { return }
    // The entries of an earlier store are released at the end, without the lock.
    let discarded = Locked<[HistoryEntry<State>]>([])
    let listener = CommitListener(
      interest: .everyCommit, phase: .inCommit(recorder),
      onAttach: { [self] revision, state in
        let first = HistoryEntry(
          actions: [], cause: .replacement, revision: revision, state: state.read(State.self),
          site: nil, isReplayable: false)
        parts.withLock { $0 = ReplayedParts() }
        let old = machine.withLock { $0.begin(with: first) }
        discarded.withLock { $0 = old }
      })
    keep(core.attach(Attachment(listeners: [listener])), in: core)
    self.store.withLock { $0 = store }
  }

  private func keep(_ id: UInt64?, in core: StoreCore) {
    let recording = id.map { id in StoreSubscription { [weak core] in core?.detach(id) } }
    self.recording.withLock { $0 = recording }
  }

  /// Records no more, and can undo nothing.
  func endRecording() {
    store.withLock { $0 = nil }
    recording.withLock { $0.take() }?.cancel()
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
