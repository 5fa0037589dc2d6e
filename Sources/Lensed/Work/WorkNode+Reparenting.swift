internal import Synchronization

extension WorkNode {
  /// Reparents the children to the effective parent, once nothing else is left of the work.
  ///
  /// The locks of both states are held at once, so that the children are in the tree at all times. The
  /// parent's lock is always taken first, so that no cycle of locks can form.
  func reparentChildren() {
    while let parent = state.withLock({ $0.machine.onlyChildrenLeft ? $0.parent : nil }) {
      let step = parent.state.withLock { upper in
        state.withLock { own -> Reparenting? in
          guard own.parent === parent, own.machine.onlyChildrenLeft else { return nil }
          if upper.machine.hasReparented {
            own.parent = upper.parent
            return nil
          }
          let links = own.machine.detachChildren()
          if !isStopped { permission.store(.inherited, ordering: .releasing) }
          let (reached, woken) = upper.machine.adopt(links, of: self)
          return Reparenting(
            children: links.map(\.child), reached: reached, woken: woken,
            cancellation: upper.machine.cancellation)
        }
      }
      guard let step else { continue }
      for child in step.children {
        child.state.withLock { if $0.parent === self { $0.parent = parent } }
      }
      step.woken.forEach { $0.resume(returning: .over(.cancelled)) }
      if step.cancellation.isAbandoned {
        for child in step.reached { child.abandon() }
      } else if step.cancellation.extent == .tree {
        for child in step.reached { child.cancel() }
      } else {
        WorkNode.endOwned(step.reached)
      }
      store.workChanged()
      return
    }
  }

  /// What is left to do without the locks.
  private struct Reparenting: Sendable {
    let children: [WorkNode]
    /// The children that the cancellation of the new parent reaches.
    let reached: [WorkNode]
    /// The waits that are over because the new parent was cancelled.
    let woken: InlineList<Waiter<WaitVerdict>>
    /// The cancellation of the new parent.
    let cancellation: Cancellation
  }
}
