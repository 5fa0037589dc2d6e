extension StoreCore {
  /// The warnings that no reducer took some actions: because none handles their type, or because the element
  /// is not there that they are for.
  @inline(never)
  func warnings(
    of batch: Batch, onRoute index: Int, from site: CallSite?, _ protected: borrowing Protected
  ) -> [StoreWarning] {
    let route = protected.router.route(index)
    if route.lend(\.handlers.isEmpty) {
      if !protected.listeners.listeners(ofRoute: index).listeners.isEmpty { return [] }
      if warnings?.isFirst(unhandled: batch.type) != true { return [] }
      return batch.members().prefix(1).map {
        StoreWarning(.unhandledAction, action: $0, at: site)
      }
    }
    if !StoreWarning.isForElements(batch.type) { return [] }
    let properties = route.lend(\.slots).compactMap { slot in
      protected.table.name(of: slot).map { "`\($0)`" }
    }
    let actions = batch.isArray ? batch.members() : [batch.boxed()]
    return actions.map { action in
      var warning = StoreWarning(.missingElement, action: action, at: site)
      warning.property = properties.joined(separator: ", ")
      return warning
    }
  }
}
