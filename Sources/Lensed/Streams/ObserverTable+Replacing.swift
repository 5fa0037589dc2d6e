extension ObserverTable {
  /// Notes that the commit `revision` replaced a part of the state.
  ///
  /// - Returns: The sub-states that it replaced, with their flags; none if it counts as a replacement of all.
  mutating func noteReplacement(of part: Footprint) -> (slots: [Int], flags: CommitFlags) {
    guard case .slots(let slots) = interest(in: part), !slots.isEmpty else {
      replaced = revision
      return ([], [])
    }
    var flags: CommitFlags = []
    for slot in slots {
      replacedSlots[slot] = revision
      let record = self.slots[slot].record
      record.value.revision = revision
      flags.formUnion(record.value.flags)
    }
    return (slots, flags)
  }

  /// The last commit that replaced a sub-state, alone or with all others.
  func lastReplacement(of slot: Int) -> UInt64 { max(replaced, replacedSlots[slot] ?? 0) }
}
