/// Members that come and go, each by the number of its seat.
///
/// - Complexity: Reserving, filling and leaving a seat are O(1), and nothing is hashed. Nothing is
///   allocated while there are no more members than there have been.
struct SlotMap<Member: Sendable>: Sendable {
  private var seats: ContiguousArray<Member?> = []
  private var vacant: ContiguousArray<Int> = []

  init() {}

  /// Those who are there.
  var members: [Member] { seats.compactMap(\.self) }

  /// Finds a seat, which is to be filled.
  mutating func reserve() -> Int {
    if let seat = vacant.popLast() { return seat }
    seats.append(nil)
    vacant.reserveCapacity(seats.capacity)
    return seats.count - 1
  }

  /// Takes a seat that was reserved.
  mutating func fill(_ seat: Int, with member: Member) {
    seats[seat] = member
  }

  /// Gives a seat up, and the member that had it; nil when that was done before.
  mutating func leave(_ seat: Int) -> Member? {
    guard seats.indices.contains(seat), let member = seats[seat].take() else { return nil }
    vacant.append(seat)
    return member
  }
}
