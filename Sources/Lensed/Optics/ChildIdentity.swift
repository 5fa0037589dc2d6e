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
typealias IDReader = @Sendable (_ place: StateAddress) -> AnyHashable

/// The reader of the ids of a type; nil where its values have none.
func idReader<Value>(of type: Value.Type) -> IDReader? {
  func make<Known: Identifiable & SendableMetatype>(_ type: Known.Type) -> IDReader {
    { AnyHashable($0.read(Known.self).id) }
  }
  return (type as? any (Identifiable & SendableMetatype).Type).map { make($0) }
}

/// Whether two values are one child: they have one id; without ids, all are.
///
/// Inlined, the compiler knows whether the type is `Identifiable`.
@inlinable
func areOneChild<Child>(_ left: Child, _ right: Child) -> Bool {
  func haveOneID<Known: Identifiable>(_ type: Known.Type) -> Bool {
    StateAddress.reading(left, as: Child.self) { left in
      StateAddress.reading(right, as: Child.self) { right in
        left.read(Known.self).id == right.read(Known.self).id
      }
    }
  }
  return (Child.self as? any Identifiable.Type).map { haveOneID($0) } ?? true
}

/// The id of a child, as text; empty if it has none.
func childName<Child>(_ child: Child) -> String {
  guard let read = idReader(of: Child.self) else { return "" }
  return StateAddress.reading(child, as: Child.self) { "\(id: read($0).base)" }
}
