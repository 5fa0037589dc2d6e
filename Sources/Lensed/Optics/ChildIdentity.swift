/// What tells a child from another that stands in its place: the ids on the way to it.
///
/// It is made, compared and released under the lock of one store alone. That confines the ids of states whose
/// `ID` is not `Sendable`.
struct ChildIdentity: Equatable, Sendable {
  private var ids: [UncheckedSendable<AnyHashable>] = []

  mutating func append(_ id: AnyHashable) {
    ids.append(UncheckedSendable(id))
  }

  static func == (left: ChildIdentity, right: ChildIdentity) -> Bool {
    left.ids.elementsEqual(right.ids) { $0.value == $1.value }
  }
}

/// Reads the id of a value whose type is known to its maker alone.
protocol IdentityReading: Sendable {
  func readID(at place: StateAddress) -> AnyHashable
}

private struct IdentifiableReader<Value: Identifiable>: IdentityReading {
  func readID(at place: StateAddress) -> AnyHashable { AnyHashable(place.read(Value.self).id) }
}

/// The reader of the ids of a type; nil where its values have none.
func identityReader<Value>(of type: Value.Type) -> (any IdentityReading)? {
  func make<Known: Identifiable>(_ type: Known.Type) -> any IdentityReading {
    IdentifiableReader<Known>()
  }
  return (type as? any Identifiable.Type).map { make($0) }
}
