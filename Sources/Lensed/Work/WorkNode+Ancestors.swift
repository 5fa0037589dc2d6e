internal import Synchronization

// A work that ended early points to its adopter, so the `parent` of a work may no longer hold children.
// The effective parent is the nearest work on that chain that still does.

extension WorkNode {
  /// Attaches the work to its parent, which then waits for it; called before anything is under way.
  ///
  /// If the parent was cancelled, so is the work. Without a parent, or with one that has ended, the work is
  /// refused.
  @discardableResult
  func attachToParent() -> Machine.Adoption {
    attach(to: state.withLock { $0.parent })
  }

  /// Attaches the work to `parent`, for a caller who has just created it under that parent.
  @discardableResult
  func attach(to parent: WorkNode?) -> Machine.Adoption {
    let adoption = adoption(by: parent)
    switch adoption {
    case .attached, .refused: break
    case .cancelled: cancel()
    case .ended: WorkNode.endOwned([self])
    }
    return adoption
  }

  /// The same, for a caller that ends the work later if its parent was.
  func adoption(by parent: WorkNode?) -> Machine.Adoption {
    let adoption =
      WorkNode.withEffectiveParent(parent, relation) { $0.adopt(self, as: $1) } ?? .refused
    if adoption == .refused { _ = state.withLock { $0.parent.take() } }
    return adoption
  }

  /// Begins a part of the run that can be dropped alone, with what it owns; its claim is to be ended.
  func beginPart() -> WorkNode {
    let part = WorkNode(
      .attempt(of: waitLabel.effect ?? "\(waitLabel)"), in: store, under: self, relation: .owned,
      hasClaim: true)
    part.attachToParent()
    return part
  }

  /// Whether a commit of the work may begin.
  ///
  /// Read under the lock of the store, a `true` holds until that lock is released: see `CancellationPass`.
  /// For a work that has not ended, this is one load.
  @usableFromInline
  var mayCommit: Bool {
    switch permission.load(ordering: .acquiring) {
    case .granted: true
    case .revoked: false
    case .inherited: !isCancelledByAncestor
    }
  }

  /// Whether the work was cancelled, for any reason.
  var isCancelled: Bool { !mayCommit }

  private var isCancelledByAncestor: Bool {
    WorkNode.withEffectiveParent(state.withLock { $0.parent }, relation) {
      $0.cancellation.reaches($1)
    } ?? false
  }

  /// Whether the work was cancelled explicitly, so that its waiters throw.
  var reportsCancellation: Bool {
    let isOwn = state.withLock {
      $0.machine.hasReparented ? nil : $0.machine.reportsCancellation
    }
    return isOwn
      ?? WorkNode.withEffectiveParent(state.withLock { $0.parent }, relation) {
        $0.reportsCancellation && $0.cancellation.reaches($1)
      }
      ?? false
  }

  /// Calls `body` with the machine of the effective parent, under its lock.
  ///
  /// `body` also gets the relation to that parent: the least of all relations on the way.
  private static func withEffectiveParent<Result: Sendable>(
    _ parent: WorkNode?, _ relation: WorkRelation,
    _ body: (inout Machine, _ relation: WorkRelation) -> Result
  ) -> Result? {
    var (candidate, relation) = (parent, relation)
    while let work = candidate {
      let (result, next) = work.state.withLock { state -> (Result?, WorkNode?) in
        state.machine.hasReparented ? (nil, state.parent) : (body(&state.machine, relation), nil)
      }
      if let result { return result }
      (candidate, relation) = (next, min(relation, work.relation))
    }
    return nil
  }
}
