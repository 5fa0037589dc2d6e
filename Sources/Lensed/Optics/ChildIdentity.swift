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
@usableFromInline
protocol IdentityReading: Sendable {
  func readID(at place: StateAddress) -> AnyHashable
  /// Whether two values have one id.
  func haveOneID(_ left: StateAddress, _ right: StateAddress) -> Bool
  /// The id, as text.
  func text(at place: StateAddress) -> String
}

@usableFromInline
struct IdentifiableReader<Value: Identifiable>: IdentityReading {
  @inlinable
  init() {}

  @usableFromInline
  func readID(at place: StateAddress) -> AnyHashable { AnyHashable(place.read(Value.self).id) }

  @inlinable
  func haveOneID(_ left: StateAddress, _ right: StateAddress) -> Bool {
    left.read(Value.self).id == right.read(Value.self).id
  }

  @usableFromInline
  func text(at place: StateAddress) -> String { "\(id: place.read(Value.self).id)" }
}

/// The reader of the ids of a type; nil where its values have none.
///
/// Inlined, it is a constant: the compiler knows whether the type is `Identifiable`.
@inlinable
func identityReader<Value>(of type: Value.Type) -> (any IdentityReading)? {
  func make<Known: Identifiable>(_ type: Known.Type) -> any IdentityReading {
    IdentifiableReader<Known>()
  }
  return (type as? any Identifiable.Type).map { make($0) }
}

/// Whether two values are one child: they have one id; without ids, all are.
@inlinable
func areOneChild<Child>(_ left: Child, _ right: Child) -> Bool {
  guard let reader = identityReader(of: Child.self) else { return true }
  return StateAddress.reading(left, as: Child.self) { left in
    StateAddress.reading(right, as: Child.self) { reader.haveOneID(left, $0) }
  }
}

/// The id of a child, as text; empty if it has none.
func childName<Child>(_ child: Child) -> String {
  guard let reader = identityReader(of: Child.self) else { return "" }
  return StateAddress.reading(child, as: Child.self) { reader.text(at: $0) }
}
