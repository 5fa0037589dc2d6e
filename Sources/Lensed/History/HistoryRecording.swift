/// What records the commits of a history, and restores them.
protocol HistoryRecording<State>: Sendable {
  associatedtype State: Sendable

  var entries: [HistoryEntry<State>] { get }
  var position: Int { get }
  var canRedo: Bool { get }

  /// Starts anew with the state of a store; nil when the store has gone.
  func beginRecording(in core: StoreCore) -> StoreSubscription?

  /// A commit that was no step; nil where it is not kept.
  func passedCommit(_ revision: UInt64) -> PassedCommit?

  /// Has the next commit begin a step of its own.
  func endStep()

  /// Forgets all entries but the present state.
  func clear()

  /// Restores an entry, if `isRecording` returns true under the lock: the recording may have ended meanwhile.
  func travel(
    _ journey: HistoryJourney, in core: StoreCore, while isRecording: () -> Bool
  ) -> Bool
}

extension StoreCore {
  /// Records each commit in its critical section, until the subscription ends; nil when the store has gone.
  ///
  /// `begin` is given the present state as if it came from a commit, under the lock, and returns what an earlier store
  /// left: that is released without the lock.
  func record(
    with recorder: CommitRecorder,
    from begin: @escaping @Sendable (_ start: CommitRecord) -> [any Sendable]
  ) -> StoreSubscription? {
    let discarded = Locked<[any Sendable]>([])
    let listener = CommitListener(
      selection: .recording(recorder),
      onAttach: { [unowned self] _, _ in
        let former = begin(presentRecord)
        discarded.withLock { $0 += former }
      })
    let id = attach(Attachment(listeners: [listener], purpose: "attached middleware"))
    // The listener keeps the box, and with it the states of the earlier store.
    let former = discarded.withLock { exchange(&$0, with: []) }
    withExtendedLifetime(former) {}
    return id.map { id in StoreSubscription { [weak self] in self?.detach(id) } }
  }

  /// All of its state; nil when the store has gone.
  func view<State>(of type: State.Type) -> StoreView<State>? {
    withTable(\.memory).map { StoreView(self, PartPath(Lens.identity), $0) }
  }

  /// The present state, as if it came from a commit; under the lock.
  var presentRecord: CommitRecord {
    assertLocked()
    var record = CommitRecord(
      state: state, actions: .none, site: nil, cause: .replacement,
      revision: protected.value.table.revision, isHandled: false,
      touched: TouchedParts([], protected.value.ownership))
    record.placeholders = protected.value.placeholders
    record.time = clock.elapsed
    return record
  }
}
