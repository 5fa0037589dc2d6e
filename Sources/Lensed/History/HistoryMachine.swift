/// The steps of a history and its current position, as a pure state machine.
///
/// In a history of the whole state each commit is *recorded* as a step, under the lock of the store. In a history of
/// a part the cycle of a commit that touches the part is this:
///
/// 1. Under the lock of the store it is noted as *pending*, with the value that it left.
/// 2. Without the lock, a thread asks what becomes of the oldest pending commit, and answers with `resolve`: it
///    is a step of its own, part of the step before it, or no step at all. Two threads may ask the same; the
///    first answer counts. A thread that asks is noted, and is asked nothing more until it is done: the user's
///    code that it runs may commit, and may read the history.
/// 3. A thread that travels resolves all of them first. `travel` refuses while one is pending.
///
/// The value of the current step is the present value, but for pending commits.
struct HistoryMachine<Value: Sendable>: Sendable {
  /// What becomes of a pending commit.
  enum Resolution: Sendable {
    /// It is a step of its own.
    case step
    /// It belongs to the current step.
    case group
    /// It is no step: it changes the value that redoing the current step restores.
    case amend
  }

  struct Step: Sendable {
    /// The value after the step.
    var value: Value
    var actions: [any Action]
    let cause: CommitCause
    var revision: UInt64
    let site: CallSite?
    /// Whether replaying the actions produces the same state.
    var isReplayable = false
  }

  private let limit: Int
  private var buffer = RingBuffer<Step>()
  /// The index of the current step.
  private(set) var position = 0
  /// The last commit of the current step; nil if no commit can join the step.
  private var last: Change<Value>?
  private var pending = RingBuffer<Change<Value>>()
  /// The threads that ask about pending commits.
  private var askers: Set<UInt> = []
  /// The index that the commit in progress restores, if it is an undo, a redo or a jump.
  private var destination: Int?

  init(limit: Int) {
    self.limit = limit
  }

  var steps: [Step] { (0..<buffer.count).compactMap { buffer[$0] } }
  var canRedo: Bool { position + 1 < buffer.count }

  /// Whether a thread has no pending commit to ask about: there is none, or the thread is asking.
  func isResolved(by thread: UInt) -> Bool { pending.isEmpty || askers.contains(thread) }

  /// Starts again with one value.
  ///
  /// - Returns: The machine as it was, for the caller to release without the lock.
  mutating func restart(with value: Value, at revision: UInt64) -> HistoryMachine {
    let former = self
    self = HistoryMachine(limit: limit)
    // They go on asking, and then ask about the new store's commits.
    askers = former.askers
    buffer.append(
      Step(value: value, actions: [], cause: .replacement, revision: revision, site: nil))
    return former
  }

  /// Records a commit as a step.
  ///
  /// - Returns: The discarded steps, for the caller to release without the lock.
  mutating func record(_ step: Step) -> InlineList<Step> {
    arrive() ? .none : append(step)
  }

  /// Notes a commit that touched the part.
  ///
  /// - Returns: What it discarded, for the caller to release without the lock.
  mutating func note(_ change: Change<Value>) -> Change<Value>? {
    if arrive() { return last.take() }
    pending.append(change)
    return nil
  }

  /// The oldest pending commit, with the value of the current step and the commit that it may join.
  ///
  /// Not the step itself: who holds it makes its list of actions be copied when one joins. The thread is noted as
  /// asking until nothing is pending. A thread that is noted already and does not go on asking runs the user's
  /// code, and gets nil.
  mutating func question(
    for thread: UInt, goesOn: Bool
  ) -> (change: Change<Value>, current: Value, last: Change<Value>?)? {
    guard let change = pending.first, let step = buffer[position] else {
      if goesOn { askers.remove(thread) }
      return nil
    }
    if !goesOn && !askers.insert(thread).inserted { return nil }
    return (change, step.value, last)
  }

  /// Decides about the pending commit; does nothing if that was done before, or if another store's took its place.
  ///
  /// - Returns: What it discarded, for the caller to release without the lock.
  mutating func resolve(_ change: Change<Value>, _ resolution: Resolution) -> [any Sendable] {
    // The number does not tell: the commits of each store are counted from 1.
    guard pending.first?.current === change.current else { return [] }
    _ = pending.popFirst()
    switch resolution {
    case .amend:
      return [buffer.edit(position) { exchange(&$0.value, with: change.state) }]
    case .group:
      let undone = discardUndone()
      let former = buffer.edit(position) { step in
        step.actions += change.members
        step.revision = change.revision
        return exchange(&step.value, with: change.state)
      }
      return [undone, former, exchange(&last, with: change)]
    case .step:
      let discarded = append(
        Step(
          value: change.state, actions: change.members, cause: change.cause,
          revision: change.revision, site: change.site))
      return [discarded, exchange(&last, with: change)]
    }
  }

  /// Makes the next commit restore a step, and returns the value of the step.
  mutating func travel(_ journey: HistoryJourney) -> Value? {
    let index: Int? =
      switch journey {
      case .steps(let count): position + count
      case .revision(let revision):
        (0..<buffer.count).first { buffer[$0]?.revision == revision }
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

/// A way through a history.
enum HistoryJourney: Sendable {
  case steps(Int)
  /// To the commit with a number.
  case revision(UInt64)
}
