internal import Synchronization

extension WorkNode {
  /// Reparents the children to the effective parent, once nothing else is left of the work.
  ///
  /// The locks of both states are held at once, so that the children are in the tree at all times. The
  /// parent's lock is always taken first, so that no cycle of locks can form.
  ///
  /// If a thread has revoked the parent and is yet to come to this work, it has its way first. Else it would
  /// find this work without the children, and the parent was behind it.
  func reparentChildren() {
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
          let (reached, woken) = upper.machine.adopt(links, of: self)
          return .done(
            Reparenting(
              children: links.map(\.child), reached: reached, woken: woken,
              cancellation: upper.machine.cancellation))
        }
      }
      switch step {
      case .changed: continue
      case .revoking:
        hasWaited = true
        store.whileRevoking {}
      case .done(let reparenting): return finishReparenting(reparenting, to: parent)
      }
    }
  }

  private func finishReparenting(_ step: Reparenting, to parent: WorkNode) {
    releaseCode()
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
  }
}
