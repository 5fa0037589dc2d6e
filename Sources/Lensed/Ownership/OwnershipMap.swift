/// Which owner had which sub-state when a commit was made.
final class OwnershipMap: Sendable {
  struct Part: Sendable {
    let footprint: Footprint
    /// The number of the owner; no other owner has it.
    let owner: UInt64
    /// How its reducer handles which actions.
    let cases: [ReducerCase]
  }

  /// The owned parts, by the numbers of their sub-states.
  let parts: [Int: Part]

  init(_ owners: [Owner]) {
    parts = Dictionary(
      owners.map { ($0.slot, Part(footprint: $0.footprint, owner: $0.identity, cases: $0.cases)) }
    ) { first, _ in first }
  }
}
