/// The history of a whole state: each commit is an entry, recorded under the lock of the store.
final class WholeHistory<State: Sendable>: HistoryRecording {
  private let machine: Locked<HistoryMachine<State>>
  private let parts = Locked(ReplayedParts())
  private let store = Locked<StoreHandle<State>?>(nil)
  private let recording = Locked<StoreSubscription?>(nil)

  init(limit: Int) {
    machine = Locked(HistoryMachine(limit: limit))
  }

  var entries: [HistoryEntry<State>] { machine.withLock(\.entries) }
  var position: Int { machine.withLock(\.position) }
  var canUndo: Bool { isRecording && machine.withLock(\.canUndo) }
  var canRedo: Bool { isRecording && machine.withLock(\.canRedo) }
  private var isRecording: Bool { store.withLock { $0 != nil } }

  func beginRecording(in store: StoreHandle<State>) {
    // Until the new history has begun, undo and redo have no store.
    endRecording()
    guard let core = store.core else { return }
    // What an earlier store left is released at the end, without the lock.
    let discarded = Locked<[any Sendable]>([])
    let listener = CommitListener(
      selection: .everyCommit, timing: .inCommit(recorder),
      onAttach: { [self] revision, state in
        let first = HistoryEntry(
          actions: [], cause: .replacement, revision: revision, state: state.read(State.self),
          site: nil, isReplayable: false)
        let formerParts = parts.withLock { exchange(&$0, with: ReplayedParts()) }
        let formerEntries = machine.withLock { $0.restart(with: first) }
        discarded.withLock { $0 += [formerParts, formerEntries] as [any Sendable] }
      })
    storeRecording(core.attach(Attachment(listeners: [listener])), in: core)
    self.store.withLock { $0 = store }
  }

  private func storeRecording(_ id: UInt64?, in core: StoreCore) {
    let recording = id.map { id in StoreSubscription { [weak core] in core?.detach(id) } }
    let former = self.recording.withLock { exchange(&$0, with: recording) }
    withExtendedLifetime(former) {}
  }

  func endRecording() {
    store.withLock { $0 = nil }
    recording.withLock { $0.take() }?.cancel()
  }

  private var recorder: CommitRecorder {
    CommitRecorder(
      record: { [self] commit in
        if commit.cause == .action && !commit.isHandled { return nil }
        let (isReplayable, formerOwners) = parts.withLock { $0.replay(commit) }
        let entry = HistoryEntry(
          actions: commit.members, cause: commit.cause, revision: commit.revision,
          state: commit.state.read(State.self), site: commit.site, isReplayable: isReplayable)
        let discarded = machine.withLock { $0.record(entry) }
        if let formerOwners { return Boxed((formerOwners, discarded)) }
        return discarded.isEmpty ? nil : Boxed(discarded)
      })
  }

  func travel(_ journey: HistoryJourney) -> Bool {
    guard let core = store.withLock({ $0?.core }) else { return false }
    return core.replaceState(choosing: { () -> State? in
      // Asked under the lock: the recording may have ended meanwhile.
      guard store.withLock({ $0?.core === core }) else { return nil }
      return machine.withLock { $0.travel(journey) }
    })
  }
}
