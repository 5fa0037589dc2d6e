// Which child an action is for that is not there. It is looked for when no reducer ran, and only for a warning.

extension ReducerCase {
  /// What is missing in a collection that lends an element by its id.
  func missing<ID: Hashable & Sendable>(
    inElementOf id: ID.Type, idAt idOffset: Int, actionAt actionOffset: Int,
    _ access: @escaping @Sendable (StateAddress, StateAddress, (StateAddress) -> Bool) -> Bool
  ) -> FindMissing {
    { [offset, missing] elements, action in
      let place = action.advanced(by: idOffset)
      let ids = [AnyID(place.read(ID.self))]
      var found: MissingChild? = MissingChild(.element, ids: ids)
      _ = access(elements, place) { element in
        let inner = missing?(element.advanced(by: offset), action.advanced(by: actionOffset))
        found = inner?.inside(.element, ids: ids)
        return false
      }
      return found
    }
  }

  /// This case as that of a whole that holds its state under a name.
  @usableFromInline
  func named<Root, Part>(_ lens: Lens<Root, Part>) -> ReducerCase {
    guard let missing else { return self }
    return self.missing { state, action in missing(state, action)?.inside(ChildName(lens)) }
  }

  /// What is missing for actions that hold those of this case so many bytes behind their start.
  func missing(behind distance: Int) -> FindMissing? {
    guard let missing else { return nil }
    return { state, action in missing(state, action.advanced(by: distance)) }
  }

  /// What is missing for wide actions, of which a prism extracts those of this case.
  func missing<Wide, Narrow>(extracting prism: Prism<Wide, Narrow>) -> FindMissing? {
    guard let missing else { return nil }
    return { state, action in
      guard let narrow = prism.extract(action.read(Wide.self)) else { return nil }
      return StateAddress.reading(narrow, as: Narrow.self) { missing(state, $0) }
    }
  }
}
