/// The name of one element of a collection, as the label of a path.
@usableFromInline
final class RowLabel: Sendable {
  /// The type of the collection.
  let collection: ObjectIdentifier
  /// Where the collection lies in the whole, if it has a fixed place.
  let bytes: Range<Int>?
  let hash: Int
  /// Lends the address of the id.
  private let lend: @Sendable (_ body: (StateAddress) -> Bool) -> Bool
  /// The id.
  let id: AnyID
  /// Whether the element has the id at an address, which is of the type of the collection's ids.
  let isOf: @Sendable (_ id: StateAddress) -> Bool

  /// The label of the element with an id, in a collection of a type.
  @usableFromInline
  init<ID: Hashable & Sendable>(
    _ id: ID, in collection: any Any.Type, at bytes: Range<Int>?
  ) {
    self.collection = ObjectIdentifier(collection)
    self.bytes = bytes
    hash = id.hashValue
    self.id = AnyID(id)
    lend = { body in StateAddress.reading(id, as: ID.self, body) }
    isOf = { other in other.edit(ID.self) { $0 == id } }
  }

  /// Whether two labels of collections of one type are of one element.
  func isSame(_ other: RowLabel) -> Bool { hash == other.hash && lend(other.isOf) }

  /// The same element, seen from a larger whole; `distance` is nil where that has no fixed place for it.
  func moved(by distance: Int?) -> RowLabel {
    RowLabel(
      copying: self,
      at: distance.flatMap { distance in
        bytes.map { ($0.lowerBound + distance)..<($0.upperBound + distance) }
      })
  }

  private init(copying other: RowLabel, at bytes: Range<Int>?) {
    (collection, hash, lend, isOf) = (other.collection, other.hash, other.lend, other.isOf)
    id = other.id
    self.bytes = bytes
  }
}
