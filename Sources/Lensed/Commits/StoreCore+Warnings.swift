// The warnings that a commit finds: about actions that no reducer and no effect took. They are found under the lock, and
// described without it.

extension StoreCore {
  @usableFromInline
  func noteOverdueDeliveries() { warnings?.report(StoreWarning(.overdueDeliveries)) }

  /// Adds the warnings about an action that was reduced, by the flags of its reducers; before the next one is reduced,
  /// because that might dismiss the child that this one reached.
  ///
  /// `mayMiss` is true of an action by which an effect in a child tells how its run ended: the child may have gone. What
  /// is missing for the reducers might be there for effects, which see the state after all actions: `completeWarnings`
  /// looks there.
  @inline(never)
  func noteWarnings(
    of action: ActionBatch, _ flags: CommitFlags, onRoute index: Int,
    from site: CallSite?, mayMiss: Bool, _ protected: inout Protected,
    _ warnings: inout [StoreWarning]
  ) {
    if flags.contains(.handled) { return }
    let route = protected.router.route(index)
    let listeners = protected.listeners.listeners(ofRoute: index)
    if route.lend({ $0.count == 0 }) && !(listeners.selectType && listeners.areInChildren) {
      if !listeners.selectType, let warning = unhandledWarning(of: action, from: site, protected) {
        warnings.append(warning)
      }
      return
    }
    if mayMiss { return }
    if !route.lend(\.namesElements) && !listeners.nameElements
      && ActionForm(of: action.type).ids.isEmpty
    {
      return
    }
    let search = route.lend { $0.search(for: action.first) { name(of: $0, protected) } }
    if search.isReached || (search.isEmpty && !listeners.areInChildren) { return }
    warnings.append(StoreWarning(missingFor: action.member(0), at: site, search))
  }

  /// Removes the warnings about actions whose child is there for some effect, and adds what is missing for
  /// effects; after all actions of a commit.
  @inline(never)
  func completeWarnings(_ warnings: inout [StoreWarning], _ protected: borrowing Protected) {
    var complete: [StoreWarning] = []
    for warning in warnings {
      guard warning.kind == .missingElement, let action = warning.action,
        let index = protected.router.index(of: ObjectIdentifier(type(of: action)))
      else {
        complete.append(warning)
        continue
      }
      var search = warning.search
      let areAlone = protected.router.route(index).lend { $0.count == 0 }
      protected.listeners.listeners(ofRoute: index)
        .findChildren(for: action, in: state, areAlone: areAlone, into: &search)
      if search.missing == nil { continue }
      complete.append(StoreWarning(missingFor: action, at: warning.site, search))
    }
    warnings = complete
  }

  private func name(of slot: Int, _ protected: borrowing Protected) -> String {
    protected.table.name(of: slot) ?? "the state"
  }

  /// The warning that nothing handles a type of actions, the first time.
  private func unhandledWarning(
    of batch: ActionBatch, from site: CallSite?, _ protected: borrowing Protected
  ) -> StoreWarning? {
    if warnings?.isFirst(unhandled: batch.type) != true { return nil }
    let action = batch.member(0)
    return foreignElement(action, from: site, protected)
      ?? StoreWarning(.unhandledAction, action: action, at: site)
  }

  /// The warning that an unhandled action would be handled if its ids were of other types.
  private func foreignElement(
    _ action: any Action, from site: CallSite?, _ protected: borrowing Protected
  ) -> StoreWarning? {
    let form = ActionForm(of: type(of: action))
    if form.ids.isEmpty { return nil }
    var takers: [(part: String?, ids: String)] = []
    for handled in handledTypes(protected) {
      let known = ActionForm(of: handled.type)
      if !form.differsInIDs(from: known) { continue }
      let ids = known.ids.map { "\(code: $0)" }.joined(separator: ", and in these ")
      let part = handled.part.map { "\(code: $0)" }
      if !takers.contains(where: { $0 == (part, ids) }) { takers.append((part, ids)) }
    }
    if takers.isEmpty { return nil }
    var warning = StoreWarning(.foreignElement, action: action, at: site)
    let parts = takers.compactMap(\.part)
    warning.property = parts.isEmpty ? nil : parts.joined(separator: ", ")
    warning.takers = takers.map {
      "\($0.part ?? "the state") takes such actions for elements with ids of type \($0.ids)"
    }
    return warning
  }

  /// The types of actions that reducers and effects handle, each with the name of its part.
  private func handledTypes(
    _ protected: borrowing Protected
  ) -> [(type: any Action.Type, part: String?)] {
    protected.owners.flatMap { owner in
      owner.cases.compactMap(\.type).map { ($0, owner.footprint.name) }
    } + protected.listeners.selectedTypes
  }
}

// MARK: Their log

/// The warnings of one store, each reported once; the handler is called without any lock.
final class WarningLog: Sendable {
  /// Beyond it the keys are removed, so that a store that is misused for days needs bounded memory.
  private static let limit = 1_000

  private let handler: StoreWarningHandler
  private let probe: StoreProbe?
  private let keys = Locked<Set<String>>([])
  private let unhandled = Locked<Set<ObjectIdentifier>>([])

  init(_ handler: @escaping StoreWarningHandler, probe: StoreProbe? = nil) {
    self.handler = handler
    self.probe = probe
  }

  /// Whether a type of action is found unhandled for the first time; nothing is allocated for a later one.
  func isFirst(unhandled type: any Action.Type) -> Bool {
    unhandled.withLock { $0.insert(ObjectIdentifier(type)).inserted }
  }

  func report(_ warning: StoreWarning) {
    probe?.onWarning(warning)
    if let key = warning.key {
      let isNew = keys.withLock { keys in
        if keys.count >= Self.limit { keys = [] }
        return keys.insert(key).inserted
      }
      if !isNew { return }
    }
    handler(warning)
  }

  /// The log of a store: it calls `handler`, or else writes lines in debug builds; nil in other builds.
  static func make(_ handler: StoreWarningHandler?) -> WarningLog? {
    if let probe = StoreProbe.current { return WarningLog(handler ?? { _ in }, probe: probe) }
    if let handler { return WarningLog(handler) }
    #if DEBUG
      return WarningLog { StandardError.write(line: "\($0)") }
    #else
      return nil
    #endif
  }
}
