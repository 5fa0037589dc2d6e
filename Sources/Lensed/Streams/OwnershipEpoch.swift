/// The time in which one owner owns a sub-state.
///
/// It ends when the owner is unregistered, even if another owner of the same sub-state follows.
struct OwnershipEpoch: Sendable, Hashable {
  let slot: Int
  /// The number of the owner, unique within the store.
  let owner: UInt64
}
