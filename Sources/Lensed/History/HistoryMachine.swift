/// The steps of a history and its current position, as a pure state machine.
///
/// The cycle of a commit that touches the part:
///
/// 1. Under the lock of the store it is noted as *pending*, with the value that it left. If no user's code is needed to
///    decide what becomes of it, that is decided at once.
/// 2. Without the lock, a thread asks for the oldest pending commit, and answers with `resolve`: it is a step of its
///    own, part of the step before it, or no step. Two threads may ask the same; the first answer counts. A thread that
///    asks is noted, and asked nothing more until it is done: the user's code that it runs may commit, and read the
///    history.
/// 3. A thread that travels resolves all of them first. `travel` refuses while one is pending.
///
/// What a verb returns as discarded is for the caller to release without the lock. The value of the current step is the
/// present one, but for pending commits. Values lie in boxes whose type the holder knows: a machine for each type of
/// value would look that type up at each of its steps.
struct HistoryMachine: Sendable {
  enum Resolution: Sendable {
    case step
    /// It belongs to the current step, and the next commit may join both.
    case group
    /// An observer has dispatched it in the delivery of a commit of a step: it belongs to the current step.
    case reaction
    /// It is no step: it changes the value that redoing the current step restores.
    case amend
  }

  struct Step: Sendable {
    var value: ValueBox
    var actions: InlineList<any Action>
    /// The last commit of the step, and those before it, in order; of the first step no commit.
    var revision: UInt64
    var earlier: [UInt64] = []
    let causes: CommitCauses
    var isReplayable = false
    /// Whether it is the value from before all commits.
    var isFirst = false

    func has(_ commit: UInt64) -> Bool {
      if isFirst { return false }
      return commit == revision || commit < revision && earlier.reversed().contains(commit)
    }
  }

  struct Pending: Sendable {
    /// The commit, with the value that it left.
    let report: any CommitReport
    /// The commit in whose delivery an observer has dispatched it.
    var reaction: DeliveredCommit?
    var isReplayable = false
    /// Whether there was no commit, and the value of the first step is yet to be settled.
    var isFirst = false
    /// Makes the value without placeholders; nil where there were none.
    var settle: (@Sendable () -> ValueBox)?
  }

  /// What is to be released without the lock.
  struct Discarded: Sendable {
    var steps = InlineList<Step>.none
    var value: ValueBox?
    var last: (any CommitReport)?

    var isEmpty: Bool { steps.isEmpty && value == nil && last == nil }
  }

  private let limit: Int
  /// Whether the last commit of a step is asked for.
  private let isGrouping: Bool
  private var buffer = RingBuffer<Step>()
  private(set) var position = 0
  /// The last commit of the current step; nil if no commit can join the step.
  private var last: (any CommitReport)?
  private var pending = RingBuffer<Pending>()
  /// The threads that ask about pending commits.
  private var askers: Set<UInt> = []
  /// The index that the commit in progress restores, if it is an undo, a redo or a jump.
  private var destination: Int?

  init(limit: Int, isGrouping: Bool) {
    if limit < 1 {
      fatalError(
        "Lensed: a History with limit: \(limit) could undo nothing. Keep at least 1 commit.")
    }
    (self.limit, self.isGrouping) = (limit, isGrouping)
  }

  var steps: [Step] { (0..<buffer.count).compactMap { buffer[$0] } }
  var canRedo: Bool { position + 1 < buffer.count }

  /// Whether a thread has no pending commit to ask about: there is none, or the thread is asking.
  func isResolved(by thread: UInt) -> Bool { pending.isEmpty || askers.contains(thread) }

  private func hasDone(_ commit: UInt64) -> Bool {
    var index = position
    while let step = buffer[index] {
      if step.has(commit) { return true }
      // Steps that lie further back end earlier.
      if step.revision < commit || index == 0 { return false }
      index -= 1
    }
    return false
  }

  /// Starts again with one value, and returns the machine as it was.
  mutating func restart(with value: ValueBox, at revision: UInt64) -> HistoryMachine {
    let former = self
    self = HistoryMachine(limit: limit, isGrouping: isGrouping)
    // They go on asking, and then ask about the new store's commits.
    askers = former.askers
    buffer.append(Self.first(value, at: revision))
    return former
  }

  private static func first(_ value: ValueBox, at revision: UInt64) -> Step {
    Step(
      value: value, actions: .none, revision: revision, causes: .beginning(), isFirst: true)
  }

  /// Has no commit join the current step any more.
  mutating func endStep() -> (any CommitReport)? { last.take() }

  /// Forgets all steps; the current value is the one to begin with.
  mutating func forget() -> Discarded {
    var discarded = Discarded(last: last.take())
    guard let step = buffer[position] else { return discarded }
    while let step = buffer.popFirst() { discarded.steps.append(step) }
    buffer.append(Self.first(step.value, at: step.revision))
    position = 0
    return discarded
  }

  /// Records a commit that no user's code has to decide about; nil if others have to be decided first.
  mutating func record(_ step: Step, after reaction: DeliveredCommit?) -> Discarded? {
    if !pending.isEmpty { return nil }
    if arrive() { return Discarded(last: last.take()) }
    return apply(step, as: resolution(after: reaction) ?? .step)
  }

  /// Notes a commit that touched the part.
  mutating func note(_ new: Pending) -> (any CommitReport)? {
    if arrive() { return last.take() }
    pending.append(new)
    return nil
  }

  /// What becomes of a commit, as far as that follows from what set it off.
  private func resolution(after reaction: DeliveredCommit?) -> Resolution? {
    guard let reaction else { return nil }
    if reaction.kind != .ordinary { return .amend }
    return hasDone(reaction.revision) ? .reaction : nil
  }

  /// The oldest pending commit, with the value of the current step and the commit that it may join.
  ///
  /// It returns no step: holding one would copy its actions on the next append. The thread is noted as asking until
  /// nothing is pending. A noted thread that does not go on asking runs the user's code, and gets nil.
  mutating func question(
    for thread: UInt, goesOn: Bool
  ) -> (pending: Pending, known: Resolution?, current: ValueBox, last: (any CommitReport)?)? {
    guard let next = pending.first, let step = buffer[position] else {
      if goesOn { askers.remove(thread) }
      return nil
    }
    if !goesOn && !askers.insert(thread).inserted { return nil }
    let known = next.isFirst ? .amend : resolution(after: next.reaction)
    return (next, known, step.value, last)
  }

  /// Decides about the pending commit, unless that was done before, or another store's took its place.
  mutating func resolve(
    _ asked: Pending, _ resolution: Resolution, _ value: ValueBox
  ) -> Discarded {
    // The number does not tell: the commits of each store are counted from 1.
    guard pending.first?.report === asked.report else { return Discarded() }
    _ = pending.popFirst()
    let record = asked.report.record
    let step = Step(
      value: value, actions: record.actions.list, revision: record.revision,
      causes: CommitCauses(record), isReplayable: asked.isReplayable)
    var discarded = apply(step, as: resolution)
    if isGrouping && (resolution == .group || resolution == .step) {
      discarded.last = exchange(&last, with: asked.report)
    }
    return discarded
  }

  private mutating func apply(_ step: Step, as resolution: Resolution) -> Discarded {
    var discarded = Discarded()
    switch resolution {
    case .amend:
      // What was undone began with another value.
      if canRedo { buffer.edit(position + 1) { $0.isReplayable = false } }
      discarded.value = buffer.edit(position) { present in
        present.isReplayable = false
        return exchange(&present.value, with: step.value)
      }
    case .group, .reaction:
      discarded.steps = discardUndone()
      discarded.value = buffer.edit(position) { present in
        step.actions.forEach { present.actions.append($0) }
        present.isReplayable = present.isReplayable && step.isReplayable
        present.earlier.append(present.revision)
        present.revision = step.revision
        return exchange(&present.value, with: step.value)
      }
    case .step:
      discarded.steps = append(step)
    }
    return discarded
  }

  /// Makes the next commit restore a step, and returns the value of the step.
  mutating func travel(_ journey: HistoryJourney) -> ValueBox? {
    let index: Int? =
      switch journey {
      case .steps(let count): position + count
      case .revision(let revision):
        (0..<buffer.count).first { index in
          buffer[index].map { $0.revision == revision || $0.has(revision) } ?? false
        }
      }
    guard pending.isEmpty, let index, let step = buffer[index] else { return nil }
    destination = index
    return step.value
  }

  /// Moves to the step that the commit in progress restores, if it does.
  private mutating func arrive() -> Bool {
    guard let destination = destination.take() else { return false }
    position = destination
    return true
  }

  private mutating func append(_ step: Step) -> InlineList<Step> {
    var discarded = discardUndone()
    buffer.append(step)
    // The first step is the value before the oldest commit; it does not count towards the limit.
    if buffer.count - 1 > limit, let oldest = buffer.popFirst() { discarded.append(oldest) }
    position = buffer.count - 1
    return discarded
  }

  private mutating func discardUndone() -> InlineList<Step> {
    var discarded = InlineList<Step>.none
    while canRedo, let undone = buffer.popLast() { discarded.append(undone) }
    return discarded
  }
}

enum HistoryJourney: Sendable {
  case steps(Int)
  /// To the commit with a number.
  case revision(UInt64)
}
