/// The id of an element, whatever its type.
///
/// Ids of two types are never equal: a cast would take `7` for `Optional(7)`, whose hash is another one, and an empty
/// array of one type for an empty array of any other.
///
/// Comparing and hashing it is code of the type's author. So it happens where a lens may run: under the lock
/// of a store, to find an element; elsewhere under no lock.
struct AnyID: Hashable, Sendable, CustomStringConvertible {
  let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) {
    self.value = value
  }

  var description: String { "\(value)" }

  static func == (left: AnyID, right: AnyID) -> Bool {
    func isEqual<Left: Hashable>(_ left: Left) -> Bool {
      func isEqual<Right: Hashable>(to right: Right) -> Bool {
        Left.self == Right.self && right as? Left == left
      }
      return isEqual(to: right.value)
    }
    return isEqual(left.value)
  }

  func hash(into hasher: inout Hasher) {
    value.hash(into: &hasher)
  }
}
