extension WorkMachine {
  /// The answer to a child that wants to attach.
  enum Adoption: Sendable {
    case attached
    /// The child attached to a cancelled work: it is to be cancelled too.
    case cancelled
    /// The child attached to a run that was ended: it is to end too.
    case ended
    /// The work has ended, so the child is not attached.
    case refused
  }

  /// Adds a child; what comes after the run was over is none of its own.
  mutating func adopt(_ child: Child, as relation: WorkRelation) -> Adoption {
    if hasEnded { return .refused }
    let relation = isRunning ? relation : min(relation, .caused)
    link(child, as: relation)
    if !cancellation.reaches(relation) { return .attached }
    return cancellation >= .tree ? .cancelled : .ended
  }

  /// Removes a child that has finished.
  mutating func remove(_ child: Child) -> Transition {
    let endsOwned = unlink(child)
    var transition = makeTransition()
    transition.endsOwned = endsOwned
    return transition
  }

  /// Ends the work early, and removes its children.
  ///
  /// - Returns: The children, which the parent has to adopt in the same critical section.
  mutating func detachChildren() -> [Link] {
    hasReparented = true
    hasEnded = true
    return unlinkAll()
  }

  /// Adopts the children that a child has detached.
  ///
  /// None of them becomes closer than that child was.
  ///
  /// - Returns: The adopted works that this work's cancellation reaches, the waits that are over, and whether
  ///   the child was the last of the run, whose own code has returned.
  mutating func adopt(
    _ detached: [Link], of child: Child
  ) -> (reached: [Child], woken: InlineList<Waiter>, endsOwned: Bool) {
    let limit = links[ObjectIdentifier(child)]?.relation ?? .caused
    let endsOwned = unlink(child)
    var reached: [Child] = []
    for detachedLink in detached {
      let relation = min(detachedLink.relation, limit)
      link(detachedLink.child, as: relation)
      if cancellation.reaches(relation) { reached.append(detachedLink.child) }
    }
    return (reached, waits.isEmpty ? InlineList() : removeSatisfiedWaits(), endsOwned)
  }
}
