/// Which owner had which sub-state when a commit was made.
final class OwnershipMap: Sendable {
  struct Part: Sendable {
    let slot: Int
    let footprint: Footprint
    /// The number of the owner; no other owner has it.
    let owner: UInt64
    /// How its reducer handles which actions.
    let cases: [ReducerCase]

    init(_ owner: Owner) {
      (slot, footprint, self.owner) = (owner.slot, owner.footprint, owner.identity)
      cases = owner.cases
    }
  }

  private let owned: [Part]
  /// Made when they are first asked for: parts that are registered one by one would each make them anew.
  private let known = Locked<[Int: Part]?>(nil)

  init(_ owned: [Part]) {
    self.owned = owned
  }

  /// The owned parts, by the numbers of their sub-states.
  var parts: [Int: Part] {
    known.withLock { known in
      if let known { return known }
      let parts = Dictionary(owned.map { ($0.slot, $0) }) { first, _ in first }
      known = parts
      return parts
    }
  }
}
