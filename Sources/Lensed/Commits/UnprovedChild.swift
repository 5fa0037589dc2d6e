/// The first child of an owner that was reduced: where coverage is complete, each of its properties has one owner.
///
/// What was there when the store was made was proved then.
struct UnprovedChild: Sendable {
  let owner: Owner
  /// A copy of the state in which the child is, in a box that the witness made.
  let state: any AnyObject & Sendable
  let witness: any StateWitness.Type

  /// Traps if the child has properties without an owner, or with two; called without the lock, because it reflects
  /// them.
  func prove() {
    var faults: [FoundFault] = []
    witness.lend(state) { faults = ChildProof(owner)?.faults(in: $0) ?? [] }
    if faults.isEmpty { return }
    let error = RegistrationError(faults)
    guard let missing = error.missingProperties else {
      fatalError(
        """
        Lensed: a child appeared that its feature does not fit:
        \(error.sentences)
        """)
    }
    fatalError(
      """
      Lensed: a child appeared that has properties without a reducer: \(missing). Add a `Mutator` for \
      each to the feature of the child, write `Constant` for those that are constant, or make the store \
      with `coverage: .partial`.
      """)
  }
}

extension StoreCore.Protected {
  /// Whether no child of these sub-states is yet to be proved; under the lock.
  func areProved(_ slots: [Int]) -> Bool {
    unproved.isEmpty || !unproved.contains { slots.contains($0.owner.slot) }
  }

  /// Finds the sub-states of which a commit reduced the first child of some owner; under the lock.
  mutating func takeUnproved(
    touchedBy revision: UInt64, on routes: InlineList<Int>, in state: StateAddress
  ) -> [UnprovedChild] {
    var found: [UnprovedChild] = []
    for index in unproved.indices.reversed()
    where table.slotRecord(unproved[index].owner.slot).value.revision == revision {
      // The result of an asynchronous reducer has no route.
      let isFound = unproved[index].look(in: state, isAnyReached: routes.isEmpty) { type in
        var isReduced = false
        routes.forEach {
          if ObjectIdentifier(router.route($0).lend(\.type)) == type { isReduced = true }
        }
        return isReduced
      }
      if !isFound { continue }
      found.append(
        UnprovedChild(
          owner: unproved[index].owner, state: witness.box(state), witness: witness))
      if unproved[index].isComplete { unproved.remove(at: index) }
    }
    return found
  }
}
