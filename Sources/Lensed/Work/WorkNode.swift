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
/// 5. If only children are left that its run does not own, and no handle exists, the node reparents its
///    children and ends early. So an endless effect, or an endless chain of effects, needs constant memory.
///
/// Its mutable state, and the guard of each part:
///
/// - `state`: its own lock. Two such locks are held together only by `reparentChildren`, which takes the
///   parent's first. The lock of the store may be held when a lock of a state is taken, never the reverse;
///   so may the one that `whileRevoking` holds.
/// - `permission`: an atomic, written under the lock of `state`, and read without it.
@usableFromInline
final class WorkNode: Sendable {
  typealias Machine = WorkMachine<WorkNode, Waiter<WorkOutcome>>

  /// The task that runs the work's code.
  ///
  /// The code throws nothing. The failure type is `any Error` because a closure that cannot throw is
  /// wrapped once more, which takes an allocation.
  typealias Running = Task<Void, any Error>

  /// Everything that the lock of a node guards.
  struct State: ~Copyable, Sendable {
    var machine: Machine
    /// The parent, until the work has finished; if it ended early, the adopter of its children.
    var parent: WorkNode?
    var task: Running?
    /// Released when its turn comes: what it captures may lead back to this work.
    var operation: Operation?
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
    /// The works that its code awaits as a whole: they end with its run.
    var awaited: [WorkNode] = []
    /// The first error that an effect in the tree threw and did not catch.
    var effectError: (any Error)?
    /// Tells how its run ended, once it has.
    var ending: RunEnding?
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
    ending: RunEnding? = nil, endings: UInt32? = nil, operation: consuming Operation? = nil
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

  /// Its name in the report of a deadlock.
  ///
  /// A dispatch that is its own job goes by the name of its queue.
  var waitLabel: WorkLabel {
    if case .dispatch = label { queue?.label ?? label } else { label }
  }

  var isFinished: Bool { state.withLock { $0.machine.isFinished } }
  var children: [WorkNode] { state.withLock { $0.machine.children } }

  /// Whether the work itself was stopped; a cancellation of an ancestor is not looked up.
  var isStopped: Bool { permission.load(ordering: .acquiring) == .revoked }

  /// Whether the action that set it off came before a place.
  func isSetOff(before place: CommitPlace) -> Bool { origin < place }

  /// Ends one wait early.
  func endWait(_ id: UInt64, with outcome: WorkOutcome) {
    state.withLock { $0.machine.endWait(id) }?.resume(returning: outcome)
  }
}

/// Whether the commits of a work may begin.
///
/// A commit reads it under the lock of the store.
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
}

/// The operation of a job, kept until its turn comes.
enum Operation: ~Copyable, Sendable {
  /// Code for a task that the queue creates.
  case body(@Sendable (_ work: WorkNode) async -> Void)
  /// A value that creates the task itself. One of up to three words is stored without an allocation.
  case deferred(any DeferredJob)
}

/// A job that waits for its turn.
protocol DeferredJob: Sendable {
  /// Starts the task of `work`, whose turn has come.
  consuming func start(as work: WorkNode)
}
