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
    self.init(HistoryPart(lens.asLens, recording, grouping), limit: limit)
  }

  /// Creates a history of what a lens focuses on; a commit that leaves an equal value is no step.
  public convenience init<Value: Sendable & Equatable>(
    _ lens: some LensLike<State, Value>, limit: Int = 100,
    recording: (@Sendable (_ change: Change<Value>) -> Bool)? = nil,
    grouping: (@Sendable (_ previous: Change<Value>, _ next: Change<Value>) -> Bool)? = nil
  ) {
    self.init(
      HistoryPart(lens.asLens, recording, grouping, isSame: { isSameValue($0, $1) }), limit: limit)
  }
}

/// What a history does with its part of the state, where the type of the part is known.
struct HistoryPart<State: Sendable>: Sendable {
  typealias Answer = (resolution: HistoryMachine.Resolution, value: ValueBox)

  let footprint: Footprint
  let isGrouping: Bool
  /// Whether a closure or an `==` of the user's says what is a step.
  let isAsking: Bool
  /// Copies the part of a state.
  let take: @Sendable (_ state: StateAddress) -> ValueBox
  /// Copies the part that a commit left, for `resolve`.
  let report: @Sendable (_ commit: CommitRecord) -> any CommitReport
  /// Decides about a commit, where nothing is `known`, after a value and the commit that it may join.
  ///
  /// - Returns: Also the value that the commit left.
  let resolve:
    @Sendable (
      _ asked: HistoryMachine.Pending, _ known: HistoryMachine.Resolution?, _ former: ValueBox,
      _ last: (any CommitReport)?
    ) -> Answer
  /// Exchanges the part of a state for a value.
  let restore: @Sendable (_ state: StateAddress, _ value: inout ValueBox?) -> Bool
  /// A state with the part as it was.
  let put: @Sendable (_ present: State, _ value: ValueBox) -> State

  /// `isSame` says whether a commit left the value as it was, and so is no step; without it each is one.
  init<Value: Sendable>(
    _ lens: Lens<State, Value>, _ recording: (@Sendable (Change<Value>) -> Bool)? = nil,
    _ grouping: (@Sendable (Change<Value>, Change<Value>) -> Bool)? = nil,
    isSame: (@Sendable (Value, Value) -> Bool)? = nil
  ) {
    // What the closures that decide are shown of each commit.
    let seen = ChangeView(PartPath(lens))
    let path = seen.part
    footprint = lens.footprint
    (isGrouping, isAsking) = (grouping != nil, recording != nil || grouping != nil || isSame != nil)
    take = { Boxed(path.read($0)) }
    report = { CommitSnapshot(path.read($0.state), of: $0) }
    resolve = { asked, known, former, last in
      var change = asked.report.change(in: seen)
      if let settle = asked.settle { change.show(Boxed<Value>.known(settle()).value) }
      let value = Boxed(change.state)
      if let known { return (known, value) }
      if isSame?(Boxed<Value>.known(former).value, change.state) == true
        || recording?(change) == false
      {
        return (.amend, value)
      }
      if let grouping, let last = last?.change(in: seen), change.cause != .replacement,
        last.cause != .replacement, grouping(last, change)
      {
        return (.group, value)
      }
      return (.step, value)
    }
    restore = { state, value in
      lens.focus(state) { part in
        part.edit(Value.self) { present in
          if let new = value.take() {
            value = Boxed(exchange(&present, with: Boxed<Value>.known(new).value))
          }
        }
        return true
      }
    }
    put = { lens.set($0, Boxed<Value>.known($1).value) }
  }
}

// MARK: Recording

// Commits are noted under the lock of the store. Where a closure or an `==` of the user's decides what is a step, or a
// placeholder is shown, that is decided without the lock.

extension History {
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
    let value = part.take(start.state)
    let former = machine.withLock { machine in
      let former = machine.restart(with: value, at: start.revision)
      if let settle = settle(start) {
        let report = part.report(start)
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

  private func record(_ commit: CommitRecord) -> ValueBox? {
    let isHandled = commit.cause != .action || commit.isHandled
    guard isHandled && !commit.leavesSettled && commit.touches(part.footprint) else {
      return pass(commit)
    }
    // What a placeholder hides is found out without the lock.
    let settle = settle(commit)
    var (isReplayable, formerOwners): (Bool, OwnershipMap?) = (false, nil)
    if isSession {
      (isReplayable, formerOwners) = parts.replay(commit)
      if settle != nil { isReplayable = false }
    }
    if !part.isAsking && settle == nil {
      let step = HistoryMachine.Step(
        value: part.take(commit.state), actions: commit.actions.list,
        revision: commit.revision, causes: CommitCauses(commit), isReplayable: isReplayable)
      if let discarded = machine.withLock({ $0.record(step, after: commit.reaction) }) {
        if let formerOwners { return Boxed((formerOwners, discarded)) }
        return discarded.isEmpty ? nil : Boxed(discarded)
      }
    }
    let pending = HistoryMachine.Pending(
      report: part.report(commit), reaction: commit.reaction, isReplayable: isReplayable,
      settle: settle)
    let discarded = machine.withLock { $0.note(pending) }
    if let formerOwners { return Boxed((formerOwners, discarded)) }
    return discarded
  }

  private func pass(_ commit: CommitRecord) -> ValueBox? {
    let new = PassedCommit(commit)
    let oldest = passed.withLock { passed in
      passed.append(new)
      return passed.count > PassedCommit.limit ? passed.popFirst() : nil
    }
    return oldest.map { Boxed($0) }
  }

  /// A commit that was no step; nil where it is not kept.
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
    return { [take = part.take] in placeholders.settled(state, take) }
  }

  /// Decides about the pending commits, in order; does nothing where the user's code that decides runs.
  func resolve() {
    let thread = ThreadIdentity.current
    var goesOn = false
    while let (asked, known, former, last) = machine.withLock({
      $0.question(for: thread, goesOn: goesOn)
    }) {
      goesOn = true
      let (resolution, value) = part.resolve(asked, known, former, last)
      let discarded = machine.withLock { $0.resolve(asked, resolution, value) }
      withExtendedLifetime(discarded) {}
    }
  }
}

// MARK: Restoring

extension History {
  /// Restores an entry, unless the recording has ended by then.
  func travel(_ journey: HistoryJourney) -> Bool {
    guard let core = home.withLock({ $0.core }) else { return false }
    core.checkEntry("asked or changed its history")
    // The value that was replaced leaves in the variable, to be released without the lock.
    var value: ValueBox?
    var (isDone, isResolved) = (false, true)
    let thread = ThreadIdentity.current
    repeat {
      resolve()
      // A store that has gone asks nothing, and then there is nothing to repeat.
      isResolved = true
      core.restorePart(
        part.footprint.isWhole ? nil : part.footprint,
        choosing: {
          guard home.withLock({ $0.core === core }) else {
            isResolved = true
            return false
          }
          return machine.withLock { machine in
            isResolved = machine.isResolved(by: thread)
            value = machine.travel(journey)
            return value != nil
          }
        },
        { isDone = part.restore($0, &value) })
    } while !isDone && !isResolved
    return isDone
  }
}
