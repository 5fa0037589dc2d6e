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
/// drop what they do. An action, a result, or a replacement from elsewhere drops what was undone.
///
/// **Cost.** Each entry holds a state, so each commit copies what it touches. The limit bounds the
/// memory. A `SessionRecorder` keeps no states, and so a session of any length.
public final class History<State: Sendable>: Middleware, CommitRecording {
  private let machine: Guarded<HistoryMachine<State>>
  private let store = Guarded<StoreHandle<State>?>(nil)

  /// A history of the last commits.
  ///
  /// - Parameter limit: How many commits are kept, at least 1. Beside them stands the state that they
  ///   begin with.
  public init(limit: Int = 100) {
    if limit < 1 {
      fatalError(
        "Lensed: a History with limit: \(limit) could undo nothing. Keep at least 1 commit.")
    }
    machine = Guarded(HistoryMachine(limit: limit))
  }

  /// What is kept, the oldest first: the state it begins with, the commits, and those that were undone.
  public var entries: [HistoryEntry<State>] { machine.withLock(\.entries) }
  /// The entries up to the one that the store's state is.
  var past: ArraySlice<HistoryEntry<State>> {
    machine.withLock { $0.entries.prefix($0.position + 1) }
  }
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

  /// Begins with the state that the store has.
  public func attached(to store: StoreHandle<State>) {
    self.store.withLock { $0 = store }
    guard let core = store.core else { return }
    let hook = FeedHook(
      prepare: { _ in },
      record: { [self] commit in
        let entry = HistoryEntry(
          actions: commit.members, cause: commit.cause, revision: commit.revision,
          state: commit.state.read(State.self), site: commit.site)
        return machine.withLock { $0.record(entry) }
      },
      signal: Signal())
    _ = core.install(hook, onClose: {}) { revision, state in
      let first = HistoryEntry(
        actions: [], cause: .replacement, revision: revision, state: state.read(State.self),
        site: nil)
      _ = machine.withLock { $0.record(first) }
    }
  }

  private func travel(
    _ find: @escaping @Sendable (HistoryMachine<State>) -> Int?
  ) -> Bool {
    guard let core = store.withLock({ $0?.core }) else { return false }
    return core.replaceState(choosing: { () -> State? in
      machine.withLock { machine in find(machine).map { machine.travel(to: $0) } }
    })
  }
}
