/// What records the commits of a history, and restores them.
protocol HistoryRecording<State>: Sendable {
  associatedtype State: Sendable

  var entries: [HistoryEntry<State>] { get }
  var position: Int { get }
  var canRedo: Bool { get }

  /// Starts anew with the state of a store; nil when the store has gone.
  func beginRecording(in core: StoreCore) -> StoreSubscription?

  /// Restores an entry, if `isRecording` returns true under the lock: the recording may have ended meanwhile.
  func travel(
    _ journey: HistoryJourney, in core: StoreCore, while isRecording: () -> Bool
  ) -> Bool
}

extension StoreCore {
  /// Records each commit in its critical section, until the subscription ends; nil when the store has gone.
  ///
  /// `begin` is lent the present state, under the lock, and returns what an earlier store left: that is released
  /// without the lock.
  func record(
    with recorder: CommitRecorder,
    from begin: @escaping @Sendable (_ revision: UInt64, _ state: StateAddress) -> [any Sendable]
  ) -> StoreSubscription? {
    let discarded = Locked<[any Sendable]>([])
    let listener = CommitListener(
      selection: .recording(recorder),
      onAttach: { revision, state in
        let former = begin(revision, state)
        discarded.withLock { $0 += former }
      })
    let id = attach(Attachment(listeners: [listener]))
    // The listener keeps the box, and with it the states of the earlier store.
    let former = discarded.withLock { exchange(&$0, with: []) }
    withExtendedLifetime(former) {}
    return id.map { id in StoreSubscription { [weak self] in self?.detach(id) } }
  }
}
