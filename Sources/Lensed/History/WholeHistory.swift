/// The history of a whole state: each commit is an entry, recorded under the lock of the store.
final class WholeHistory<State: Sendable>: HistoryRecording {
  private let machine: Locked<HistoryMachine<State>>
  private let parts = Locked(ReplayedParts())

  init(limit: Int) {
    machine = Locked(HistoryMachine(limit: limit))
  }

  var entries: [HistoryEntry<State>] {
    machine.withLock(\.steps).map { HistoryEntry($0, state: $0.value) }
  }
  var position: Int { machine.withLock(\.position) }
  var canRedo: Bool { machine.withLock(\.canRedo) }

  func beginRecording(in core: StoreCore) -> StoreSubscription? {
    let recorder = CommitRecorder(
      record: { [self] commit in
        if commit.cause == .action && !commit.isHandled || commit.leavesSettled { return nil }
        let (isReplayable, formerOwners) = parts.withLock { $0.replay(commit) }
        let step = HistoryMachine<State>.Step(
          value: commit.state.read(State.self), actions: commit.actions.members,
          cause: commit.cause,
          revision: commit.revision, site: commit.site, isReplayable: isReplayable)
        let discarded = machine.withLock { $0.record(step) }
        if let formerOwners { return Boxed((formerOwners, discarded)) }
        return discarded.isEmpty ? nil : Boxed(discarded)
      })
    return core.record(with: recorder) { [self] revision, state in
      let value = state.read(State.self)
      let formerParts = parts.withLock { exchange(&$0, with: ReplayedParts()) }
      let formerSteps = machine.withLock { $0.restart(with: value, at: revision) }
      return [formerParts, formerSteps]
    }
  }

  func travel(
    _ journey: HistoryJourney, in core: StoreCore, while isRecording: () -> Bool
  ) -> Bool {
    core.replaceState(choosing: { () -> State? in
      isRecording() ? machine.withLock { $0.travel(journey) } : nil
    })
  }
}
