/// What tells a child from another that stands in its place: the ids on the way to it.
///
/// The lock of one store, under which it is made, compared and released, confines ids that are not `Sendable`.
struct ChildIdentity: Equatable, Sendable {
  private var ids: [UncheckedSendable<AnyHashable>] = []

  mutating func append(_ id: AnyHashable) { ids.append(UncheckedSendable(id)) }

  static func == (left: ChildIdentity, right: ChildIdentity) -> Bool {
    left.ids.elementsEqual(right.ids) { $0.value == $1.value }
  }
}

/// Reads the id of a value whose type is known to its maker alone.
protocol IdentityReading: Sendable {
  func readID(at place: StateAddress) -> AnyHashable
  /// Whether two values have one id.
  func haveOneID(_ left: StateAddress, _ right: StateAddress) -> Bool
  /// The id, as text.
  func text(at place: StateAddress) -> String
}

private struct IdentifiableReader<Value: Identifiable>: IdentityReading {
  func readID(at place: StateAddress) -> AnyHashable { AnyHashable(place.read(Value.self).id) }

  func haveOneID(_ left: StateAddress, _ right: StateAddress) -> Bool {
    left.read(Value.self).id == right.read(Value.self).id
  }

  func text(at place: StateAddress) -> String { "\(id: place.read(Value.self).id)" }
}

/// The reader of the ids of a type; nil where its values have none.
func identityReader<Value>(of type: Value.Type) -> (any IdentityReading)? {
  func make<Known: Identifiable>(_ type: Known.Type) -> any IdentityReading {
    IdentifiableReader<Known>()
  }
  return (type as? any Identifiable.Type).map { make($0) }
}

/// A child as it was when a scope of it was made, to tell whether another value is the same; without an id, each is.
///
/// An object, so that code that does not know `Child` looks up no type to hold it.
final class BoundChild<Child: Sendable>: Sendable {
  let made: Child
  private let reader: (any IdentityReading)?

  init(_ made: Child) {
    self.made = made
    reader = identityReader(of: Child.self)
  }

  func isSame(as other: Child) -> Bool {
    guard let reader else { return true }
    return StateAddress.reading(made, as: Child.self) { made in
      StateAddress.reading(other, as: Child.self) { reader.haveOneID(made, $0) }
    }
  }

  /// The id of a value, as text; empty if it has none.
  func name(of child: Child) -> String {
    guard let reader else { return "" }
    return StateAddress.reading(child, as: Child.self) { reader.text(at: $0) }
  }
}
