/// One reducer, bound to the sub-state it owns.
///
/// Its addresses stay valid until after its last run: the store keeps that memory, and frees no record before it goes.
struct Handler: Sendable {
  let slot: Int
  /// Of a `SlotRecord`.
  let record: StateAddress
  /// Where the slot is noted while the reducer runs; of an `Int`.
  let running: StateAddress
  /// Of the state that the reducer is given.
  let part: StateAddress
  /// Which row an action is for, where it is for one; kept by the route.
  let element: Unretained<ElementIdentity>?
  /// Notified if rows of the sub-state are observed; kept by the store.
  let rows: Unretained<RowSink>?
  let reduce: ReducerCase.Run
  /// Runs the reducer on a whole batch, where it touches its own part alone; then neither it nor the others see a
  /// difference to taking turns.
  let reduceAll: ReducerCase.RunAll?
  /// How the last run ended in which the reducer did not run.
  private(set) var outcome = RunOutcome.passedOver

  /// Stands where there is no reducer; it is never run.
  static let placeholder = Handler(standingAt: nowhere.place)
  private static let nowhere = UnsafeCell(SlotRecord())

  /// Stands where the handlers of a route are run, in an entry of the cache; it is never run itself.
  static let byHandlers = Handler(standingAt: handled.place)
  private static let handled = UnsafeCell(SlotRecord(flags: .byHandlers))

  /// Runs the reducer and notes whether it ran; returns the flags of the commit as far as this reducer goes.
  @inline(__always)
  mutating func run(_ action: StateAddress, _ revision: UInt64) -> CommitFlags {
    noteRunning()
    let outcome = reduce(part, action)
    guard outcome.didRun else {
      self.outcome = outcome
      return .notRun
    }
    let flags = outcome == .ran ? noteRun(revision) : noteRun(revision).union(outcome.flags)
    return flags.contains(.hasRows)
      ? noteRows(flags, outcome == .changedID ? nil : action, revision) : flags
  }

  /// Runs the reducer on all actions of a batch at once; not, if it cannot.
  mutating func runAll(
    _ actions: StateAddress, count: Int, stride: Int, _ revision: UInt64
  ) -> CommitFlags {
    guard let reduceAll else { return [] }
    noteRunning()
    reduceAll(part, actions, count, stride)
    let flags = noteRun(revision)
    return flags.contains(.hasRows) ? noteRows(flags, nil, revision) : flags
  }

  /// Notes which rows the reducer has touched, and returns the flags with those of the rows.
  @inline(never)
  private func noteRows(
    _ flags: CommitFlags, _ action: StateAddress?, _ revision: UInt64
  ) -> CommitFlags {
    guard let rows else { return flags.subtracting(.hasRows) }
    let row = action.flatMap { action in element?.lend { $0.row(in: part, of: action) } }
    let touch = RowTouch(slot: slot, revision: revision, row: row)
    return flags.subtracting(.hasRows).union(rows.lend { $0.touch(touch) })
  }

  /// Notes that code of the user's runs for its sub-state, for the message of a trap.
  func noteRunning() { running.edit(Int.self) { $0 = slot } }

  /// The last commit in which the sub-state of the reducer was written.
  var lastRun: UInt64 { record.edit(SlotRecord.self) { $0.revision } }

  @inline(__always)
  func noteRun(_ revision: UInt64) -> CommitFlags {
    record.edit(SlotRecord.self) { record in
      record.revision = revision
      return record.flags
    }
  }
}

extension Handler {
  private init(standingAt place: StateAddress) {
    self.init(
      slot: -1, record: place, running: place, part: place, element: nil, rows: nil,
      reduce: .always { _, _ in }, reduceAll: nil)
  }
}

// MARK: What captures first

/// Copies a part of the state, before the reducers of an action run, for one of them that reads it.
struct CaptureHandler: Sendable {
  private let slot: Int
  /// Where the slot is noted while the lens runs; of an `Int`.
  private let running: StateAddress
  /// Of the state that the capture is given.
  private let part: StateAddress
  private let capture: ReducerCase.Run
  /// Releases the copy, where no reducer took it.
  let clear: @Sendable () -> Void

  /// Nil where there is nothing to copy.
  init?(
    _ reading: CaseReading, of type: any Action.Type, to slot: Int, in state: StateAddress,
    _ running: StateAddress
  ) {
    guard let capture = reading.capture else { return nil }
    (self.slot, self.running, clear) = (slot, running, reading.clear)
    part = state.advanced(by: capture.offset)
    self.capture = capture.run(for: type)
  }

  func callAsFunction(_ action: StateAddress) {
    running.edit(Int.self) { $0 = slot }
    _ = capture(part, action)
  }
}
