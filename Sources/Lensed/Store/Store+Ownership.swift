extension Store {
  /// Who owns what, and which actions each reducer and effect handles and where it is written: names, as a value.
  ///
  /// ```swift
  /// print(store.wiring)
  /// ```
  ///
  /// - Complexity: O(*n*) in the number of parts and effects; the names are put together without the lock.
  public var wiring: StoreWiring { view.core.wiring }
}

extension Store {
  /// The types of the actions that the owner of a part handles; nil where the part has no owner.
  ///
  /// A reducer of every action counts as one of `any Action`.
  package func actionTypes<Value>(ownedBy lens: some LensLike<State, Value>) -> [any Any.Type]? {
    let footprint = lens.asLens.footprint
    return view.core.withLock("looked up an owner") { protected in
      let owner = protected.owners.first { $0.footprint.overlap(with: footprint) == .same }
      return owner?.cases.map(\.handledType)
    }
  }

  /// The types of the actions that some owner handles.
  package var handledActionTypes: [any Any.Type] {
    view.core.withLock("looked up its owners") { protected in
      protected.owners.flatMap(\.cases).map(\.handledType)
    }
  }
}

extension ReducerCase {
  /// The one type of action that the case handles, or that of every action.
  fileprivate var handledType: any Any.Type {
    if let type { type } else { (any Action).self }
  }
}
