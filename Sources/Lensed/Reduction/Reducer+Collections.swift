extension Reducer {
  /// The reducer of a dictionary that reduces the value of one key, in place.
  ///
  /// It handles `ElementAction(id: key, action: a)`. A key that is not there leaves the dictionary
  /// untouched: the reducer does not run.
  ///
  /// - Complexity: O(1) on average, whatever the size of the dictionary.
  @inlinable
  public func keyed<Key: Hashable & Sendable>() -> Reducer<[Key: State]> {
    keyed(by: Key.self)
  }

  /// The reducer of a dictionary with keys of the given type.
  @inlinable
  public func keyed<Key: Hashable & Sendable>(by key: Key.Type) -> Reducer<[Key: State]> {
    overElements(
      { (elements: inout [Key: State], key: Key, body) in
        guard let index = elements.index(forKey: key) else { return false }
        return StateAddress.editing(&elements.values[index], as: State.self, body)
      }, contains: { elements, key in elements[key] != nil })
  }

  /// The reducer of an array that reduces the element at one offset, in place.
  ///
  /// It handles `ElementAction(id: offset, action: a)`. An offset out of range leaves the array
  /// untouched: the reducer does not run.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func offset() -> Reducer<[State]> {
    overElements { (elements: inout [State], offset: Int, body) in
      guard elements.indices.contains(offset) else { return false }
      return StateAddress.editing(&elements[offset], as: State.self, body)
    }
  }

  /// The reducer of an array that reduces the element with one identity, in place.
  ///
  /// It handles `ElementAction(id: element.id, action: a)`. An identity that is not there leaves the
  /// array untouched: the reducer does not run.
  ///
  /// - Complexity: O(*n*) in the number of elements; a dictionary and `keyed()` are O(1).
  @inlinable
  public func identified() -> Reducer<[State]>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    overElements(
      { (elements: inout [State], id: State.ID, body) in
        guard let index = elements.firstIndex(where: { $0.id == id }) else { return false }
        return StateAddress.editing(&elements[index], as: State.self, body)
      }, contains: { elements, id in elements.contains { $0.id == id } },
      doubled: { elements, id in
        elements.firstIndex { $0.id == id } != elements.lastIndex { $0.id == id }
      })
  }

  /// The reducer of `Entities` that reduces the element with one identity, in place.
  ///
  /// It handles `ElementAction(id: element.id, action: a)`. An identity that is not there leaves the
  /// collection untouched: the reducer does not run.
  ///
  /// - Complexity: O(1).
  @_disfavoredOverload
  @inlinable
  public func identified() -> Reducer<Entities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    overElements(
      { (elements: inout Entities<State>, id: State.ID, body) in
        elements.modify(id: id) { element in
          StateAddress.editing(&element, as: State.self, body)
        } ?? false
      }, contains: { elements, id in elements.contains(id: id) })
  }

  /// The reducer of `SortedEntities` that reduces the element with one identity, in place, and then moves it to
  /// its place.
  ///
  /// It handles `ElementAction(id: element.id, action: a)`. An identity that is not there leaves the
  /// collection untouched: the reducer does not run.
  ///
  /// - Complexity: O(log *n*) comparisons, and O(*n*) in integers where the element moves.
  @_disfavoredOverload
  public func identified() -> Reducer<SortedEntities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    overElements(
      { (elements: inout SortedEntities<State>, id: State.ID, body) in
        elements.modify(id: id) { element in
          StateAddress.editing(&element, as: State.self, body)
        } ?? false
      }, contains: { elements, id in elements.contains(id: id) })
  }

  /// The reducer of a collection whose elements have ids, of which `contains` knows one.
  @inlinable
  func overElements<Elements, ID: Hashable & Sendable>(
    _ access: @escaping @Sendable (inout Elements, ID, (StateAddress) -> Bool) -> Bool,
    contains: @escaping @Sendable (Elements, ID) -> Bool,
    doubled: (@Sendable (Elements, ID) -> Bool)? = nil
  ) -> Reducer<Elements> {
    var isDoubled: (@Sendable (_ elements: StateAddress, _ id: StateAddress) -> Bool)?
    if let doubled {
      isDoubled = { elements, id in doubled(elements.read(Elements.self), id.read(ID.self)) }
    }
    let element = ElementIdentity(
      of: ObjectIdentifier(Elements.self), hash: { id in id.edit(ID.self) { $0.hashValue } },
      contains: { elements, id in
        elements.edit(Elements.self) { elements in
          id.edit(ID.self) { contains(elements, $0) }
        }
      },
      doubled: isDoubled)
    return Reducer<Elements>(
      cases: cases.map { answer in
        answer.overElements(ID.self, element: element) { place, id, body in
          place.edit(Elements.self) { access(&$0, id.read(ID.self), body) }
        }
      })
  }

  @inlinable
  func overElements<Elements, ID: Hashable & Sendable>(
    _ access: @escaping @Sendable (inout Elements, ID, (StateAddress) -> Bool) -> Bool
  ) -> Reducer<Elements> {
    Reducer<Elements>(
      cases: cases.map { answer in
        answer.overElements(ID.self) { place, id, body in
          place.edit(Elements.self) { access(&$0, id.read(ID.self), body) }
        }
      })
  }
}

extension ReducerCase {
  /// The case of a collection that runs this one on the element that an `ElementAction` names.
  @usableFromInline
  func overElements<ID: Hashable & Sendable>(
    _ id: ID.Type, element: ElementIdentity? = nil,
    _ access: @escaping @Sendable (StateAddress, StateAddress, (StateAddress) -> Bool) -> Bool
  ) -> ReducerCase {
    guard case .one(let type, let run) = body else {
      return ReducerCase(body, fault: .everyActionOverElements)
    }
    let offset = offset
    let layout = Self.elementAction(type, id)
    return ReducerCase(
      layout.type, fault: fault, elementDepth: elementDepth + 1,
      element: element?.moved(by: layout.id),
      perhaps: { elements, action in
        access(elements, action.advanced(by: layout.id)) { element in
          run(element.advanced(by: offset), action.advanced(by: layout.action))
        }
      }
    ).reading(of: self) { $0.overElements(ID.self, element: element, access) }
      .finding(
        child(
          inElementOf: ID.self, idAt: layout.id, actionAt: layout.action, element, access))
  }

  private static func elementAction<ID: Sendable, A: Action>(
    _ type: A.Type, _ id: ID.Type
  ) -> (type: any Action.Type, id: Int, action: Int) {
    (
      ElementAction<ID, A>.self,
      requiredOffset(of: \ElementAction<ID, A>.id),
      requiredOffset(of: \ElementAction<ID, A>.action)
    )
  }
}
