internal import Synchronization

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
// 2. A work hands its children on to a parent that was revoked, before it was revoked itself: it waits until
//    that thread has come to it (`reparentChildren`).

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
  /// Called under the lock of the store: no such commit begins once that lock is released. The works are then
  /// to be dropped without the lock, which stops them.
  ///
  /// - Returns: What is to be released without the lock.
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

  /// Revokes this work alone.
  ///
  /// - Returns: Its children, and what its code awaits; nil if the work was revoked as far before, or has finished.
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
    if cancellation == .abandoned { return stopAbandoned() }
    stopRunning(state.withLock { $0.task })
  }

  private func stopAbandoned() {
    let (waiters, task, context) = state.withLock { state in
      (state.machine.abandon(), state.task, state.context.take())
    }
    // Released here, outside of the lock.
    _ = context
    stopRunning(task)
    for waiter in waiters { waiter.resume(returning: .success) }
  }

  private func stopRunning(_ task: Running?) {
    if let task { task.cancel() } else { queue?.withdraw(self) }
  }
}
