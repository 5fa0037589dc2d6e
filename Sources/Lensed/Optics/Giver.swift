/// A value that a feature gives to whatever is in it, asked for by its type, and read at the address of a state.
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
  let copy: @Sendable (_ value: StateAddress) -> ValueBox

  private init(
    _ type: any Any.Type, footprint: Footprint, offset: Int?, depth: Int,
    copy: @escaping @Sendable (_ value: StateAddress) -> ValueBox, lend: @escaping Lend
  ) {
    (self.type, self.footprint, self.offset, self.depth) = (type, footprint, offset, depth)
    (self.copy, self.lend) = (copy, lend)
  }

  init<Value: Sendable>(_ part: PartPath<Value>) {
    let lend = part.lend
    self.init(
      Value.self, footprint: part.footprint, offset: part.offset, depth: 0,
      copy: { Boxed($0.read(Value.self)) }, lend: { state, _, body in lend(state, body) })
  }

  init<Value: Sendable>(constant value: Value) {
    self.init(
      Value.self, footprint: Footprint(ofAll: []), offset: nil, depth: 0,
      copy: { Boxed($0.read(Value.self)) },
      lend: { _, _, body in
        StateAddress.reading(value, as: Value.self, body)
        return true
      })
  }

  /// The same value in another state, which `lend` leads to.
  func moved(footprint: Footprint, offset: Int?, depth: Int, lend: @escaping Lend) -> Giver {
    Giver(type, footprint: footprint, offset: offset, depth: depth, copy: copy, lend: lend)
  }

  /// A copy of the value; nil while what has it is not there.
  func read(_ state: StateAddress, _ ids: ArraySlice<AnyID>) -> ValueBox? {
    var value: ValueBox?
    _ = lend(state, ids) { value = copy($0) }
    return value
  }

  func gives(_ other: any Any.Type) -> Bool { type == other }
}

/// What a part of the state is given, where an effect of a feature reads it.
final class PartGivers: Sendable {
  /// In terms of the state of the store; the nearest of each type.
  let givers: [Giver]
  /// The ids of the collections on the way to the part.
  let ids: [AnyID]

  init(_ givers: [Giver], ids: [AnyID]) { (self.givers, self.ids) = (givers, ids) }
}

/// Given values, as one commit left them; an object, because what a change holds of them is most often nil.
final class GivenValues: Sendable {
  /// Those that give them, in terms of the state of the store.
  let givers: [Giver]
  private let find: @Sendable (_ type: any Any.Type) -> ValueBox?

  init(of givers: [Giver], _ find: @escaping @Sendable (_ type: any Any.Type) -> ValueBox?) {
    (self.givers, self.find) = (givers, find)
  }

  convenience init(of givers: [Giver], in state: StateAddress, _ ids: [AnyID]) {
    let values = givers.compactMap { giver in
      giver.read(state, ids[...]).map { (type: giver.type, box: $0) }
    }
    self.init(of: givers) { type in values.first { $0.type == type }?.box }
  }

  func value(of type: any Any.Type) -> ValueBox? { find(type) }
}
