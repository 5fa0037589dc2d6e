/// The state machine of one work: what keeps it unfinished, how far it was cancelled, who waits for it.
///
/// Its life cycle:
///
/// 1. Three things keep a work unfinished: actions that it has yet to apply, claims, and children. A claim
///    stands for something that has begun and has yet to end.
/// 2. The transition that removes the last of these finishes the work, and reports that once.
/// 3. When the work's own code is done and no caller holds its task, its parent adopts the children that it caused, in
///    the same step (`detachChildren`), and the work ends early.
/// 4. Its *run* is its own code and the works that this owns. The run is over when the code has returned and
///    none of those is left. Until then a job lingers in its queue, so that whatever ends the run finds it there.
///
/// A cancellation forbids further commits, and does not finish the work.
///
/// It is a value without a lock: `WorkNode` keeps it under the lock of its state.
struct WorkMachine<Child: AnyObject & Sendable, Waiter: Sendable>: ~Copyable, Sendable {
  /// A child, and how close it is.
  struct Link: Sendable {
    let child: Child
    let relation: WorkRelation
  }

  private(set) var isApplied: Bool
  /// How many children the run owns.
  private var ownedCount: UInt32 = 0
  private(set) var claims: Int
  private(set) var links = InlineTable<ObjectIdentifier, Link>()
  /// Whether a handle outside of the tree can wait for the work, or cancel it.
  var hasHandle: Bool
  /// Whether the work finished, or ended early.
  var hasEnded = false
  /// Whether the work ended early, and its parent adopted its children.
  var hasReparented = false

  /// Whether it is yet to be told how its run ended.
  var isUntold: Bool

  /// The waits by their numbers; a single one takes no memory of its own.
  var waits = InlineTable<UInt64, (extent: WorkExtent, waiter: Waiter)>()
  /// The error of the work's own actions.
  private(set) var error: (any Error)?
  /// Whether the error was thrown to a waiter, or reported.
  var isErrorSeen = false

  var cancellation = Cancellation.none
  /// Whether waiters throw the cancellation: not, when the work gave way to another.
  var reportsCancellation = false

  /// Without `isApplied`, a `markApplied` follows; with `hasClaim`, an `endClaim`; with `isUntold`, a `markTold`.
  init(
    isApplied: Bool, hasClaim: Bool = false, hasHandle: Bool = false, isUntold: Bool = false
  ) {
    self.isApplied = isApplied
    self.isUntold = isUntold
    self.hasHandle = hasHandle
    claims = hasClaim ? 1 : 0
  }

  /// Whether code of the work's own runs, or waits for its turn.
  var hasOwnCode: Bool { !isApplied || claims > 0 }

  /// Whether the run goes on: its own code, or what that owns.
  var isRunning: Bool { hasOwnCode || ownedCount > 0 }

  /// Whether nothing keeps the work in the tree but children that it does not own.
  var onlyChildrenLeft: Bool {
    !isRunning && !isUntold && !hasHandle && !hasEnded && waits.isEmpty && !links.isEmpty
  }

  /// The unfinished works that this one started.
  var children: [Child] { links.values.map(\.child) }

  mutating func addClaim() {
    claims += 1
  }

  mutating func endClaim() -> Transition {
    claims -= 1
    var transition = makeTransition()
    transition.leavesOwned = ownedCount > 0 && !hasOwnCode
    return transition
  }

  /// Notes that the work's own actions were applied, or failed.
  mutating func markApplied(_ failure: (any Error)?) -> Transition {
    if isApplied { return Transition() }
    isApplied = true
    error = failure
    return makeTransition()
  }

  /// Notes that it was told how the run ended.
  mutating func markTold() -> Transition {
    isUntold = false
    return makeTransition()
  }

  mutating func link(_ child: Child, as relation: WorkRelation) {
    links[ObjectIdentifier(child)] = Link(child: child, relation: relation)
    if relation == .owned { ownedCount += 1 }
  }

  /// Removes a child; returns whether it was the last of the run, whose own code has returned.
  mutating func unlink(_ child: Child) -> Bool {
    let isOwned = ownedCount > 0 && links[ObjectIdentifier(child)]?.relation == .owned
    links[ObjectIdentifier(child)] = nil
    if isOwned { ownedCount -= 1 }
    return isOwned && !isRunning
  }
}

// MARK: Children

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

  /// Ends the work early, and returns its children, which the parent has to adopt in the same critical section.
  mutating func detachChildren() -> [Link] {
    (hasReparented, hasEnded) = (true, true)
    defer { (links, ownedCount) = (InlineTable(), 0) }
    return links.values
  }

  /// Adopts the children that a child has detached; none of them becomes closer than that child was.
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

// MARK: Cancelling

extension WorkMachine {
  /// Whether no more commits of the work's own are to begin.
  var isCancelled: Bool { cancellation > .none }

  /// Cancels the work, unless it was cancelled as far, or has finished; waiters for one that is silent throw nothing.
  ///
  /// - Returns: The children, some of which the cancellation may reach; nil when it changed nothing.
  mutating func cancel(_ wanted: Cancellation, isSilent: Bool = false) -> [Link]? {
    if isFinished || cancellation >= wanted { return nil }
    cancellation = wanted
    if !isSilent { reportsCancellation = true }
    return links.values
  }

  /// Whether the cancellation of this work reaches a child further than the child was cancelled.
  func isYetToCancel(_ child: Child, _ own: Cancellation) -> Bool {
    guard let link = links[ObjectIdentifier(child)] else { return false }
    return cancellation.reaches(link.relation) && own < cancellation
  }

  /// Notes that the store has gone; returns all waiters, whose waits are over.
  mutating func abandon() -> [Waiter] {
    cancellation = .abandoned
    reportsCancellation = true
    return waits.removeAll { _ in true }.map(\.waiter).all
  }
}
