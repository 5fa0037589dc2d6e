/// The steps of a history of a part, and its current position, as a pure state machine.
///
/// The cycle of a commit that touches the part:
///
/// 1. Under the lock of the store it is noted as *pending*, with the value that it left.
/// 2. Without the lock, a thread asks what becomes of the oldest pending commit, and answers with `resolve`: it
///    is a step of its own, part of the step before it, or no step at all. Two threads may ask the same; the
///    first answer counts.
/// 3. A thread that travels resolves all of them first. `travel` refuses while one is pending.
///
/// The value of the current step is the present value of the part, but for pending commits.
struct StepMachine<Value: Sendable>: Sendable {
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
    /// The last commit of the step; nil if no commit can join it any more.
    var last: Change<Value>?
  }

  private let limit: Int
  private(set) var steps: [Step] = []
  private(set) var position = 0
  private var pending = RingBuffer<Change<Value>>()
  /// The index that the commit in progress restores, if it is an undo, a redo or a jump.
  private var destination: Int?

  init(limit: Int) {
    self.limit = limit
  }

  var canRedo: Bool { position + 1 < steps.count }
  var isResolved: Bool { pending.isEmpty }

  /// Starts again with one step.
  ///
  /// - Returns: What it discarded, for the caller to release without the lock.
  mutating func restart(with value: Value, at revision: UInt64) -> [any Sendable] {
    let discarded: [any Sendable] = [steps, pending]
    self = StepMachine(limit: limit)
    steps = [
      Step(value: value, actions: [], cause: .replacement, revision: revision, site: nil, last: nil)
    ]
    return discarded
  }

  /// Notes a commit that touched the part.
  ///
  /// - Returns: What it discarded, for the caller to release without the lock.
  mutating func record(_ change: Change<Value>) -> Change<Value>? {
    if let destination = destination.take() {
      position = destination
      return steps[position].last.take()
    }
    pending.append(change)
    return nil
  }

  /// The oldest pending commit, with the value of the current step and the commit that it may join.
  ///
  /// Not the step itself: who holds it makes its list of actions be copied when one joins.
  var question: (change: Change<Value>, current: Value, last: Change<Value>?)? {
    guard let change = pending.first, steps.indices.contains(position) else { return nil }
    return (change, steps[position].value, steps[position].last)
  }

  /// Decides about the pending commit with a number; does nothing if that was done before.
  ///
  /// - Returns: What it discarded, for the caller to release without the lock.
  mutating func resolve(_ revision: UInt64, _ resolution: Resolution) -> [any Sendable] {
    guard let first = pending.first, first.revision == revision, let change = pending.popFirst()
    else { return [] }
    var discarded: [any Sendable] = []
    switch resolution {
    case .amend:
      discarded.append(exchange(&steps[position].value, with: change.state))
    case .group:
      discarded = discardUndone()
      discarded.append(exchange(&steps[position].value, with: change.state))
      discarded.append(exchange(&steps[position].last, with: change))
      steps[position].actions += change.members
      steps[position].revision = change.revision
    case .step:
      discarded = discardUndone()
      steps.append(
        Step(
          value: change.state, actions: change.members, cause: change.cause,
          revision: change.revision, site: change.site, last: change))
      // The first one is the value before the oldest step; it does not count towards the limit.
      if steps.count - 1 > limit { discarded.append(steps.removeFirst()) }
      position = steps.count - 1
    }
    return discarded
  }

  private mutating func discardUndone() -> [any Sendable] {
    guard canRedo else { return [] }
    defer { steps.removeSubrange((position + 1)...) }
    return Array(steps[(position + 1)...])
  }

  /// Makes the next commit restore a step, and returns the value of the step.
  mutating func travel(_ journey: HistoryJourney) -> Value? {
    let index: Int? =
      switch journey {
      case .steps(let count): position + count
      case .revision(let revision): steps.firstIndex { $0.revision == revision }
      }
    guard isResolved, let index, steps.indices.contains(index) else { return nil }
    destination = index
    return steps[index].value
  }
}
