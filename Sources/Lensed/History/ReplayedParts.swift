/// Whether the actions of a commit say what happened, to a store that replays them.
///
/// They do as long as the same reducers answer them. The parts that count are those that the store had
/// at its first action: a commit in which another part ran, and each commit after one of the first was
/// unregistered, is known by its state alone.
struct ReplayedParts: Sendable {
  private var first: OwnershipMap?
  /// Who owned what at the last commit, and whether all of the first were among them then.
  private var last: (owners: OwnershipMap, isWhole: Bool)?

  init() {}

  /// Forgets who owned what at the last commit, before another store goes on.
  ///
  /// The parts of that one have numbers of their own; whether they are the same is seen by what they own.
  mutating func continueElsewhere() {
    (previous, first, last) = (first ?? previous, nil, nil)
  }

  /// The parts at the first action in an earlier store.
  private var previous: OwnershipMap?

  /// Notes a commit.
  ///
  /// - Returns: Whether replaying its actions gives what they gave.
  mutating func replay(_ commit: CommitRecord) -> Bool {
    guard commit.cause == .action else { return false }
    let owners = commit.touched.ownership
    let first = self.first ?? owners
    self.first = first
    if last?.owners !== owners { last = (owners, isWhole(owners, comparedTo: first)) }
    guard last?.isWhole == true else { return false }
    return owners === first || commit.touched.slots.allSatisfy { first.parts[$0] != nil }
  }

  private func isWhole(_ owners: OwnershipMap, comparedTo first: OwnershipMap) -> Bool {
    if let previous, !previous.isAlike(first) { return false }
    // A part that was registered again has another owner: it may have another reducer.
    return first.parts.allSatisfy { slot, part in owners.parts[slot]?.owner == part.owner }
  }
}

extension OwnershipMap {
  /// Whether the same parts have owners, whatever their numbers are.
  fileprivate func isAlike(_ other: OwnershipMap) -> Bool {
    parts.count == other.parts.count
      && parts.values.allSatisfy { part in
        other.parts.values.contains { $0.footprint == part.footprint }
      }
  }
}
