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

  mutating func adopt(_ child: Child, as relation: WorkRelation) -> Adoption {
    if hasEnded { return .refused }
    links[ObjectIdentifier(child)] = Link(child: child, relation: relation)
    if !cancellation.reaches(relation) { return .attached }
    return cancellation >= .tree ? .cancelled : .ended
  }

  /// Removes a child that has finished.
  mutating func remove(_ child: Child) -> Transition {
    links[ObjectIdentifier(child)] = nil
    return makeTransition()
  }

  /// Ends the work early, and removes its children.
  ///
  /// - Returns: The children, which the parent has to adopt in the same critical section.
  mutating func detachChildren() -> [Link] {
    hasReparented = true
    hasEnded = true
    defer { links = InlineTable() }
    return links.values
  }

  /// Adopts the children that a child has detached.
  ///
  /// None of them becomes closer than that child was.
  ///
  /// - Returns: The adopted works that this work's cancellation reaches, and the waits that are over.
  mutating func adopt(
    _ detached: [Link], of child: Child
  ) -> (reached: [Child], woken: InlineList<Waiter>) {
    let limit = links[ObjectIdentifier(child)]?.relation ?? .caused
    links[ObjectIdentifier(child)] = nil
    var reached: [Child] = []
    for link in detached {
      let relation = min(link.relation, limit)
      links[ObjectIdentifier(link.child)] = Link(child: link.child, relation: relation)
      if cancellation.reaches(relation) { reached.append(link.child) }
    }
    return (reached, waits.isEmpty ? InlineList() : removeSatisfiedWaits())
  }
}
