internal import Synchronization

/// One cancelling call: the works that it has yet to stop.
///
/// Its cycle:
///
/// 1. It stops one work after another, each under the lock of its state, and adds the children that the
///    cancellation reaches. It works in a loop, not by recursion: a tree may be very deep, and so may be a
///    row of works of which each waits for the next.
/// 2. Cancelling a task runs the handlers of its waits at once, inside of this call. Such a handler adds
///    its work to the pass in progress on its thread.
/// 3. At the end the pass waits, once for each store, for the commit that may be under way there.
///
/// So once a pass has returned, no commit of a stopped work begins. A commit reads the permission of its
/// work under the lock of the store, which leaves two cases:
///
/// 1. The commit took the lock before the pass did: it has ended when the pass gets the lock.
/// 2. The commit takes the lock after the pass has released it: it sees the permission that the pass wrote.
///
/// Its mutable state is `queue`, under its own lock. A task that was started during the pass inherits
/// `current`, and may outlive the pass on another thread: `thread` and `isOver` refuse its additions.
final class CancellationPass: Sendable {
  enum Reason: Sendable {
    /// An explicit cancel: it reaches everything that the work caused.
    case cancelled
    /// The work gives way to something else.
    case dropped
    /// The run that owns the work has ended.
    case ended
    /// The store has gone.
    case abandoned

    /// Why a child with this relation is stopped; nil when it goes on.
    func reason(for relation: WorkRelation) -> Reason? {
      switch self {
      case .cancelled: relation == .independent ? nil : .cancelled
      case .dropped, .ended: relation == .owned ? .ended : nil
      case .abandoned: .abandoned
      }
    }
  }

  private struct Queue: Sendable {
    var works: [(work: WorkNode, reason: Reason)]
    var isOver = false
  }

  /// The pass in progress on this thread, or the pass during which the current task was started.
  @TaskLocal static var current: CancellationPass?

  private let queue: Locked<Queue>
  private let thread = ThreadIdentity.current

  private init(_ works: [WorkNode], _ reason: Reason) {
    queue = Locked(Queue(works: works.reversed().map { ($0, reason) }))
  }

  static func run(_ works: [WorkNode], _ reason: Reason) {
    if works.isEmpty { return }
    let pass = CancellationPass(works, reason)
    var stores: [any WorkStore] = []
    $current.withValue(pass) {
      while let (work, reason) = pass.next() {
        let children = work.stop(reason)
        pass.queue.withLock { queue in
          for link in children.reversed() {
            if let reason = reason.reason(for: link.relation) {
              queue.works.append((link.child, reason))
            }
          }
        }
        if reason != .abandoned && !stores.contains(where: { $0 === work.store }) {
          stores.append(work.store)
        }
      }
    }
    for store in stores { store.awaitCommit() }
  }

  /// Adds a work to cancel.
  ///
  /// - Returns: False if the pass is over, or belongs to another thread.
  func add(_ work: WorkNode) -> Bool {
    guard thread == ThreadIdentity.current else { return false }
    return queue.withLock { queue in
      if !queue.isOver { queue.works.append((work, .cancelled)) }
      return !queue.isOver
    }
  }

  private func next() -> (work: WorkNode, reason: Reason)? {
    queue.withLock { queue in
      if queue.works.isEmpty { queue.isOver = true }
      return queue.works.popLast()
    }
  }
}

extension WorkNode {
  /// Stops this work alone, and returns its children.
  fileprivate func stop(_ reason: CancellationPass.Reason) -> [Machine.Link] {
    switch reason {
    case .cancelled, .dropped, .ended:
      let (children, task) = state.withLock { state in
        let children = state.machine.cancel(
          reason == .cancelled ? .tree : .run, isSilent: reason == .dropped)
        if children != nil { permission.store(.revoked, ordering: .releasing) }
        return (children, state.task)
      }
      guard let children else { return [] }
      stopRunning(task)
      return children
    case .abandoned:
      let (waiters, children, task, context) = state.withLock { state in
        permission.store(.revoked, ordering: .releasing)
        state.registryIndex = nil
        let children = state.machine.children.map {
          Machine.Link(child: $0, relation: .owned)
        }
        return (state.machine.abandon(), children, state.task, state.context.take())
      }
      // Released here, outside of the lock.
      _ = context
      stopRunning(task)
      for waiter in waiters { waiter.resume(returning: .over(.success)) }
      return children
    }
  }

  /// Cancels the task, or removes the work from the queue in which it waits.
  private func stopRunning(_ task: Running?) {
    if let task { task.cancel() } else { queue?.withdraw(self) }
  }
}
