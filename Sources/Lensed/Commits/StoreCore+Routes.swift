extension StoreCore {
  /// Whether there is a route for a type already.
  func isRouted(_ type: any Action.Type, _ protected: inout Protected) -> Bool {
    let key = ObjectIdentifier(type)
    return cache.entry(of: key) != nil || protected.router.index(of: key) != nil
  }

  func areRouted(_ actions: [any Action], _ protected: inout Protected) -> Bool {
    var areRouted = true
    actions.lendRuns { areRouted = areRouted && isRouted($0.type, &protected) }
    return areRouted
  }

  /// The number of the route of a type; the route is made if there is none yet.
  func routeIndex(of type: any Action.Type, _ protected: inout Protected) -> Int {
    let key = ObjectIdentifier(type)
    if let cached = cache.entry(of: key) {
      return cached.lend(RouteCacheEntry.self) { $0.index }
    }
    let index = protected.router.index(of: key) ?? addRoute(of: type, &protected)
    if let place = cache.place(for: key) { protected.router.copyEntry(index, into: place) }
    return index
  }

  private func addRoute(of type: any Action.Type, _ protected: inout Protected) -> Int {
    assertLocked()
    let table = protected.table
    let noting = running.place.advanced(
      by: ReducerCase.requiredOffset(of: \RunningReducer.running))
    let route = Route(
      type, protected.owners, protected.ownership, in: state, noting: noting, rows: table.rows.sink
    ) { table.slotRecord($0).place }
    let hasListeners = protected.listeners.addRoute(of: type, through: route.slots)
    return protected.router.add(route, isPlain: !hasListeners, cache)
  }
}
