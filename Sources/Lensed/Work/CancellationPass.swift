internal import Synchronization

/// One cancelling call, which stops works that it has revoked.
///
/// Its cycle:
///
/// 1. It revokes the works and all that the cancellation reaches below them. From here
///    on no other call that cancels them has to wait for this one.
/// 2. It stops one work after another. It works in a loop, not by recursion: a tree may be very deep, and so
///    may be a row of works of which each waits for the next.
/// 3. Cancelling a task runs the handlers of its waits at once, inside of this call. Such a handler adds
///    its work to the pass in progress on its thread.
/// 4. At the end the pass waits, once for each store, for the commit that may be under way there.
/// 5. Then it records, and tells, how the runs ended that it has stopped: see `RunTrace`, `RunEnding`.
///
/// So once a pass has returned, no commit of a work that it was given, or reached, begins, whichever pass revoked it.
/// A commit reads the permission of its work under the lock of the store, which leaves two cases:
///
/// 1. The commit took the lock before the pass did: it has ended when the pass gets the lock.
/// 2. The commit takes the lock after the pass has released it: it sees the permission that was written.
///
/// Its mutable state is the queue of the loop, under the lock of that.
enum CancellationPass {
  struct Queue: Sendable {
    /// All works that were met, held until the pass is over: a reference may be the last one.
    fileprivate var works: [RevokedWork] = []
    fileprivate var next = 0
    /// The stores whose commits are to be waited for.
    fileprivate var stores: [any WorkStore] = []

    fileprivate mutating func add(_ store: any WorkStore) {
      if !stores.contains(where: { $0 === store }) { stores.append(store) }
    }
  }

  /// The pass in progress on this thread, or the pass during which the current task was started.
  @TaskLocal static var current: ThreadLoop<Queue>?

  /// Cancels works; if `isSilent`, they give way to others, and their waiters throw nothing.
  static func run(_ works: [WorkNode], _ cancellation: Cancellation, isSilent: Bool = false) {
    if works.isEmpty { return }
    var queue = Queue()
    for work in works {
      work.revoke(cancellation, isSilent: isSilent, into: &queue.works)
      if cancellation != .abandoned { queue.add(work.store) }
    }
    // Nothing to stop: no user's code runs, so none can add works.
    if !queue.works.contains(where: \.isToBeStopped) {
      for store in queue.stores { store.awaitCommit() }
      return
    }
    let pass = ThreadLoop(consume queue)
    var (untold, traced): ([WorkNode], [WorkNode]) = ([], [])
    $current.withValue(pass) {
      while let revoked = next(in: pass) {
        if !revoked.isToBeStopped { continue }
        revoked.work.stop(revoked.cancellation)
        if revoked.work.ending != nil { untold.append(revoked.work) }
        if revoked.work.trace != nil { traced.append(revoked.work) }
      }
    }
    for store in pass.edit({ exchange(&$0.stores, with: []) }) { store.awaitCommit() }
    for work in traced { work.recordEnd() }
    WorkNode.tell(untold)
  }

  /// Adds a work to the pass in progress on this thread; returns false if there is none.
  fileprivate static func add(_ work: WorkNode) -> Bool {
    guard let current, current.isOpen else { return false }
    var revoked: [RevokedWork] = []
    work.revoke(.tree, into: &revoked)
    current.edit { queue in
      queue.works += revoked
      queue.add(work.store)
    }
    return true
  }

  /// The next work; nil at the end, when the works are released: a task that inherits the pass may keep it for long.
  private static func next(in pass: ThreadLoop<Queue>) -> RevokedWork? {
    var met: [RevokedWork] = []
    return pass.next { queue in
      if queue.next == queue.works.count {
        swap(&met, &queue.works)
        return nil
      }
      defer { queue.next += 1 }
      return queue.works[queue.next]
    }
  }
}

// MARK: Revoking

// Works are cancelled in two steps:
//
// 1. They are *revoked*: each is marked, under the lock of its state, as far as its cancellation goes, and may
//    commit no more. The store lets one thread at a time revoke works, from the first of them to the last that
//    is reached below it. No code of the user's runs meanwhile.
// 2. They are *stopped*, without a lock: their tasks are cancelled. That runs the user's handlers.
//
// So while no thread revokes works of a store, what the cancellation of a revoked work reaches below it is
// revoked too. A call that cancels what was revoked before has nothing left to do: it may return, although
// another call is yet to stop some of it. Two steps could add to the tree behind the back of the thread that
// revokes:
//
// 1. A work attaches to a revoked parent: it is cancelled before it begins anything.
// 2. A work hands its children on to its parent, which was revoked, before the thread that revokes has come to the work:
//    the work waits for that thread (`reparentChildren`).

/// A work that is to be revoked, or was.
struct RevokedWork: Sendable {
  let work: WorkNode
  let cancellation: Cancellation
  /// Whether the work gives way to another, so that its waiters throw nothing.
  var isSilent = false
  /// Whether the caller has to stop it.
  var isToBeStopped = false
}

extension WorkNode {
  /// Revokes a work, and what the cancellation reaches below it, for a caller that then stops them.
  ///
  /// Adds all works that it met to `works`, each before those below it. The caller releases them without a
  /// lock: a reference to a work may be the last one.
  func revoke(
    _ cancellation: Cancellation, isSilent: Bool = false, into works: inout [RevokedWork]
  ) {
    let root = RevokedWork(work: self, cancellation: cancellation, isSilent: isSilent)
    store.whileRevoking { Self.revoke(root, into: &works, isStopping: true) }
  }

  /// Forbids the commits of works that are to be dropped, and of what their runs own.
  ///
  /// Called under the lock of the store: no such commit begins once that lock is released. Without the lock the works
  /// are to be dropped, which stops them, and what this returns is to be released.
  static func revokeCommits(of works: [WorkNode], in store: any WorkStore) -> [RevokedWork] {
    var revoked: [RevokedWork] = []
    store.whileRevoking {
      for work in works {
        let root = RevokedWork(work: work, cancellation: .run, isSilent: true)
        revoke(root, into: &revoked, isStopping: false)
      }
    }
    return revoked
  }

  private static func revoke(
    _ root: RevokedWork, into works: inout [RevokedWork], isStopping: Bool
  ) {
    var index = works.count
    works.append(root)
    while index < works.count {
      let (work, cancellation) = (works[index].work, works[index].cancellation)
      if let below = work.revokeAlone(
        cancellation, isSilent: works[index].isSilent, isStopping: isStopping)
      {
        works[index].isToBeStopped = isStopping
        work.queue?.noteStopped(work)
        for link in below.children where cancellation.reaches(link.relation) {
          works.append(RevokedWork(work: link.child, cancellation: cancellation))
        }
        for awaited in below.awaited {
          works.append(RevokedWork(work: awaited, cancellation: max(cancellation, .tree)))
        }
      }
      index += 1
    }
  }

  /// Revokes this work alone; returns its children, and what its code awaits, or nil if it was revoked as far before,
  /// or has finished.
  private func revokeAlone(
    _ cancellation: Cancellation, isSilent: Bool, isStopping: Bool
  ) -> (children: [Machine.Link], awaited: [WorkNode])? {
    state.withLock { state in
      var children: [Machine.Link]?
      if cancellation == .abandoned {
        if state.machine.cancellation < .abandoned { children = state.machine.links.values }
        state.machine.cancellation = .abandoned
        state.registryIndex = nil
      } else {
        children = state.machine.cancel(cancellation, isSilent: isSilent)
      }
      if children != nil { permission.store(.revoked, ordering: .releasing) }
      // Revoked before by a caller that could not stop it.
      if children == nil && state.isStopDue { children = state.machine.links.values }
      if children != nil { state.isStopDue = !isStopping }
      return children.map { ($0, state.awaited) }
    }
  }

  /// Stops a revoked work: cancels its task, or removes it from the queue in which it waits.
  ///
  /// A task that is about to be created finds the work cancelled: see `setTask`.
  func stop(_ cancellation: Cancellation) {
    let (task, waiters, context) = state.withLock { state in
      cancellation == .abandoned
        ? (state.task, state.machine.abandon(), state.context.take()) : (state.task, [], nil)
    }
    // Released here, outside of the lock.
    _ = context
    if let task { task.cancel() } else { queue?.withdraw(self) }
    for waiter in waiters { waiter.resume(returning: .success) }
  }
}

// MARK: Cancelling

extension WorkNode {
  /// Cancels the work and everything that it caused, except for what belongs to the state.
  ///
  /// Does nothing if it has finished. Once this has returned, no commit of a cancelled work begins.
  func cancel() {
    CancellationPass.run([self], .tree)
  }

  /// Cancels the work from the cancellation handler of a wait for it: by the pass in which the handler runs, if it
  /// does.
  func cancelFromHandler() {
    if !CancellationPass.add(self) { cancel() }
  }

  /// Stops the runs of works that give way to something else: what their commits have caused goes on, and waiters see
  /// no cancellation.
  static func drop(_ works: [WorkNode]) {
    CancellationPass.run(works, .run, isSilent: true)
  }

  /// Stops the work, and ends all waits for it, because its store has gone.
  func abandon() {
    CancellationPass.run([self], .abandoned)
  }
}

// MARK: How far, and whom it reaches

/// How close a work is to its parent: the closer, the more cancellations of the parent reach it; of the run of an effect
/// `EffectRunner.relation` says it.
enum WorkRelation: Comparable, CaseIterable, Sendable {
  /// A changed value set it off: it belongs to the state, and no cancellation of a cause reaches it.
  case independent
  /// A commit of the parent set it off. The commit is a fact: only an explicit cancel reaches it.
  case caused
  /// It is part of the parent's own run: the end of that run ends it.
  case owned
}

/// How far a work was cancelled; each case reaches what the ones before it reach.
enum Cancellation: Comparable, Sendable {
  case none
  /// The work's own run has ended, or gives way to another: it reaches the works that the run owns.
  case run
  /// An explicit cancel: it reaches every work that the commits of the run caused.
  case tree
  /// The store has gone: it reaches all.
  case abandoned

  /// Whether the cancellation reaches a child with this relation.
  func reaches(_ relation: WorkRelation) -> Bool {
    switch relation {
    case .owned: self >= .run
    case .caused: self >= .tree
    case .independent: self == .abandoned
    }
  }
}

// MARK: What the works above decide

// A work that ended early points to its adopter, so the `parent` of a work may no longer hold children.
// The effective parent is the nearest work on that chain that still does.

extension WorkNode {
  /// Attaches the work to `parent`, under which it was created, and which then waits for it; called before anything is
  /// under way.
  ///
  /// If the parent was cancelled, so is the work. Without a parent, or with one that has ended, the work is
  /// refused.
  @discardableResult
  func attach(to parent: WorkNode?) -> Machine.Adoption {
    let adoption = adoption(by: parent)
    switch adoption {
    case .attached, .refused: break
    case .cancelled: cancel()
    case .ended: CancellationPass.run([self], .run)
    }
    return adoption
  }

  /// The same, for a caller that ends the work later if its parent was.
  func adoption(by parent: WorkNode?) -> Machine.Adoption {
    let adoption =
      WorkNode.withEffectiveParent(parent, relation) { $0.adopt(self, as: $1) } ?? .refused
    if adoption == .refused { _ = state.withLock { $0.parent.take() } }
    return adoption
  }

  /// Begins a part of the run that can be dropped alone, with what it owns; its claim is to be ended.
  func beginPart() -> WorkNode {
    let part = WorkNode(
      .attempt(of: waitLabel.name), in: store, under: self, relation: .owned,
      hasClaim: true)
    part.attach(to: self)
    return part
  }

  /// Whether a commit of the work may begin.
  ///
  /// Read under the lock of the store, a `true` holds until that lock is released: see `CancellationPass`.
  /// For a work that has not ended, this is one load.
  @usableFromInline
  var mayCommit: Bool {
    switch permission.load(ordering: .acquiring) {
    case .granted: true
    case .revoked: false
    case .inherited: !isCancelledByAncestor
    }
  }

  /// Whether the work was cancelled, for any reason.
  var isCancelled: Bool { !mayCommit }

  private var isCancelledByAncestor: Bool {
    WorkNode.withEffectiveParent(state.withLock { $0.parent }, relation) {
      $0.cancellation.reaches($1)
    } ?? false
  }

  /// Whether the work was cancelled explicitly, so that its waiters throw.
  var reportsCancellation: Bool {
    let isOwn = state.withLock {
      $0.machine.hasReparented ? nil : $0.machine.reportsCancellation
    }
    return isOwn
      ?? WorkNode.withEffectiveParent(state.withLock { $0.parent }, relation) {
        $0.reportsCancellation && $0.cancellation.reaches($1)
      }
      ?? false
  }

  /// Calls `body` with the machine of the effective parent, under its lock, and the least of all relations on the way.
  private static func withEffectiveParent<Result: Sendable>(
    _ parent: WorkNode?, _ relation: WorkRelation,
    _ body: (inout Machine, _ relation: WorkRelation) -> Result
  ) -> Result? {
    var (candidate, relation) = (parent, relation)
    while let work = candidate {
      let (result, next) = work.state.withLock { state -> (Result?, WorkNode?) in
        state.machine.hasReparented ? (nil, state.parent) : (body(&state.machine, relation), nil)
      }
      if let result { return result }
      (candidate, relation) = (next, min(relation, work.relation))
    }
    return nil
  }
}
