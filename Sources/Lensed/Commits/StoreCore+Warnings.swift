extension StoreCore {
  /// The warnings that no reducer took some actions: because none handles their type, or because the element
  /// is not there that they are for.
  @inline(never)
  func warnings(
    of batch: Batch, onRoute index: Int, from site: CallSite?, _ protected: borrowing Protected
  ) -> [StoreWarning] {
    let route = protected.router.route(index)
    if route.lend({ $0.count == 0 }) {
      if !protected.listeners.listeners(ofRoute: index).listeners.isEmpty { return [] }
      if warnings?.isFirst(unhandled: batch.type) != true { return [] }
      return batch.members().prefix(1).map { action in
        foreignElement(action, from: site, protected)
          ?? StoreWarning(.unhandledAction, action: action, at: site)
      }
    }
    return warnings(.missingElement, of: batch, onRoute: route, from: site, protected)
  }

  /// The warnings that some actions are for elements of which there are two.
  @inline(never)
  func doubleWarnings(
    of batch: Batch, onRoute index: Int, from site: CallSite?, _ protected: borrowing Protected
  ) -> [StoreWarning] {
    let route = protected.router.route(index)
    if !route.lend({ $0.isDoubled(batch.first) }) { return [] }
    return warnings(.doubledElement, of: batch, onRoute: route, from: site, protected)
  }

  private func warnings(
    _ kind: StoreWarning.Kind, of batch: Batch, onRoute route: Unretained<Route>,
    from site: CallSite?, _ protected: borrowing Protected
  ) -> [StoreWarning] {
    if !StoreWarning.isForElements(batch.type) { return [] }
    let properties = route.lend(\.slots).compactMap { slot in
      protected.table.name(of: slot).map { "`\($0)`" }
    }
    let actions = batch.isArray ? batch.members() : [batch.boxed()]
    return actions.enumerated().compactMap { index, action in
      var warning = StoreWarning(kind, action: action, at: site)
      warning.property = properties.joined(separator: ", ")
      if kind == .missingElement {
        let place = batch.first.advanced(by: index * batch.stride)
        warning.missingChildren = route.lend { $0.missingChildren(of: place) }
        // A reducer may have passed over it though the element is there.
        if warning.missingChildren.isEmpty { return nil }
      }
      return warning
    }
  }

  /// The warnings that some actions are for children that are not there, of those that effects alone handle.
  ///
  /// The effects see the state after all of the actions. So it is that state in which the children are looked for.
  @inline(never)
  func childWarnings(
    of request: CommitRequest, _ protected: borrowing Protected
  ) -> [StoreWarning] {
    if warnings == nil || request.isReplay { return [] }
    switch request.content {
    case .batch(let batch):
      guard let listeners = listenersInChildren(of: batch.type, protected) else { return [] }
      return batch.members().compactMap { childWarning(of: $0, listeners, from: request.site) }
    case .list(let actions):
      return actions.compactMap { action in
        listenersInChildren(of: type(of: action), protected).flatMap {
          childWarning(of: action, $0, from: request.site)
        }
      }
    case .result, .replacement, .partReplacement:
      return []
    }
  }

  /// The listeners of a type of actions for elements, if nothing but effects in children handles it.
  private func listenersInChildren(
    of type: any Action.Type, _ protected: borrowing Protected
  ) -> ActionListeners? {
    guard let index = protected.router.index(of: ObjectIdentifier(type)) else { return nil }
    let listeners = protected.listeners.listeners(ofRoute: index)
    guard listeners.areInChildren, StoreWarning.isForElements(type),
      protected.router.route(index).lend(\.slots.isEmpty)
    else { return nil }
    return listeners
  }

  private func childWarning(
    of action: any Action, _ listeners: ActionListeners, from site: CallSite?
  ) -> StoreWarning? {
    guard let missing = listeners.missing(for: action, in: state) else { return nil }
    var warning = StoreWarning(.missingElement, action: action, at: site)
    warning.property = missing.parts.map { "`\($0)`" }.joined(separator: ", ")
    warning.missingChildren = missing.children
    return warning
  }

  /// The warning that an unhandled action would be handled if its id were of another type.
  private func foreignElement(
    _ action: any Action, from site: CallSite?, _ protected: borrowing Protected
  ) -> StoreWarning? {
    guard let type = type(of: action) as? any AnyElementAction.Type else { return nil }
    for owner in protected.owners {
      for answer in owner.cases {
        guard let known = answer.type as? any AnyElementAction.Type,
          known.addressedType == type.addressedType, known.elementType != type.elementType
        else { continue }
        var warning = StoreWarning(.foreignElement, action: action, at: site)
        warning.property = "`\(owner.footprint.name)`"
        warning.idType = "\(known.elementType)"
        return warning
      }
    }
    return nil
  }
}
