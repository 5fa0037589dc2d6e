internal import Synchronization

/// One work: a dispatch, a sequence or an effect, with everything that it started.
///
/// Works form a tree. An effect is a child of the dispatch that triggered it, and a dispatch of the
/// effect is a child of the effect. Waiting for a work waits for its whole subtree; the `relation` of a
/// work to its parent says which cancellations of the parent reach it.
///
/// Its life cycle:
///
/// 1. Its creator attaches it to its parent, or registers it with the store as a root.
/// 2. A job waits in its `queue`, with its operation and its context, until its turn comes.
/// 3. Claims, actions and children come and go: each is a `Transition` of the machine.
/// 4. The last transition finishes it. Outside of the lock the node then releases what its state held,
///    leaves the registry, resumes its waiters and leaves its parent, which may finish in turn.
/// 5. When its own code is done and no caller holds its task, its parent adopts the children that it caused, and it ends
///    early. So an endless effect, or an endless chain of effects, needs constant memory.
///
/// Its mutable state, and the guard of each part:
///
/// - `state`: its own lock. Two such locks are held together only by `reparentChildren`, which takes the
///   parent's first. The lock of the store may be held when a lock of a state is taken, never the reverse;
///   so may the one that `whileRevoking` holds, and those of a queue, of the `RunRecorders` and of a `RunTrace`.
/// - `permission`: an atomic, written under the lock of `state`, and read without it.
/// - `trace`: set once, before the work begins.
@usableFromInline
final class WorkNode: Sendable {
  typealias Machine = WorkMachine<WorkNode, Waiter<WorkOutcome>>

  /// The task that runs the work's code.
  ///
  /// Its failure is `any Error`, though nothing is thrown: a closure that cannot throw is wrapped once more, on the heap.
  typealias Running = Task<Void, any Error>

  /// Everything that the lock of a node guards.
  struct State: ~Copyable, Sendable {
    var machine: Machine
    /// The parent, until the work has finished; if it ended early, the adopter of its children.
    var parent: WorkNode?
    var task: Running?
    /// Released when its turn comes: what it captures may lead back to this work.
    var operation: (any Operation)?
    /// The context of the dispatch, if the work begins on another thread or later.
    var context: DispatchContext?
    /// Where the store has registered the work, until it has finished.
    var registryIndex: Int?
    /// Whether the store counts the work instead.
    var isCounted = false
    /// How many parts of its code sleep on a clock that a test controls.
    var sleeperCount = 0
    /// Whether its code is to pause no longer.
    var isPauseOver = false
    /// Whether it was revoked by a caller that could not stop it.
    var isStopDue = false
    /// What has ended its run.
    var ender = RunEnder.ordinary
    /// The works that its code awaits as a whole: they end with its run.
    var awaited: [WorkNode] = []
    /// The first error that an effect in the tree threw and did not catch.
    var effectError: (any Error)?
    /// Tells how its run ended, once it has.
    var ending: RunEnding?
    /// Why its run ends: the first reason stands.
    var end: EffectEnd?
    /// What is recorded of its run, if it is a job and a recorder asks for runs.
    var trace: RunTrace?
  }

  let label: WorkLabel
  let relation: WorkRelation
  /// The number of the commit that set it off; zero where none did.
  let cause: UInt64
  /// The store in which its commits are made.
  let store: any WorkStore
  /// The queue in which it waits for its turn, if it is a job.
  let queue: (any WorkQueue)?
  /// The action that set it off, where it is the job of an effect.
  let origin: CommitPlace
  /// How many effects have set each other off up to this work.
  let rounds: UInt32
  /// How many runs in a row were ended before their code had returned, each by what the end of the one before led to.
  let endings: UInt32
  let state: Locked<State>
  let permission = Atomic(CommitPermission.granted)
  let isTraced = Atomic(false)

  /// The work whose code is running.
  @TaskLocal static var current: WorkNode?

  /// Creates a work, to be attached to `parent`.
  ///
  /// Without `isApplied`, a `markApplied` follows; with `hasClaim`, an `endClaim`; with `hasHandle`, a `releaseHandle`.
  /// With `isCounted`, it is a root that only its queue knows; with `origin`, the job of an effect. What the commit `cause`
  /// has not set off, the same has that set off its parent.
  init(
    _ label: WorkLabel, in store: any WorkStore, under parent: WorkNode? = nil,
    relation: WorkRelation = .caused, queue: (any WorkQueue)? = nil, isApplied: Bool = true,
    hasClaim: Bool = false, hasHandle: Bool = false, registryIndex: Int? = nil,
    isCounted: Bool = false, setOffBy cause: UInt64? = nil, origin: CommitPlace? = nil,
    ending: RunEnding? = nil, endings: UInt32? = nil, operation: (any Operation)? = nil
  ) {
    self.origin = origin ?? .start
    // A job that comes of a wait for a lull is of the same trigger, and no round of its own.
    let isRound = origin != nil && origin != parent?.origin
    rounds = (parent?.rounds ?? 0) &+ (isRound ? 1 : 0)
    self.endings = endings ?? parent?.endings ?? 0
    self.label = label
    self.store = store
    self.relation = relation
    self.cause = cause ?? origin?.revision ?? parent?.cause ?? 0
    self.queue = queue
    state = Locked(
      State(
        machine: Machine(
          isApplied: isApplied, hasClaim: hasClaim, hasHandle: hasHandle, isUntold: ending != nil),
        parent: parent, operation: operation, registryIndex: registryIndex, isCounted: isCounted,
        ending: ending))
  }

  /// Its name in messages: a dispatch that is its own job goes by the name of its queue.
  var waitLabel: WorkLabel {
    if case .dispatch = label { queue?.label ?? label } else { label }
  }

  var isFinished: Bool { state.withLock { $0.machine.isFinished } }
  var children: [WorkNode] { state.withLock { $0.machine.children } }

  /// Whether the work itself was stopped; a cancellation of an ancestor is not looked up.
  var isStopped: Bool { permission.load(ordering: .acquiring) == .revoked }

  func endWait(_ id: UInt64, with outcome: WorkOutcome) {
    state.withLock { $0.machine.endWait(id) }?.resume(returning: outcome)
  }
}

/// Whether the commits of a work may begin; a commit reads it under the lock of the store.
enum CommitPermission: UInt8, AtomicRepresentable {
  case granted
  /// The work was stopped.
  case revoked
  /// The work has ended and its parent adopted its children: the parent's permission decides.
  case inherited
}

/// A queue in which jobs wait for their turn.
protocol WorkQueue: AnyObject, Sendable {
  /// The label of its jobs, if they share one.
  var label: WorkLabel? { get }

  /// The works that keep `work` from its turn: the end of any one of them lets it begin. Empty when it does
  /// not wait.
  func blockers(of work: WorkNode) -> [WorkNode]

  /// Notes that a work may commit no more, before its task is cancelled or it is withdrawn; called while no other
  /// thread revokes works.
  func noteStopped(_ work: WorkNode)

  /// Removes a waiting work from the queue; does nothing if it does not wait.
  func withdraw(_ work: WorkNode)

  /// Removes a work whose code has returned, because nothing is left that its run owns.
  func remove(_ work: WorkNode)

  /// The works that have to end before `work` does, beside its children.
  func parts(of work: WorkNode) -> [WorkNode]
  /// Whether there can be any of those.
  var hasParts: Bool { get }
}

extension WorkQueue {
  var hasParts: Bool { false }
  func parts(of work: WorkNode) -> [WorkNode] { [] }
  func remove(_ work: WorkNode) {}
  func noteStopped(_ work: WorkNode) {}
}

/// The operation of a job, kept until its turn comes; one of up to three words is stored without an allocation.
protocol Operation: Sendable {
  /// Starts the task of `work`, whose turn has come.
  consuming func start(as work: WorkNode)
}

// MARK: Transitions

// A transition is one step of a machine, with its consequences:
//
// 1. Under the lock, `State.perform` takes the step, and moves out what a finished state releases.
// 2. Without the lock, `complete` leaves the registry, resumes the waiters and reparents the children.
// 3. A finished work leaves its parent: that is a transition of the parent, in a loop up the tree.

extension WorkNode {
  func addClaim() {
    state.withLock { $0.machine.addClaim() }
  }

  /// Ends a claim; returns whether the work goes on, and has neither a parent nor a place in the registry.
  @discardableResult
  func endClaim() -> Bool {
    complete(state.withLock { $0.perform { $0.endClaim() } })
  }

  /// Ends the claim of a job whose code has returned: the step alone, under the lock of its queue.
  func beginEnd() -> Transition {
    state.withLock { $0.perform { $0.endClaim() } }
  }

  /// Notes that the work's own actions were applied, or failed.
  func markApplied(failure: (any Error)? = nil) {
    var unseen: (any Error)?
    let transition = state.withLock { state in
      let transition = state.perform { $0.markApplied(failure) }
      unseen = state.machine.takeUnseenError()
      return transition
    }
    // While the work is under way still: `settled()` returns when its error was reported.
    if let unseen, !store.isClosed { store.report(unseen, of: self) }
    _ = complete(transition)
  }

  /// Notes that the last handle has gone.
  ///
  /// A reducer may have released it, of this store or of another one: so the user's code is not called here.
  func releaseHandle() {
    let unseen = state.withLock { state in
      state.machine.hasHandle = false
      return state.machine.takeUnseenError()
    }
    if unseen == nil && !store.isEntered { return reparentChildren() }
    let isOpen = !store.isClosed
    store.callLater {
      // Also of a store that has gone since.
      if let unseen, isOpen { self.store.report(unseen, of: self) }
      self.reparentChildren()
    }
  }

  /// Completes a transition, and those that it leads to further up; returns the same.
  func complete(_ transition: consuming Transition) -> Bool {
    complete(&transition)
    guard let parent = transition.parent.take() else {
      if transition.isFinished { store.workChanged() }
      return transition.isDetached
    }
    var (child, above) = (self, parent)
    while let (adopter, next) = child.detach(from: above) {
      guard let next else { break }
      (child, above) = (adopter, next)
    }
    // Last, so that a thread that looks at the tree finds the work gone from it.
    store.workChanged()
    return false
  }

  /// Detaches the work from its effective parent, from `parent` up, and completes the transition of that; returns it,
  /// and its own parent if it has finished, or nil if there is none.
  private func detach(from parent: WorkNode) -> (adopter: WorkNode, next: WorkNode?)? {
    var work = parent
    while true {
      var next: WorkNode?
      let transition = work.state.withLock { state -> Transition? in
        if state.machine.hasReparented {
          next = state.parent
          return nil
        }
        return state.perform { $0.remove(self) }
      }
      if var transition {
        work.complete(&transition)
        return (work, transition.parent.take())
      }
      guard let next else { return nil }
      work = next
    }
  }

  /// Does what a transition left to be done without the lock.
  private func complete(_ transition: inout Transition) {
    // First, so that a waiter for the end of the work finds its queue without it.
    if transition.endsOwned { queue?.remove(self) }
    // Then this, so that a resumed waiter does not contend with this thread for the lock of the store.
    if let index = transition.registryIndex.take() { store.unregisterWork(at: index) }
    if transition.isCounted { store.uncountWork() }
    let outcome = transition.outcome
    transition.woken.forEach { $0.resume(returning: outcome) }
    if transition.mayReparent { reparentChildren() }
  }
}

extension WorkNode {
  /// What a step left to be done, and what a finished state has released: the references in it go when it does, outside
  /// of the lock, since their release may run other code.
  struct Transition: ~Copyable, Sendable {
    fileprivate let woken: InlineList<Waiter<WorkOutcome>>
    /// The outcome for the woken waiters.
    fileprivate let outcome: WorkOutcome
    /// Whether its code has returned, and its run goes on in works that it owns.
    fileprivate(set) var leavesOwned = false
    /// Whether it is yet to be told how its run ended.
    fileprivate(set) var isUntold = false
    /// Whether the last of these has ended.
    fileprivate var endsOwned = false
    /// Whether only children may be left.
    fileprivate var mayReparent = false
    /// Whether the work goes on, and has neither a parent nor a place in the registry.
    fileprivate var isDetached = false
    fileprivate var parent: WorkNode?
    fileprivate var task: Running?
    fileprivate var operation: (any Operation)?
    fileprivate var context: DispatchContext?
    fileprivate var registryIndex: Int?
    fileprivate var isCounted = false
    fileprivate var isFinished = false
  }
}

extension WorkNode.State {
  /// Notes why the run ends, unless that was noted before; returns why it does.
  @discardableResult
  mutating func note(_ reason: EffectEnd) -> EffectEnd {
    if let end { return end }
    end = reason
    return reason
  }

  /// Notes that it was told how the run ended.
  mutating func markTold() -> WorkNode.Transition { perform { $0.markTold() } }

  /// Takes a step.
  fileprivate mutating func perform(
    _ step: (inout WorkNode.Machine) -> WorkNode.Machine.Transition
  ) -> WorkNode.Transition {
    let result = step(&machine)
    var transition = WorkNode.Transition(woken: result.woken, outcome: machine.outcome)
    transition.leavesOwned = result.leavesOwned
    transition.endsOwned = result.endsOwned
    transition.isUntold = machine.isUntold
    if result.isFinished {
      transition.parent = parent.take()
      transition.task = task.take()
      transition.operation = operation.take()
      transition.context = context.take()
      transition.registryIndex = registryIndex.take()
      transition.isCounted = exchange(&isCounted, with: false)
      transition.isFinished = true
    } else {
      transition.mayReparent = parent != nil && machine.onlyChildrenLeft
      transition.isDetached = parent == nil && registryIndex == nil
    }
    return transition
  }
}

// MARK: Jobs

// What a work keeps until its code begins, and the task that runs it.
//
// Each of them may lead back to the work, and so to its store: the task-local values of a dispatch hold the work that
// dispatched. So a work that has ended keeps none of them, and takes none.

extension WorkNode {
  /// Keeps the operation until the work's turn comes.
  func setOperation(_ operation: any Operation) {
    state.withLock { if !$0.machine.hasEnded { $0.operation = operation } }
  }

  /// Removes the operation: the work's turn has come.
  func takeOperation() -> (any Operation)? {
    state.withLock { $0.operation.take() }
  }

  /// Whether the running code belongs to a work of another store.
  ///
  /// A task inherits the work that runs. This task may outlive the other store, and would keep it: it starts where no
  /// work runs.
  var isSetOffElsewhere: Bool {
    if let caller = WorkNode.current { caller.store !== store } else { false }
  }

  /// Notes the task that runs the work's code; cancels it if the work was cancelled already.
  func setTask(_ task: Running) {
    let isLate = state.withLock { state in
      if !state.machine.hasEnded { state.task = task }
      return state.machine.isCancelled || state.isPauseOver
    }
    if isLate { task.cancel() }
  }

  /// The context in which the work's code is to start, if it starts on another thread or later.
  var context: DispatchContext? { state.withLock { $0.context } }

  func setContext(_ context: DispatchContext) {
    state.withLock { if !$0.machine.hasEnded { $0.context = context } }
  }

  /// Keeps the caller's context, if the work has none yet.
  func captureContext() {
    if state.withLock({ $0.context != nil || $0.machine.hasEnded }) { return }
    let context = makeContext()
    state.withLock { if $0.context == nil && !$0.machine.hasEnded { $0.context = context } }
  }

  /// The context of the caller, but for the work that runs: a work may hold the context, and would hold itself by it.
  func makeContext() -> DispatchContext {
    WorkNode.$current.withValue(nil) {
      CancellationPass.$current.withValue(nil) { DispatchContext(on: store.taskExecutor) }
    }
  }

  /// Releases all of it; called without a lock, since the release may run other code.
  func releaseCode() {
    let code = state.withLock { ($0.task.take(), $0.context.take(), $0.operation.take()) }
    _ = code
  }

  /// Notes where the store has registered the work, which unregisters itself when it finishes.
  ///
  /// - Returns: Whether it did, and whether the store counted the work until now; not, if the work has finished, has a
  ///   parent, or is registered already.
  func setRegistryIndex(_ index: Int) -> (isSet: Bool, wasCounted: Bool) {
    state.withLock { state in
      if state.machine.isFinished || state.parent != nil || state.registryIndex != nil {
        return (false, false)
      }
      state.registryIndex = index
      return (true, exchange(&state.isCounted, with: false))
    }
  }

  /// Whether the store counts the work, because only its queue knows it.
  var isCounted: Bool { state.withLock { $0.isCounted } }

  /// Lets the work's code pause no longer, which waits for a lull: cancels its task, and not the work.
  func endPause() {
    let task = state.withLock { state -> Running? in
      if state.machine.isFinished || state.machine.isCancelled { return nil }
      state.isPauseOver = true
      return state.task
    }
    task?.cancel()
  }

  /// Whether the work's code is to pause no longer.
  var isPauseOver: Bool { state.withLock { $0.isPauseOver } }
}

// MARK: Reparenting

extension WorkNode {
  /// Reparents the children to the effective parent, once nothing else is left of the work; the parent may do so in
  /// turn, if the work was the last that its run owned.
  func reparentChildren() {
    var next: WorkNode? = self
    while let work = next { next = work.reparentOwnChildren() }
  }

  /// Reparents the children of this work alone.
  ///
  /// The locks of both states are held at once, so that the children are in the tree at all times. The
  /// parent's lock is always taken first, so that no cycle of locks can form.
  ///
  /// If a thread has revoked the parent and is yet to come to this work, it has its way first. Else it would
  /// find this work without the children, and the parent was behind it.
  ///
  /// - Returns: The parent, if that ended its run.
  private func reparentOwnChildren() -> WorkNode? {
    var hasWaited = false
    while let parent = state.withLock({ $0.machine.onlyChildrenLeft ? $0.parent : nil }) {
      let step = parent.state.withLock { upper in
        state.withLock { own -> Step in
          guard own.parent === parent, own.machine.onlyChildrenLeft else { return .changed }
          if upper.machine.hasReparented {
            own.parent = upper.parent
            return .changed
          }
          if !hasWaited, upper.machine.isYetToCancel(self, own.machine.cancellation) {
            return .revoking
          }
          let links = own.machine.detachChildren()
          if !isStopped { permission.store(.inherited, ordering: .releasing) }
          let (reached, woken, endsOwned) = upper.machine.adopt(links, of: self)
          return .done(
            links.map(\.child), reached: reached, by: upper.machine.cancellation, woken: woken,
            endsOwned: endsOwned)
        }
      }
      switch step {
      case .changed: continue
      case .revoking:
        hasWaited = true
        store.whileRevoking {}
      case .done(let children, let reached, let cancellation, let woken, let endsOwned):
        releaseCode()
        if endsOwned { parent.queue?.remove(parent) }
        for child in children {
          child.state.withLock { if $0.parent === self { $0.parent = parent } }
        }
        woken.forEach { $0.resume(returning: .cancelled) }
        CancellationPass.run(reached, cancellation)
        store.workChanged()
        return endsOwned ? parent : nil
      }
    }
    return nil
  }

  private enum Step: Sendable {
    /// The parent, or the children, are others now.
    case changed
    /// A thread has revoked the parent, and is yet to come to this work.
    case revoking
    /// The parent has adopted these children. Left to do without the locks: to cancel those that its cancellation
    /// reaches, to end the waits that are over because of that, and its run, if this work was the last that it owned.
    case done(
      [WorkNode], reached: [WorkNode], by: Cancellation, woken: InlineList<Waiter<WorkOutcome>>,
      endsOwned: Bool)
  }
}

// MARK: The context of a dispatch

/// The task-local values and the priority of a dispatch, for work that starts on another thread or later.
///
/// Only a task can hold them. So this is a task that was created in the dispatch, and runs what it is given.
/// Two kinds of work need one: commits that another thread delivers, and jobs that wait for their turn.
final class DispatchContext: Sendable {
  private let starts: AsyncStream<@Sendable () -> Void>.Continuation

  /// Captures the context of the caller.
  init(on executor: (any TaskExecutor)?) {
    let (stream, starts) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    self.starts = starts
    _ = Task<Void, any Error>.start(on: executor) { for await start in stream { start() } }
  }

  deinit {
    starts.finish()
  }

  /// Runs `start` in the context, soon; tasks that it creates inherit the values and the priority.
  func run(_ start: @escaping @Sendable () -> Void) {
    starts.yield(start)
  }
}
