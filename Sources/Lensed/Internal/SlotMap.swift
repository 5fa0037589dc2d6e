/// Members that come and go, each in a numbered slot, in O(1).
///
/// Nothing is hashed, and nothing allocated unless the number of members exceeds its former maximum.
struct SlotMap<Member: Sendable>: Sendable {
  private var slots: ContiguousArray<Member?> = []
  private var vacant: ContiguousArray<Int> = []

  init() {}

  var members: [Member] { slots.compactMap(\.self) }

  var isEmpty: Bool { vacant.count == slots.count }

  /// Reserves a slot, to be filled later.
  mutating func reserve() -> Int {
    if let slot = vacant.popLast() { return slot }
    slots.append(nil)
    vacant.reserveCapacity(slots.capacity)
    return slots.count - 1
  }

  mutating func fill(_ slot: Int, with member: Member) { slots[slot] = member }

  /// Empties a slot, and returns its member; nil if there was none.
  mutating func vacate(_ slot: Int) -> Member? {
    guard slots.indices.contains(slot), let member = slots[slot].take() else { return nil }
    vacant.append(slot)
    return member
  }
}
