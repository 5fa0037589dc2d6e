internal import Synchronization

/// What a dispatch has under way: its own actions, and all that they started.
///
/// Works make a tree. An effect is a child of the dispatch that triggered it, and what the effect
/// dispatches is its child in turn; so waiting for a dispatch waits for all of it. What cancelling
/// reaches is another matter: each work has a `relation` to its parent that says it. A child that ends
/// leaves its parent, and one of which only its own children are left hands these over, so that an
/// endless effect, or an endless chain of them, costs the same for ever.
@usableFromInline
final class WorkNode: Sendable {
  typealias Machine = WorkMachine<WorkNode, Waiter<WaitVerdict>>

  /// How a wait came to its end.
  enum WaitVerdict: Sendable {
    case over(WorkOutcome)
    case deadlocked
  }

  /// What it does when its turn comes.
  typealias Body = @Sendable (_ work: WorkNode) async -> Void

  /// What it is to do, as it is kept until its turn comes.
  enum Errand: ~Copyable, Sendable {
    case body(Body)
    /// An order to somebody who takes many of the kind; it needs no memory of its own.
    case order(WorkOrder)
  }

  /// The task that does what it has to do.
  ///
  /// It throws nothing; but the code of a task that could not throw is wrapped once more, in memory of its
  /// own.
  typealias Running = Task<Void, any Error>

  /// The machine, and the task that runs.
  struct NodeState: ~Copyable, Sendable {
    var machine: Machine
    /// What it is part of, until it has ended; what it handed its children to, then.
    var parent: WorkNode?
    var task: Running?
    /// Kept until its turn comes, and no longer: what it captures may lead back to this work.
    var errand: Errand?
    /// Where it was dispatched, if it begins elsewhere.
    var context: DispatchContext?
    /// Where the store notes it until it has ended.
    var seat: Int?

    /// Takes a step, and gives what is then to be done without the lock.
    mutating func settle(_ step: (inout Machine) -> Machine.Ending) -> Departure {
      let ending = step(&machine)
      var departure = Departure(
        woken: ending.woken, outcome: machine.outcome, isFinished: ending.isFinished)
      if ending.isFinished {
        departure.parent = parent.take()
        departure.task = task.take()
        departure.errand = errand.take()
        departure.context = context.take()
        departure.seat = seat.take()
      } else {
        departure.isSpent = parent != nil && machine.isSpent
        departure.isAlone = parent == nil && seat == nil
      }
      return departure
    }
  }

  /// What a step leaves to be done, and what it leaves behind.
  struct Departure: ~Copyable, Sendable {
    let woken: InlineList<Waiter<WaitVerdict>>
    /// What the woken are told.
    let outcome: WorkOutcome
    let isFinished: Bool
    /// Whether it may have to hand its children over.
    var isSpent = false
    /// Whether it goes on, and neither a parent nor the store knows of it.
    var isAlone = false
    var parent: WorkNode?
    var task: Running?
    var errand: Errand?
    var context: DispatchContext?
    var seat: Int?
  }

  let label: Label
  let relation: WorkRelation
  /// The store that its commits are made in.
  let store: any WorkStore
  /// Where it waits for its turn, if it is one of several that do.
  let line: (any WorkQueue)?
  let state: Locked<NodeState>
  /// Written under the lock of the state, read without.
  let standing = Atomic(WorkStanding.goesOn)

  typealias Label = WorkLabel

  /// What its code is called when it waits; a dispatch that is its own job is known by its line then.
  var role: Label {
    if case .dispatch = label { line?.label ?? label } else { label }
  }

  /// The work whose code is running.
  @TaskLocal static var current: WorkNode?

  /// Work that is started by `parent`.
  ///
  /// `isApplied` says that it has no actions of its own that are yet to come, `isBegun` that an `end`
  /// follows, `isWatched` that an `unwatch` does.
  init(
    _ label: Label, in store: any WorkStore, under parent: WorkNode? = nil,
    relation: WorkRelation = .caused, line: (any WorkQueue)? = nil, isApplied: Bool = true,
    isBegun: Bool = false, isWatched: Bool = false, seat: Int? = nil,
    errand: consuming Errand? = nil
  ) {
    self.label = label
    self.store = store
    self.relation = relation
    self.line = line
    state = Locked(
      NodeState(
        machine: Machine(isApplied: isApplied, isBegun: isBegun, isWatched: isWatched),
        parent: parent, errand: errand, seat: seat))
  }

  /// Joins the parent, which then waits for its end; to be called before anything is under way.
  ///
  /// What was cancelled cancels it. It is refused where there is no parent, or all of that has ended.
  @discardableResult
  func join() -> Machine.Adoption {
    join(under: state.withLock { $0.parent })
  }

  /// The same, by whoever has just made it and knows its parent.
  @discardableResult
  func join(under parent: WorkNode?) -> Machine.Adoption {
    let adoption =
      WorkNode.withHeir(parent, relation) { $0.adopt(self, as: $1) } ?? .refused
    switch adoption {
    case .joined: break
    case .cancelled: cancel()
    case .ended: WorkNode.end([self])
    case .refused: state.withLock { $0.parent = nil }
    }
    return adoption
  }

  /// Keeps what it is to do until its turn comes.
  func keep(_ errand: consuming Errand) {
    var errand: Errand? = consume errand
    state.withLock { $0.errand = errand.take() }
  }

  /// What it is to do, now that its turn has come.
  func takeErrand() -> Errand? {
    state.withLock { $0.errand.take() }
  }

  /// Whether it was stopped itself; what its parent knows is not asked.
  var isStopped: Bool { standing.load(ordering: .acquiring) == .stopped }

  /// Whether a commit of it may begin.
  ///
  /// Asked under the lock of the store, it holds until that is released: whoever stops the work stops it
  /// first, and then takes that lock before it says so. For what has not ended it is one load.
  @usableFromInline
  var mayCommit: Bool {
    switch standing.load(ordering: .acquiring) {
    case .goesOn: true
    case .stopped: false
    case .handedOver: !isCancelledAbove
    }
  }

  /// Whether it was cancelled, whatever did it.
  var isCancelled: Bool { !mayCommit }

  private var isCancelledAbove: Bool {
    WorkNode.withHeir(state.withLock { $0.parent }, relation) { $0.fate.reaches($1) } ?? false
  }

  /// Whether it was cancelled by whoever may wait for it.
  var isCalledOff: Bool {
    let isOwn = state.withLock { $0.machine.hasHandedOver ? nil : $0.machine.isCalledOff }
    return isOwn
      ?? WorkNode.withHeir(state.withLock { $0.parent }, relation) {
        $0.isCalledOff && $0.fate.reaches($1)
      }
      ?? false
  }

  var isFinished: Bool { state.withLock { $0.machine.isFinished } }
  var children: [WorkNode] { state.withLock { $0.machine.children } }

  /// Has the store forget the seat when all of it has ended.
  ///
  /// - Returns: Whether it has the seat; not, if it has ended, or has a parent or another seat.
  func take(seat: Int) -> Bool {
    state.withLock { state in
      if state.machine.isFinished || state.parent != nil || state.seat != nil { return false }
      state.seat = seat
      return true
    }
  }

  /// Says which task runs; it is cancelled at once, if the work was cancelled already.
  func setTask(_ task: Running) {
    let isLate = state.withLock { state in
      if !state.machine.isFinished { state.task = task }
      return state.machine.isCancelled
    }
    if isLate { task.cancel() }
  }

  /// Something has begun; a matching `end` follows.
  func begin() {
    state.withLock { $0.machine.begin() }
  }

  /// Something that had begun has ended.
  ///
  /// - Returns: Whether it goes on, and neither a parent nor the store knows of it.
  @discardableResult
  func end() -> Bool {
    settle { $0.end() }
  }

  /// Its own actions have all been applied, or will not be.
  func apply(failure: (any Error)? = nil) {
    settle { $0.apply(failure) }
    reportUnseenFailure()
  }

  /// Nobody outside of the tree can ask for it any more.
  func unwatch() {
    state.withLock { $0.machine.unwatch() }
    reportUnseenFailure()
    handOver()
  }

  /// Tells the store of an error that nobody waited for, and that nobody can wait for any more.
  private func reportUnseenFailure() {
    if let error = state.withLock({ $0.machine.takeUnseenFailure() }) {
      store.report(error, of: label)
    }
  }

  @discardableResult
  private func settle(_ step: (inout Machine) -> Machine.Ending) -> Bool {
    var departure = state.withLock { $0.settle(step) }
    depart(&departure)
    guard let parent = departure.parent.take() else { return departure.isAlone }
    var (work, above) = (self, parent)
    while let release = work.leave(above) {
      work = release.heir
      departure = release.departed()
      work.depart(&departure)
      guard let next = departure.parent.take() else { break }
      above = next
    }
    return false
  }
}

extension WorkNode {
  /// Does what a step left to be done.
  private func depart(_ departure: inout Departure) {
    // First, so that whoever goes on does not meet this thread at the store's lock.
    if let seat = departure.seat.take() { store.forget(seat) }
    let outcome = departure.outcome
    departure.woken.forEach { $0.resume(returning: .over(outcome)) }
    if departure.isSpent { handOver() }
  }

  /// Does something to the nearest work, from `parent` up, that has not handed its children over.
  ///
  /// `body` is given how close a child of `parent` is to it.
  private static func withHeir<Result: Sendable>(
    _ parent: WorkNode?, _ relation: WorkRelation,
    _ body: (inout Machine, _ relation: WorkRelation) -> Result
  ) -> Result? {
    var (candidate, relation) = (parent, relation)
    while let work = candidate {
      let (result, next) = work.state.withLock { state -> (Result?, WorkNode?) in
        state.machine.hasHandedOver ? (nil, state.parent) : (body(&state.machine, relation), nil)
      }
      if let result { return result }
      (candidate, relation) = (next, min(relation, work.relation))
    }
    return nil
  }

  /// Leaves the nearest work, from `parent` up, that has not handed its children over.
  private func leave(_ parent: WorkNode) -> Release? {
    var work = parent
    while true {
      var next: WorkNode?
      let departure = work.state.withLock { state -> Departure? in
        if state.machine.hasHandedOver {
          next = state.parent
          return nil
        }
        return state.settle { $0.release(self) }
      }
      if let departure { return Release(heir: work, departure: departure) }
      guard let next else { return nil }
      work = next
    }
  }

  /// What a child has left, and what that leads to.
  private struct Release: ~Copyable {
    let heir: WorkNode
    let departure: Departure

    consuming func departed() -> Departure { departure }
  }

  /// Hands its children over to its parent, once nothing else is left of it.
  ///
  /// Both locks are held at once, so that the children are never out of the tree; always the parent's
  /// first, so that no circle of locks can close.
  private func handOver() {
    while let parent = state.withLock({ $0.machine.isSpent ? $0.parent : nil }) {
      let step = parent.state.withLock { upper in
        state.withLock { own -> Inheritance? in
          guard own.parent === parent, own.machine.isSpent else { return nil }
          if upper.machine.hasHandedOver {
            own.parent = upper.parent
            return nil
          }
          let heirs = own.machine.handOver()
          if !isStopped { standing.store(.handedOver, ordering: .releasing) }
          let (reached, woken) = upper.machine.adopt(heirs, of: self)
          return Inheritance(
            heirs: heirs.map(\.child), reached: reached, woken: woken, fate: upper.machine.fate)
        }
      }
      guard let step else { continue }
      for heir in step.heirs {
        heir.state.withLock { if $0.parent === self { $0.parent = parent } }
      }
      step.woken.forEach { $0.resume(returning: .over(.cancelled)) }
      if step.fate.isAbandoned {
        for heir in step.reached { heir.abandon() }
      } else if step.fate.cancelled == .tree {
        for heir in step.reached { heir.cancel() }
      } else {
        WorkNode.end(step.reached)
      }
      return
    }
  }

  /// What a parent has taken on.
  private struct Inheritance: Sendable {
    let heirs: [WorkNode]
    /// Those that a cancellation of the parent reaches.
    let reached: [WorkNode]
    /// Those who waited for what a cancellation reaches.
    let woken: InlineList<Waiter<WaitVerdict>>
    let fate: Machine.Fate
  }
}

/// Where work waits for its turn.
protocol WorkQueue: AnyObject, Sendable {
  /// What those in it are, if they are all the same.
  var label: WorkNode.Label? { get }

  /// Those that have to end before `work` can begin; any one of them will do. Empty when it has begun.
  func blockers(of work: WorkNode) -> [WorkNode]

  /// Takes work out of the line; does nothing when it is not waiting.
  func withdraw(_ work: WorkNode)
}

/// What one work is to do, for somebody who does much of the kind.
struct WorkOrder: ~Copyable, Sendable {
  let taker: any JobStarter
  /// The commit that it belongs to.
  let report: any CommitReport
  /// What it is about, where that is not the action of the whole commit.
  let matter: (any AnyObject & Sendable)?
}

/// Who does much work of one kind, and starts one job at most for each action.
protocol JobStarter: AnyObject, Sendable {
  /// Where the jobs line up.
  var line: any WorkQueue { get }

  /// Makes the work of a dispatch a job, because nothing else is started by it; or ends it, if nothing is.
  func take(_ work: WorkNode, for report: consuming any CommitReport)

  /// Starts a job whose turn has come, to do what an order says.
  func begin(_ job: WorkNode, _ order: consuming WorkOrder)
}
