/// Which element of which collection an action is for, as a case over elements knows it.
@usableFromInline
final class ElementIdentity: Sendable {
  /// The type of the collection.
  let collection: ObjectIdentifier
  /// Where the id lies in the action.
  private let offset: Int
  private let hash: @Sendable (_ id: StateAddress) -> Int

  @usableFromInline
  init(
    of collection: ObjectIdentifier, idAt offset: Int = 0,
    hash: @escaping @Sendable (_ id: StateAddress) -> Int
  ) {
    self.collection = collection
    self.offset = offset
    self.hash = hash
  }

  /// The identity for actions that have the present ones so many bytes behind their start.
  func moved(by distance: Int) -> ElementIdentity {
    ElementIdentity(of: collection, idAt: offset + distance, hash: hash)
  }

  /// The row that an action was for, where no row got another id.
  func row(in collection: StateAddress, of action: StateAddress) -> RowTouch.Row {
    let id = action.advanced(by: offset)
    return RowTouch.Row(
      collection: self.collection, place: collection, hash: hash(id), id: id)
  }

  /// The id in an action.
  func id<ID>(in action: StateAddress, as type: ID.Type) -> ID {
    action.advanced(by: offset).read(type)
  }
}
