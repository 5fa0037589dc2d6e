internal import Synchronization

// The cycle of a cancellation: a pass stops one work after another, each under the lock of its state, and
// then waits, once, for the commit that may be under way in their store. A commit asks its work under the
// lock of the store (`mayCommit`). So once a pass has returned, no commit of what it stopped begins:
//
// 1. A commit that had taken the lock before the pass did has ended when the pass gets it.
// 2. A commit that takes the lock after the pass has given it back sees what the pass has stored.

extension WorkNode {
  /// Stops it and, but for what belongs to the state, all that it caused, unless it has ended.
  @usableFromInline
  func cancel() {
    CancellationPass.run([self], .cancelled)
  }

  /// Stops the run of each of them because it gives way to something else.
  ///
  /// What they own ends with them, and what their commits have caused goes on. It is no cancellation
  /// for whoever waits.
  static func drop(_ works: [WorkNode]) {
    CancellationPass.run(works, .dropped)
  }

  /// Cancels it, for whoever is told of a cancellation by a cancel that may be in progress on this
  /// thread: that one then sees to it, instead of one inside of the other.
  func cancelInTurn() {
    if CancellationPass.current?.add(self) != true { cancel() }
  }

  /// Stops it because the store has gone: those who wait need not any more.
  func abandon() {
    CancellationPass.run([self], .abandoned)
  }

  /// Stops the run of each of them because what it is a part of has ended.
  static func end(_ works: [WorkNode]) {
    CancellationPass.run(works, .ended)
  }

  /// Stops this one alone, and gives what it started.
  fileprivate func stop(_ reason: CancellationPass.Reason) -> [Machine.Link] {
    switch reason {
    case .cancelled, .dropped, .ended:
      let (children, task) = state.withLock { state in
        let children = state.machine.cancel(
          reason == .cancelled ? .tree : .run, isSilent: reason == .dropped)
        if children != nil { standing.store(.stopped, ordering: .releasing) }
        return (children, state.task)
      }
      guard let children else { return [] }
      halt(task)
      return children
    case .abandoned:
      let (waiters, children, task, context) = state.withLock { state in
        standing.store(.stopped, ordering: .releasing)
        state.seat = nil
        let children = state.machine.children.map {
          Machine.Link(child: $0, relation: .owned)
        }
        return (state.machine.abandon(), children, state.task, state.context.take())
      }
      _ = context
      halt(task)
      for waiter in waiters { waiter.resume(returning: .over(.success)) }
      return children
    }
  }

  /// Stops what runs, or takes it out of the line that it waits in.
  private func halt(_ task: Running?) {
    if let task { task.cancel() } else { line?.withdraw(self) }
  }
}

/// The works that one call has yet to stop, one after another.
///
/// Not one inside of the other: a tree may be very deep, and so may be a row of works of which each
/// waits for the next; the cancellation of a task runs the handlers of its waits at once.
private final class CancellationPass: Sendable {
  enum Reason: Sendable {
    /// Somebody said so: it reaches all that was caused.
    case cancelled
    /// It gives way to something else.
    case dropped
    /// What it is a part of has ended.
    case ended
    case abandoned

    /// Why a child of such a work is stopped; nil when it goes on.
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

  /// The pass in progress here, or one that a task was started in.
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

  /// Has a work cancelled in this pass; not, if the pass is over, or another thread's.
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
