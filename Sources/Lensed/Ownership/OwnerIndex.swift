/// The registered owners by their footprints, so that a new one is compared with few of them.
struct OwnerIndex: Sendable {
  /// By numbers that rise.
  private var owners: [Int: Owner] = [:]
  private var next = 0
  /// The footprints by the same numbers: those of the sub-states, where no owner was removed.
  private(set) var footprints = FootprintIndex()

  mutating func insert(_ owner: Owner) {
    owners[next] = owner
    footprints.insert(owner.footprint, next, ofChildren: owner.children != nil)
    next += 1
  }

  mutating func remove(_ owner: Owner) {
    guard let found = owners.first(where: { $0.value.identity == owner.identity }) else { return }
    owners[found.key] = nil
    footprints.remove(found.value.footprint, found.key)
  }

  /// The registered owners that may share something with a footprint, in the order they were added.
  func near(_ footprint: Footprint) -> [Owner] {
    footprints.numbers(near: footprint).compactMap { owners[$0] }
  }
}
