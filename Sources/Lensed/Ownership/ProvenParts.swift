/// The owners of a new store, with all that follows from them: made once for each blueprint.
@usableFromInline
struct ProvenParts: Sendable {
  /// The owners, with the numbers that their sub-states get in a new store.
  let owners: [Owner]
  let ownership: OwnershipMap
  let footprints: OwnerIndex
  /// The proofs of the children, of which none was seen yet.
  let proofs: [ChildProof]

  @usableFromInline
  init(_ owners: [Owner]) {
    var footprints = OwnerIndex()
    self.owners = owners.enumerated().map { slot, owner in
      var owner = owner
      owner.slot = slot
      owner.footprint = owner.footprint.resolved
      footprints.insert(owner)
      return owner
    }
    self.footprints = footprints
    proofs = self.owners.compactMap(ChildProof.init)
    ownership = OwnershipMap(self.owners)
  }
}
