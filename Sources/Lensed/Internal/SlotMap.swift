/// Members that come and go, each in a numbered slot.
///
/// - Complexity: Reserving, filling and vacating a slot are O(1), and nothing is hashed. Nothing is
///   allocated unless the number of members exceeds its former maximum.
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

  mutating func fill(_ slot: Int, with member: Member) {
    slots[slot] = member
  }

  /// Empties a slot.
  ///
  /// - Returns: Its member; nil when the slot is empty.
  mutating func vacate(_ slot: Int) -> Member? {
    guard slots.indices.contains(slot), let member = slots[slot].take() else { return nil }
    vacant.append(slot)
    return member
  }
}
