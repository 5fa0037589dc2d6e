/// How far a work was cancelled; each case reaches what the ones before it reach.
enum Cancellation: Comparable, Sendable {
  case none
  /// The work's own run has ended, or gives way to another: it reaches the works that the run owns.
  case run
  /// An explicit cancel: it reaches every work that the commits of the run caused.
  case tree
  /// The store has gone: it reaches all.
  case abandoned

  /// Whether the cancellation reaches a child with this relation.
  func reaches(_ relation: WorkRelation) -> Bool {
    switch relation {
    case .owned: self >= .run
    case .caused: self >= .tree
    case .independent: self == .abandoned
    }
  }
}
