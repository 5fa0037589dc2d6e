/// One owner's time in a sub-state: it ends when the owner is unregistered, even if the next one owns
/// the same.
struct Tenure: Sendable, Hashable {
  let slot: Int
  /// How many owners there were before.
  let number: Int
}
