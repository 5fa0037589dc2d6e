extension WorkNode {
  /// What the code of this work does; nil if only its children are left of it, or nothing, and for an attempt: its
  /// code is that of its run.
  var activity: WorkDescription.Activity? {
    if case .attempt = label { return nil }
    let (hasOwnCode, sleeperCount) = state.withLock {
      ($0.machine.hasOwnCode, $0.sleeperCount)
    }
    if !hasOwnCode { return nil }
    if sleeperCount > 0 { return .asleep }
    if let queue, !queue.blockers(of: self).isEmpty { return .queued }
    return WaitGraph.isWaiting(self) ? .waiting : .running
  }

  /// Whether the code of this work goes on: it neither returned nor was cancelled.
  var hasOwnCode: Bool { state.withLock { $0.machine.hasOwnCode } }

  /// Whether the code of some of these works, or of their children, moves.
  ///
  /// A work that has ended, and is still in the tree, counts as moving: the tree is about to change, and
  /// `workChanged` is called when it has.
  static func isAnyMoving(_ works: [WorkNode]) -> Bool {
    var pending = works
    while let work = pending.popLast() {
      if work.state.withLock({ $0.machine.hasEnded }) || work.activity == .running { return true }
      pending += work.children
    }
    return false
  }

  /// Describes the works among these and their children that have code of their own.
  static func descriptions(of works: [WorkNode]) -> [WorkDescription] {
    var found: [WorkDescription] = []
    var seen: Set<ObjectIdentifier> = []
    var pending = works.reversed().map { (work: $0, causes: [String]()) }
    while let (work, causes) = pending.popLast() {
      guard seen.insert(ObjectIdentifier(work)).inserted else { continue }
      if let description = work.description(causes) { found.append(description) }
      let own = ["\(work.label)"] + causes
      pending += work.children.reversed().map { ($0, own) }
    }
    return found
  }

  private func description(_ causes: [String]) -> WorkDescription? {
    guard let activity else { return nil }
    let label = waitLabel
    let (kind, site): (WorkDescription.Kind, CallSite?) =
      switch label {
      case .dispatch(_, let site), .settling(let site): (.dispatch, site)
      case .commit: (.dispatch, nil)
      case .sequence(let site): (.sequence, site)
      case .effect, .effectOfFeature, .attempt, .ending: (.effect, nil)
      case .event: (.event, nil)
      }
    var causes = causes
    // A dispatch that is its own job goes by the name of the effect, and is its cause.
    if case .dispatch = self.label, kind == .effect { causes.insert("\(self.label)", at: 0) }
    return WorkDescription(
      kind: kind, name: "\(label)", site: site, activity: activity, causes: causes)
  }
}
