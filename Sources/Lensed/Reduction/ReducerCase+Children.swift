// The child that an action is for, looked for in the state: for warnings, and where two elements may have one id.

extension ReducerCase {
  /// The finder of a collection that lends an element by its id.
  func child<ID: Hashable & Sendable>(
    inElementOf id: ID.Type, idAt idOffset: Int, actionAt actionOffset: Int,
    _ element: ElementIdentity?,
    _ access: @escaping @Sendable (StateAddress, StateAddress, (StateAddress) -> Bool) -> Bool
  ) -> ChildFinder {
    let (offset, find) = (offset, child?.find)
    let canBeDoubled = element?.canBeDoubled ?? false
    return ChildFinder(
      namesElements: true, canBeDoubled: canBeDoubled || child?.canBeDoubled ?? false
    ) { elements, action in
      let place = action.advanced(by: idOffset)
      // Boxed only where it is reported: that may allocate.
      func id() -> AnyID { AnyID(place.read(ID.self)) }
      if let element, canBeDoubled, element.isDoubled(in: elements, by: place) {
        return .isDoubled(DoubledIdentity(id()))
      }
      var presence: ChildPresence?
      _ = access(elements, place) { element in
        let inner = find?(element.advanced(by: offset), action.advanced(by: actionOffset))
        presence = inner?.inside(.element, ids: [id()]) ?? .isThere
        // The element is there that the action names, whatever is in it.
        if case .notMeant = presence { presence = .isThere }
        return false
      }
      return presence ?? .isMissing(ChildPlace(.element, ids: [id()]))
    }
  }

  /// This case as that of a whole that holds its state under a name.
  @usableFromInline
  func named<Root, Part>(_ lens: Lens<Root, Part>) -> ReducerCase {
    finding(child?.mapped { find in { find($0, $1).inside(ChildName(lens)) } })
      .reading(of: self) { $0.named(lens) }
  }

  /// The finder for actions that hold those of this case so many bytes behind their start.
  func child(behind distance: Int) -> ChildFinder? {
    child?.mapped { find in { find($0, $1.advanced(by: distance)) } }
  }

  /// The finder for wide actions, of which a prism extracts those of this case.
  func child<Wide, Narrow>(extracting prism: Prism<Wide, Narrow>) -> ChildFinder {
    (child ?? ChildFinder { _, _ in .isThere }).mapped { find in
      { state, action in
        guard let narrow = prism.extract(action.read(Wide.self)) else { return .notMeant }
        return StateAddress.reading(narrow, as: Narrow.self) { find(state, $0) }
      }
    }
  }
}
