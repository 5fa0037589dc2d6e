/// The id of an element, whatever its type.
///
/// Comparing and hashing it is code of the type's author. So it happens where a lens may run: under the lock
/// of a store, to find an element; elsewhere under no lock.
@usableFromInline
struct AnyID: Hashable, Sendable, CustomStringConvertible {
  let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) {
    self.value = value
  }

  @usableFromInline
  var description: String { "\(value)" }

  @usableFromInline
  static func == (left: AnyID, right: AnyID) -> Bool {
    func isEqual<Value: Hashable>(_ left: Value) -> Bool { (right.value as? Value) == left }
    return isEqual(left.value)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    value.hash(into: &hasher)
  }
}
