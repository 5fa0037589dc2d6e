/// The sub-states whose reducers ran in a commit, and the owners at that time.
final class TouchedParts: Sendable {
  let slots: [Int]
  /// The sub-states whose reducers handle the action; those of `slots` ran.
  private let candidates: [Int]
  let ownership: OwnershipMap
  /// Whether an action gave an element another id.
  ///
  /// Another element may have the former id, and is found in its place after the commit.
  let changesID: Bool

  init(
    _ slots: [Int], _ ownership: OwnershipMap, of candidates: [Int]? = nil,
    changesID: Bool = false
  ) {
    self.slots = slots
    self.candidates = candidates ?? slots
    self.ownership = ownership
    self.changesID = changesID
  }

  /// The properties whose reducers handle the type of the action, whether they ran or not.
  var properties: [String] {
    let owners = ownership.bySlot
    return candidates.compactMap { owners[$0]?.footprint.name }
  }

  /// The same, where some of the sub-states were touched, or all of them.
  func filter(changesID: Bool, _ isTouched: (_ slot: Int) -> Bool) -> TouchedParts {
    !changesID && slots.allSatisfy(isTouched)
      ? self
      : TouchedParts(slots.filter(isTouched), ownership, of: candidates, changesID: changesID)
  }

  /// The cases of each reducer that ran and owns a part of the footprint.
  func cases(of footprint: Footprint) -> [[ReducerCase]] {
    slots.compactMap { slot in
      guard let owner = ownership.bySlot[slot], owner.footprint.overlap(with: footprint) != .none
      else {
        return nil
      }
      return owner.cases
    }
  }

  /// Whether a reducer ran that owns a part of the footprint.
  func touches(_ footprint: Footprint) -> Bool {
    let owners = ownership.bySlot
    return slots.contains { slot in
      owners[slot].map { $0.footprint.overlap(with: footprint) != .none } ?? false
    }
  }
}
