/// How far a work was cancelled, as far as its children are concerned.
struct Cancellation: Sendable {
  /// How far a cancellation goes.
  enum Extent: Int, Comparable, Sendable {
    case none
    /// The work's own run, and the works that the run owns.
    case run
    /// The run, and every work that its commits caused.
    case tree

    static func < (left: Extent, right: Extent) -> Bool { left.rawValue < right.rawValue }
  }

  var extent = Extent.none
  /// Whether the store has gone.
  var isAbandoned = false

  /// Whether the cancellation reaches a child with this relation.
  func reaches(_ relation: WorkRelation) -> Bool {
    switch relation {
    case .owned: extent >= .run
    case .caused: extent == .tree
    case .independent: isAbandoned
    }
  }
}
