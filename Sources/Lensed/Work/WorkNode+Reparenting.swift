internal import Synchronization

extension WorkNode {
  /// Reparents the children to the effective parent, once nothing else is left of the work.
  ///
  /// If the work was the last that the run of its parent owned, the parent may do so in turn.
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
            Reparenting(
              children: links.map(\.child), reached: reached, woken: woken,
              cancellation: upper.machine.cancellation, endsOwned: endsOwned))
        }
      }
      switch step {
      case .changed: continue
      case .revoking:
        hasWaited = true
        store.whileRevoking {}
      case .done(let reparenting):
        finishReparenting(reparenting, to: parent)
        return reparenting.endsOwned ? parent : nil
      }
    }
    return nil
  }

  private func finishReparenting(_ step: Reparenting, to parent: WorkNode) {
    releaseCode()
    if step.endsOwned { parent.queue?.remove(parent) }
    for child in step.children {
      child.state.withLock { if $0.parent === self { $0.parent = parent } }
    }
    step.woken.forEach { $0.resume(returning: .cancelled) }
    CancellationPass.run(step.reached, step.cancellation)
    store.workChanged()
  }

  private enum Step: Sendable {
    /// The parent, or the children, are others now.
    case changed
    /// A thread has revoked the parent, and is yet to come to this work.
    case revoking
    case done(Reparenting)
  }

  /// What is left to do without the locks.
  private struct Reparenting: Sendable {
    let children: [WorkNode]
    /// The children that the cancellation of the new parent reaches.
    let reached: [WorkNode]
    /// The waits that are over because the new parent was cancelled.
    let woken: InlineList<Waiter<WorkOutcome>>
    /// The cancellation of the new parent.
    let cancellation: Cancellation
    /// Whether the work was the last that the run of the new parent owned.
    let endsOwned: Bool
  }
}
