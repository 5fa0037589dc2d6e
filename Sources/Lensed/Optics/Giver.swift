/// A value that a feature gives to whatever is in it, and that is asked for by its type.
///
/// It knows no type but that of the value: the state that has the value is given by its address.
struct Giver: Sendable {
  /// Lends the value in a state, with the ids of the collections on the way from the outside in; returns false, and
  /// calls nothing, while what has it is not there.
  typealias Lend =
    @Sendable (
      _ state: StateAddress, _ ids: ArraySlice<AnyID>, _ body: (_ value: StateAddress) -> Void
    ) -> Bool

  let type: any Any.Type
  /// The part of the state that the value lies in, or is computed of; empty for a constant.
  let footprint: Footprint
  /// Where the value lies in the state, in bytes, if it has a fixed place.
  let offset: Int?
  /// How many collections are on the way.
  let depth: Int
  let lend: Lend

  init(
    _ type: any Any.Type, footprint: Footprint, offset: Int?, depth: Int, lend: @escaping Lend
  ) {
    (self.type, self.footprint, self.offset, self.depth) = (type, footprint, offset, depth)
    self.lend = lend
  }

  /// A part of the state.
  init<Value>(_ part: PartPath<Value>) {
    let lend = part.lend
    self.init(Value.self, footprint: part.footprint, offset: part.offset, depth: 0) {
      state, _, body in lend(state, body)
    }
  }

  /// A value that never changes.
  init<Value: Sendable>(constant value: Value) {
    self.init(Value.self, footprint: Footprint(ofAll: []), offset: nil, depth: 0) { _, _, body in
      StateAddress.reading(value, as: Value.self, body)
      return true
    }
  }

  /// Whether it gives values of a type.
  func gives(_ other: any Any.Type) -> Bool { type == other }
}
