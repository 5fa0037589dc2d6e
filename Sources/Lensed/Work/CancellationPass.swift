internal import Synchronization

/// One cancelling call, which stops works that it has revoked.
///
/// Its cycle:
///
/// 1. It revokes the works and all that the cancellation reaches below them: see `WorkNode+Revoking`. From here
///    on no other call that cancels them has to wait for this one.
/// 2. It stops one work after another. It works in a loop, not by recursion: a tree may be very deep, and so
///    may be a row of works of which each waits for the next.
/// 3. Cancelling a task runs the handlers of its waits at once, inside of this call. Such a handler adds
///    its work to the pass in progress on its thread.
/// 4. At the end the pass waits, once for each store, for the commit that may be under way there.
/// 5. Then it tells how the runs ended that it has stopped: see `RunEnding`.
///
/// So once a pass has returned, no commit of a work that it was given, or reached, begins, whichever pass revoked it.
/// A commit reads the permission of its work under the lock of the store, which leaves two cases:
///
/// 1. The commit took the lock before the pass did: it has ended when the pass gets the lock.
/// 2. The commit takes the lock after the pass has released it: it sees the permission that was written.
///
/// Its mutable state is `queue`, under its own lock. A task that was started during the pass inherits
/// `current`, and may outlive the pass on another thread: `thread` and `isOver` refuse its additions.
final class CancellationPass: Sendable {
  private struct Queue: Sendable {
    /// All works that were met, held until the pass is over: a reference may be the last one.
    var works: [RevokedWork]
    var next = 0
    /// The stores whose commits are to be waited for.
    var stores: [any WorkStore] = []
    var isOver = false

    mutating func add(_ store: any WorkStore) {
      if !stores.contains(where: { $0 === store }) { stores.append(store) }
    }
  }

  /// The pass in progress on this thread, or the pass during which the current task was started.
  @TaskLocal static var current: CancellationPass?

  private let queue: Locked<Queue>
  private let thread = ThreadIdentity.current

  private init(_ queue: consuming Queue) {
    self.queue = Locked(queue)
  }

  /// Cancels works; if `isSilent`, they give way to others, and their waiters throw nothing.
  static func run(_ works: [WorkNode], _ cancellation: Cancellation, isSilent: Bool = false) {
    if works.isEmpty { return }
    var queue = Queue(works: [])
    for work in works {
      work.revoke(cancellation, isSilent: isSilent, into: &queue.works)
      if cancellation != .abandoned { queue.add(work.store) }
    }
    // Nothing to stop: no user's code runs, so none can add works.
    if !queue.works.contains(where: \.isToBeStopped) {
      for store in queue.stores { store.awaitCommit() }
      return
    }
    let pass = CancellationPass(queue)
    var untold: [WorkNode] = []
    $current.withValue(pass) {
      while let revoked = pass.next() {
        if !revoked.isToBeStopped { continue }
        revoked.work.stop(revoked.cancellation)
        if revoked.work.ending != nil { untold.append(revoked.work) }
      }
    }
    for store in pass.queue.withLock({ exchange(&$0.stores, with: []) }) { store.awaitCommit() }
    WorkNode.tell(untold)
  }

  /// Adds a work to cancel.
  ///
  /// - Returns: False if the pass is over, or belongs to another thread.
  func add(_ work: WorkNode) -> Bool {
    // On this thread: so it is not over before this returns.
    guard thread == ThreadIdentity.current, !queue.withLock({ $0.isOver }) else { return false }
    var revoked: [RevokedWork] = []
    work.revoke(.tree, into: &revoked)
    queue.withLock { queue in
      queue.works += revoked
      queue.add(work.store)
    }
    return true
  }

  /// The next work; nil at the end, when the works are released: a task that inherits the pass may keep it for long.
  private func next() -> RevokedWork? {
    var met: [RevokedWork] = []
    return queue.withLock { queue in
      if queue.next == queue.works.count {
        queue.isOver = true
        swap(&met, &queue.works)
        return nil
      }
      defer { queue.next += 1 }
      return queue.works[queue.next]
    }
  }
}
