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
/// - An entry is recorded in the critical section of its commit, so the history and the state never disagree.
/// - `undo`, `redo` and `jump` are each one critical section, together with the commit they make. That commit is a
///   replacement: observers are notified, no `whenChanged` effect starts, and asynchronous reducers are cancelled.
/// - An action, an outcome or a replacement from elsewhere discards the undone entries. An action
///   that no reducer handled is not recorded and discards nothing.
/// - Entries are settled states: where an asynchronous reducer shows a placeholder, they have the value from before
///   it. A placeholder is no entry.
/// - What an observer dispatches on the thread that delivers a commit belongs to the entry of that commit: an undo
///   takes both back. What it dispatches while an undo, a redo or a jump is delivered is applied, is no entry, and
///   keeps the redo list.
/// - A history of a part restores that part alone, and says what a step is: see `init(_:limit:recording:grouping:)`.
/// - After its store has been released, a history can be attached to another store. It starts empty there.
///
/// **Cost.** Each entry holds a state, so each commit copies the collections it touches. The limit bounds the memory. A
/// `SessionRecorder` holds no states, so it can record a session of any length.
public final class History<State: Sendable>: Middleware {
  let part: HistoryPart<State>
  let machine: Locked<HistoryMachine>
  /// The last commits that were no steps, for the chains of causes.
  let passed = Locked(RingBuffer<PassedCommit>())
  /// Whether the steps make a session: those of the whole state do.
  let isSession: Bool
  /// Says which commits can be replayed, where the steps make a session.
  let parts = Locked<ReplayedParts?>(nil)
  /// The memory of the state, which can be read when the store has gone.
  let view = Locked<StoreView<State>?>(nil)
  /// The store that it records.
  let home = Locked<(core: StoreCore?, subscription: StoreSubscription?)>((nil, nil))

  /// Creates a history of the last commits.
  ///
  /// - Parameter limit: The number of commits to keep, at least 1; anything less traps, and
  ///   `Int.max` keeps all. The state before the oldest commit is kept besides.
  public init(limit: Int = 100) {
    (part, isSession) = (HistoryPart(Lens<State, State>.identity), true)
    machine = Locked(HistoryMachine(limit: limit, isGrouping: false))
  }

  init(_ part: HistoryPart<State>, limit: Int) {
    (self.part, isSession) = (part, false)
    machine = Locked(HistoryMachine(limit: limit, isGrouping: part.isGrouping))
  }

  /// Asks or changes it once all commits are decided about; traps where a reducer of its store is the caller.
  private func resolved<Result: Sendable>(_ body: (inout HistoryMachine) -> Result) -> Result {
    home.withLock { $0.core }?.checkEntry("asked or changed its history")
    resolve()
    return machine.withLock { body(&$0) }
  }

  private func entries(of steps: [HistoryMachine.Step]) -> [HistoryEntry<State>] {
    guard let view = view.withLock({ $0 }) else { return [] }
    let present = view.lend(view.part.read)
    return steps.map { HistoryEntry($0, state: part.put(present, $0.value)) }
  }

  /// The entries, oldest first: the first state, the commits, and the undone commits.
  ///
  /// In a history of a part, an entry is a step, and its `state` is the present state with the part as it was
  /// after the step.
  public var entries: [HistoryEntry<State>] { entries(of: resolved { $0.steps }) }

  /// The entries up to the current one, all of one moment.
  var past: [HistoryEntry<State>] {
    entries(of: resolved { Array($0.steps.prefix($0.position + 1)) })
  }

  /// The index of the current entry; the entries after it were undone.
  public var position: Int { resolved { $0.position } }

  /// Whether there is a commit to undo.
  public var canUndo: Bool { isRecording && position > 0 }

  /// Whether there is a commit to redo.
  public var canRedo: Bool { isRecording && resolved { $0.canRedo } }

  private var isRecording: Bool { home.withLock { $0.core != nil } }

  /// Undoes one commit, or one step; does nothing at the beginning, or after the store has been released.
  ///
  /// - Returns: Whether a commit was undone.
  @discardableResult
  public func undo() -> Bool { travel(.steps(-1)) }

  /// Redoes one undone commit, or step; does nothing at the end, or after the store has been released.
  ///
  /// - Returns: Whether a commit was redone.
  @discardableResult
  public func redo() -> Bool { travel(.steps(1)) }

  /// Restores the state after a commit; does nothing if the commit is not in the history.
  ///
  /// - Parameter revision: The number of the commit, from its entry.
  /// - Returns: Whether the state was restored.
  @discardableResult
  public func jump(to revision: UInt64) -> Bool { travel(.revision(revision)) }

  /// Has the next commit begin a step of its own, where a history has `grouping`: a gesture has ended, or a pause came.
  public func endStep() {
    // Released without the lock.
    withExtendedLifetime(resolved { $0.endStep() }) {}
  }

  /// Forgets all entries, so there is nothing to undo or to redo: the history begins with the present state.
  public func clear() {
    withExtendedLifetime(resolved { $0.forget() }) {}
  }

  /// True, so that what other middleware dispatches while it is attached is recorded too.
  public var attachesFirst: Bool { true }

  /// Starts a new history with the store's current state.
  public func attached(to store: ScopedStore<State>) {
    // Until the new history has begun, undo and redo have no store.
    detached()
    let core = store.view.core
    let subscription = beginRecording(in: core)
    let old = home.withLock { exchange(&$0, with: (core, subscription)) }
    withExtendedLifetime(old) {}
  }

  /// Records no more, and can undo nothing.
  public func detached() {
    let former = home.withLock { exchange(&$0, with: (nil, nil)) }
    former.subscription?.cancel()
  }
}

// MARK: An entry

/// One commit in a history, with the state after it.
///
/// ```swift
/// for entry in history.entries { print(entry.revision, entry.actions, entry.state.cart) }
/// ```
public struct HistoryEntry<State: Sendable>: Sendable {
  /// The applied action; nil for the first entry, a replacement, and a result of an asynchronous reducer.
  public var action: (any Action)? { actions.count > 1 ? ActionList(actions) : actions.first }
  /// The single actions of the commit, in order, also those of sequences and effects, as middleware replaced them.
  public let actions: [any Action]
  /// The cause of the commit; the first entry is a replacement.
  public var cause: CommitCause { causes.cause }
  /// The number of the commit.
  public let revision: UInt64
  /// The state after it.
  public let state: State
  /// The place in the source code that dispatched the action.
  public var site: CallSite? { causes.site }
  let causes: CommitCauses
  /// The commits of the step before the one that `revision` names.
  let earlier: [UInt64]
  /// Whether it is the state in which the history began.
  let isFirst: Bool
  /// Whether replaying the actions produces the same state, in a store with the first action's parts.
  let isReplayable: Bool

  /// What made the commit; of a step of several commits, the first of them.
  public var origin: CommitOrigin { causes.origin }
  /// The number of the commit that set off what made it; nil where something from outside did.
  public var parent: UInt64? { causes.parent }
  /// The time from the making of the store to the commit; nil for the first entry.
  public var time: Duration? { causes.time }
  /// Whether it is a commit of a replay.
  public var isReplayed: Bool { causes.isReplayed }

  /// The module and file that dispatched the action.
  public var fileID: String? { site?.fileID }
  /// The line that dispatched it, from 1.
  public var line: UInt? { site?.line }
}

extension HistoryEntry {
  init(_ step: HistoryMachine.Step, state: State) {
    (actions, revision) = (step.actions.all, step.revision)
    (self.state, isReplayable) = (state, step.isReplayable)
    (causes, earlier, isFirst) = (step.causes, step.earlier, step.isFirst)
  }

  init(_ commit: PassedCommit, state: State) {
    (actions, revision) = (commit.actions, commit.revision)
    (self.state, isReplayable) = (state, false)
    (causes, earlier, isFirst) = (commit.causes, [], false)
  }

  var first: UInt64 { earlier.first ?? revision }

  func has(_ commit: UInt64) -> Bool {
    !isFirst && (commit == revision || earlier.contains(commit))
  }
}
