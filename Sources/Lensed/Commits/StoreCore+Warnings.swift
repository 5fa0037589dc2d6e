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
    return actions.map { action in
      var warning = StoreWarning(kind, action: action, at: site)
      warning.property = properties.joined(separator: ", ")
      return warning
    }
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
