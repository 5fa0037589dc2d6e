/// The first child of a sub-state that was reduced: where coverage is complete, its properties have to have
/// owners.
///
/// What was there when the store was made was proved then.
struct UnprovedChild: Sendable {
  let owner: Owner
  /// A copy of the state in which the child is, in a box that the witness made.
  let state: any AnyObject & Sendable
  let witness: StateWitness

  /// Traps if the child has properties without an owner; called without the lock, because it reflects them.
  func prove() {
    var missing: [String] = []
    witness.lend(state) { missing = owner.missingInChildren(of: $0) }
    if missing.isEmpty { return }
    let properties = missing.map { "`\($0)`" }.joined(separator: ", ")
    fatalError(
      """
      Lensed: a child appeared that has properties without a reducer: \(properties). Add a `Mutator` for \
      each to the feature of the child, write `Unreduced` for those that are constant, or make the store \
      with `coverage: .partial`.
      """)
  }
}

extension StoreCore.Protected {
  /// Finds the sub-states of which a commit touched the first child; under the lock.
  mutating func takeUnproved(touchedBy revision: UInt64, in state: StateAddress) -> [UnprovedChild]
  {
    let found = unproved.filter { table.slotRecord($0.slot).value.revision == revision }
    if found.isEmpty { return [] }
    unproved.removeAll { table.slotRecord($0.slot).value.revision == revision }
    let copy = witness.snapshot(state)
    return found.map { UnprovedChild(owner: $0, state: copy, witness: witness) }
  }
}
