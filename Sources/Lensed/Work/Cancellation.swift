/// How far a work was cancelled, as far as its children are concerned.
struct Cancellation: Sendable {
  /// How far a cancellation goes.
  enum Depth: Comparable, Sendable {
    case none
    /// The work's own run, and the works that the run owns.
    case run
    /// The run, and every work that its commits caused.
    case tree
  }

  /// Why works are cancelled.
  enum Reason: Sendable {
    /// An explicit cancel: it reaches everything that the work caused.
    case cancelled
    /// The work gives way to something else.
    case dropped
    /// The run that owns the work has ended.
    case ended
    /// The store has gone.
    case abandoned

    /// Why a child with this relation is cancelled; nil when it goes on.
    func reason(for relation: WorkRelation) -> Reason? {
      switch self {
      case .cancelled: relation == .independent ? nil : .cancelled
      case .dropped, .ended: relation == .owned ? .ended : nil
      case .abandoned: .abandoned
      }
    }
  }

  var depth = Depth.none
  /// Whether the store has gone.
  var isAbandoned = false

  /// Whether the cancellation reaches a child with this relation.
  func reaches(_ relation: WorkRelation) -> Bool {
    switch relation {
    case .owned: depth >= .run
    case .caused: depth == .tree
    case .independent: isAbandoned
    }
  }
}
