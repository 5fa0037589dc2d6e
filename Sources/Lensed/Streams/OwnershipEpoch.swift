/// One owner's time in a sub-state: it ends when the owner is unregistered, even if the next one owns
/// the same.
struct OwnershipEpoch: Sendable, Hashable {
  let slot: Int
  /// The number of the owner, which no other has.
  let owner: UInt64
}
