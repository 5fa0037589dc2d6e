// How a part of the state is undone: `travel` has the `HistoryMachine` choose the value, and writes it through the
// lens, in one turn at the lock (`StoreCore.restorePart`).

extension History {
  /// Creates a history of one part of the state: undoing a step restores that part, and leaves the others alone.
  ///
  /// ```swift
  /// let history = History(
  ///   \AppState.document, limit: 200,
  ///   recording: { change in !change.actions.contains { $0 is SelectionAction } },
  ///   grouping: { previous, next in next.actions.contains { $0 is TypingAction } })
  /// let store = try Store(initialState: AppState(), middleware: [history]) { … }
  /// ```
  ///
  /// A step is a commit that touched the part: a reducer ran that owns some of it, or it was replaced. A commit that no
  /// reducer handled is never one. A commit that `recording` refuses is merged into the step before it and keeps the
  /// redo list. Commits that touch other parts are neither undone nor redone, and discard nothing. What an observer
  /// dispatches in the delivery of a commit belongs to the step of that commit, whatever the closures say.
  ///
  /// An undo is one commit, a replacement of the part. Observers of other parts are not notified, and asynchronous
  /// reducers of other parts go on. For that the store has to know where the part lies. Of a computed property, of a
  /// lens of closures without a name, and of a part without a reducer, an undo counts as a replacement of the whole
  /// state: it restores the part alone, but notifies all observers and cancels all asynchronous reducers.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - limit: The number of steps to keep, at least 1; anything less traps.
  ///   - recording: Whether a commit is a step; nil takes each. Called without a lock, by the thread that
  ///     committed or by one that uses the history, and at times by two threads at once. It may dispatch. What it
  ///     reads of the history is from before the commit, and undoing from within it does nothing.
  ///   - grouping: Whether a commit joins the step before it, whose last commit it is given: both are undone
  ///     at once. Called as `recording` is. After an undo or a redo, the next step begins anew. A replacement of the
  ///     state joins no step, and nothing joins it.
  @_disfavoredOverload
  public convenience init<Value: Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, limit: Int = 100,
    recording: (@Sendable (_ change: Change<Value>) -> Bool)? = nil,
    grouping: (@Sendable (_ previous: Change<Value>, _ next: Change<Value>) -> Bool)? = nil
  ) {
    self.init(Lens(keyPath, for: .history), limit: limit, recording: recording, grouping: grouping)
  }

  /// Creates a history of one part of the state; a commit that leaves an equal value is no step.
  public convenience init<Value: Sendable & Equatable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, limit: Int = 100,
    recording: (@Sendable (_ change: Change<Value>) -> Bool)? = nil,
    grouping: (@Sendable (_ previous: Change<Value>, _ next: Change<Value>) -> Bool)? = nil
  ) {
    self.init(Lens(keyPath, for: .history), limit: limit, recording: recording, grouping: grouping)
  }

  /// Not available: an undo writes, and this key path only reads.
  @available(*, unavailable, message: "a history needs a WritableKeyPath; this one only reads")
  public convenience init<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, limit: Int = 100,
    recording: (@Sendable (_ change: Change<Value>) -> Bool)? = nil,
    grouping: (@Sendable (_ previous: Change<Value>, _ next: Change<Value>) -> Bool)? = nil
  ) {
    refuseReadOnly(keyPath)
  }

  /// Creates a history of what a lens focuses on.
  @_disfavoredOverload
  public convenience init<Value: Sendable>(
    _ lens: some LensLike<State, Value>, limit: Int = 100,
    recording: (@Sendable (_ change: Change<Value>) -> Bool)? = nil,
    grouping: (@Sendable (_ previous: Change<Value>, _ next: Change<Value>) -> Bool)? = nil
  ) {
    self.init(PartHistory(lens.asLens, limit, recording, grouping))
  }

  /// Creates a history of what a lens focuses on; a commit that leaves an equal value is no step.
  public convenience init<Value: Sendable & Equatable>(
    _ lens: some LensLike<State, Value>, limit: Int = 100,
    recording: (@Sendable (_ change: Change<Value>) -> Bool)? = nil,
    grouping: (@Sendable (_ previous: Change<Value>, _ next: Change<Value>) -> Bool)? = nil
  ) {
    self.init(PartHistory(lens.asLens, limit, recording, grouping, isSame: { isSameValue($0, $1) }))
  }
}

/// The history of a part of a state, or of all of it.
///
/// Commits are noted under the lock of the store. Where a closure or an `==` of the user's decides what is a step, or a
/// placeholder is shown, that is decided without the lock.
final class PartHistory<State: Sendable, Value: Sendable>: HistoryRecording {
  private let lens: Lens<State, Value>
  /// What the closures that decide are shown of each commit.
  private let seen: ChangeView<Value>
  private var path: PartPath<Value> { seen.part }
  private let footprint: Footprint
  private let recording: (@Sendable (Change<Value>) -> Bool)?
  private let grouping: (@Sendable (Change<Value>, Change<Value>) -> Bool)?
  /// Whether a commit left the value as it was, and so is no step; nil where each is one.
  private let isSame: (@Sendable (Value, Value) -> Bool)?
  private let machine: Locked<HistoryMachine>
  /// The last commits that were no steps, for the chains of causes.
  private let passed = Locked(RingBuffer<PassedCommit>())
  /// Whether the steps make a session: those of the whole state do.
  private let isSession: Bool
  /// Says which commits can be replayed, where the steps make a session.
  private let parts = Locked<ReplayedParts?>(nil)
  /// The memory of the state, which can be read when the store has gone.
  private let view = Locked<StoreView<State>?>(nil)

  init(
    _ lens: Lens<State, Value>, _ limit: Int, _ recording: (@Sendable (Change<Value>) -> Bool)?,
    _ grouping: (@Sendable (Change<Value>, Change<Value>) -> Bool)?,
    isSame: (@Sendable (Value, Value) -> Bool)? = nil, isSession: Bool = false
  ) {
    if limit < 1 {
      fatalError(
        "Lensed: a History with limit: \(limit) could undo nothing. Keep at least 1 commit.")
    }
    (self.lens, self.recording, self.grouping, self.isSame) = (lens, recording, grouping, isSame)
    seen = ChangeView(PartPath(lens))
    footprint = lens.footprint
    machine = Locked(HistoryMachine(limit: limit, isGrouping: grouping != nil))
    self.isSession = isSession
  }

  var position: Int { resolved { $0.position } }
  var canRedo: Bool { resolved { $0.canRedo } }

  var entries: [HistoryEntry<State>] { entries(of: resolved { $0.steps }) }
  var past: [HistoryEntry<State>] {
    entries(of: resolved { Array($0.steps.prefix($0.position + 1)) })
  }

  private func entries(of steps: [HistoryMachine.Step]) -> [HistoryEntry<State>] {
    guard let view = view.withLock({ $0 }) else { return [] }
    let present = view.lend(view.part.read)
    return steps.map { HistoryEntry($0, state: lens.set(present, value(in: $0.value))) }
  }

  func beginRecording(in core: StoreCore) -> StoreSubscription? {
    let recorder = CommitRecorder(
      begin: { [self] start in begin(start) }, record: { [self] commit in self.record(commit) },
      afterwards: { [self] in self.resolve() })
    let subscription = core.record(with: recorder)
    let new = core.view(of: State.self)
    // The view of an earlier store may be the last owner of its state: it is released without the lock.
    let old = view.withLock { exchange(&$0, with: new) }
    withExtendedLifetime(old) {}
    return subscription
  }

  /// Begins anew with the state of a store, under its lock.
  private func begin(_ start: CommitRecord) -> [any Sendable] {
    let value = seen.part.read(start.state)
    let former = machine.withLock { machine in
      let former = machine.restart(with: Boxed(value), at: start.revision)
      if let settle = settle(start) {
        let report = CommitSnapshot(value, of: start)
        _ = machine.note(HistoryMachine.Pending(report: report, isFirst: true, settle: settle))
      }
      return former
    }
    // The commits of another store have other numbers.
    let formerPassed = passed.withLock { exchange(&$0, with: RingBuffer()) }
    if !isSession { return [former, formerPassed] }
    let formerParts = parts.withLock { exchange(&$0, with: ReplayedParts(start)) }
    return [former, formerPassed, formerParts]
  }

  func endStep() {
    resolve()
    let discarded = machine.withLock { $0.endStep() }
    withExtendedLifetime(discarded) {}
  }

  func clear() {
    resolve()
    let discarded = machine.withLock { $0.forget() }
    withExtendedLifetime(discarded) {}
  }

  func travel(
    _ journey: HistoryJourney, in core: StoreCore, while isRecording: () -> Bool
  ) -> Bool {
    // The value that was replaced leaves in the variable, to be released without the lock.
    var value: ValueBox?
    var (isDone, isResolved) = (false, true)
    let thread = ThreadIdentity.current
    repeat {
      resolve()
      // A store that has gone asks nothing, and then there is nothing to repeat.
      isResolved = true
      core.restorePart(
        footprint.isWhole ? nil : footprint,
        choosing: {
          guard isRecording() else {
            isResolved = true
            return false
          }
          return machine.withLock { machine in
            isResolved = machine.isResolved(by: thread)
            value = machine.travel(journey)
            return value != nil
          }
        },
        { state in
          isDone = lens.focus(state) { part in
            part.edit(Value.self) { present in
              if let new = value.take() {
                value = Boxed(exchange(&present, with: self.value(in: new)))
              }
            }
            return true
          }
        })
    } while !isDone && !isResolved
    return isDone
  }
}

extension PartHistory {
  private func record(_ commit: CommitRecord) -> ValueBox? {
    let isHandled = commit.cause != .action || commit.isHandled
    guard isHandled && !commit.leavesSettled && commit.touches(footprint) else {
      return pass(commit)
    }
    // What a placeholder hides is found out without the lock.
    let settle = settle(commit)
    var (isReplayable, formerOwners): (Bool, OwnershipMap?) = (false, nil)
    if isSession {
      (isReplayable, formerOwners) = parts.replay(commit)
      if settle != nil { isReplayable = false }
    }
    if recording == nil && grouping == nil && isSame == nil && settle == nil {
      let step = HistoryMachine.Step(
        value: Boxed(seen.part.read(commit.state)), actions: commit.actions.list,
        revision: commit.revision, causes: CommitCauses(commit), isReplayable: isReplayable)
      if let discarded = machine.withLock({ $0.record(step, after: commit.reaction) }) {
        if let formerOwners { return Boxed((formerOwners, discarded)) }
        return discarded.isEmpty ? nil : Boxed(discarded)
      }
    }
    let report = CommitSnapshot(seen.part.read(commit.state), of: commit)
    let pending = HistoryMachine.Pending(
      report: report, reaction: commit.reaction, isReplayable: isReplayable, settle: settle)
    let discarded = machine.withLock { $0.note(pending) }
    if let formerOwners { return Boxed((formerOwners, discarded)) }
    return discarded
  }

  /// The value in a box of the machine, which this object has filled.
  private func value(in box: ValueBox) -> Value { Boxed<Value>.known(box).value }

  private func pass(_ commit: CommitRecord) -> ValueBox? {
    let new = PassedCommit(commit)
    let oldest = passed.withLock { passed in
      passed.append(new)
      return passed.count > PassedCommit.limit ? passed.popFirst() : nil
    }
    return oldest.map { Boxed($0) }
  }

  func passedCommit(_ revision: UInt64) -> PassedCommit? {
    passed.withLock { passed in
      for index in (0..<passed.count).reversed() where passed[index]?.revision == revision {
        return passed[index]
      }
      return nil
    }
  }

  /// Makes the value without placeholders, from a copy of the state; nil where none is shown.
  private func settle(_ commit: CommitRecord) -> (@Sendable () -> ValueBox)? {
    let placeholders = commit.placeholders
    if placeholders.isEmpty { return nil }
    let state = Boxed(commit.state.read(State.self))
    return { [path] in Boxed(placeholders.settled(state, path.read)) }
  }

  private func resolved<Result: Sendable>(_ read: (HistoryMachine) -> Result) -> Result {
    resolve()
    return machine.withLock { read($0) }
  }

  /// Decides about the pending commits, in order; does nothing where the user's code that decides runs.
  private func resolve() {
    let thread = ThreadIdentity.current
    var goesOn = false
    while let (pending, known, current, last) = machine.withLock({
      $0.question(for: thread, goesOn: goesOn)
    }) {
      goesOn = true
      var change = pending.report.change(in: seen)
      if let settle = pending.settle { change.show(value(in: settle())) }
      let resolution =
        known
        ?? resolution(of: change, after: value(in: current), last.map { $0.change(in: seen) })
      let settled = Boxed(change.state)
      let discarded = machine.withLock { $0.resolve(pending, resolution, settled) }
      withExtendedLifetime(discarded) {}
    }
  }

  private func resolution(
    of change: Change<Value>, after value: Value, _ last: Change<Value>?
  ) -> HistoryMachine.Resolution {
    if isSame?(value, change.state) == true || recording?(change) == false { return .amend }
    if let grouping, let last, change.cause != .replacement, last.cause != .replacement,
      grouping(last, change)
    {
      return .group
    }
    return .step
  }
}
