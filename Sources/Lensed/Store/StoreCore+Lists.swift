extension StoreCore {
  /// Dispatches an action that stands for others, or that middleware is asked about: one commit up to
  /// the first asynchronous one, then one by one.
  func dispatch(
    list action: any Action, past gates: [ErasedMiddleware], from site: CallSite, isFocused: Bool,
    under lineage: CommitRequest.Parent, read: (StateAddress) -> Void
  ) -> DispatchTask {
    var list = FlatList { action, first in
      for (index, gate) in gates.enumerated().dropFirst(first) {
        switch gate.judge(action, site) {
        case .proceed: continue
        case .drop: return .drop
        case .replace(let other): return .replace(with: other, next: index + 1)
        }
      }
      return .proceed
    }
    list.append(action)
    if isFocused && !list.isSynchronous { trapUnfocused(action, site) }
    if list.isSynchronous {
      return DispatchTask(
        commit(list, seenAs: action, from: site, isFocused, under: lineage, read: read),
        hasHandle: lineage.hasHandle)
    }
    guard let work = openWork(from: site, under: lineage) else { return DispatchTask() }
    _ = commit(list, seenAs: action, from: site, isFocused, under: .part(of: work), read: read)
    let rest = list.rest
    return start(work, from: site) { sink in
      for member in rest { try await sink.takeWhole(member) }
    }
  }

  /// Commits what of a list is synchronous, if there is anything.
  private func commit(
    _ list: FlatList, seenAs action: any Action, from site: CallSite, _ isFocused: Bool,
    under lineage: CommitRequest.Parent, read: (StateAddress) -> Void
  ) -> WorkNode? {
    if list.leaves.isEmpty { return nil }
    let occasion = CommitRequest(
      action: list.seen(as: action), members: list.leaves, site: site, lineage: lineage,
      isFocused: isFocused)
    return commit(occasion, read: read) { protected, revision in
      self.run(list.leaves, revision, &protected)
    }
  }

  /// Applies actions that were applied before, as one commit: the reducers run, and nothing is started.
  func replay(_ actions: [any Action], from site: CallSite) {
    let action: any Action = actions.count == 1 ? actions[0] : ActionList(actions)
    let occasion = CommitRequest(action: action, members: actions, site: site, isReplay: true)
    commit(occasion) { protected, revision in self.run(actions, revision, &protected) }
  }

  /// Runs actions of any types; gives what they show and the sub-states they may have touched.
  private func run(
    _ actions: [any Action], _ revision: UInt64, _ protected: inout Protected
  ) -> (CommitFlags, TouchedParts) {
    // Most often all are of one type, and what its route reaches is known.
    var reach: TouchedParts?
    var slots: Set<Int> = []
    var signs: CommitFlags = []
    var last: ObjectIdentifier?
    for action in actions {
      let type = Swift.type(of: action)
      let (route, index) = route(of: type, &protected)
      progress.value.route = route
      if last != ObjectIdentifier(type) {
        last = ObjectIdentifier(type)
        if let reach { slots.formUnion(reach.slots) }
        reach = protected.router.reach(index)
      }
      withPlace(of: action) { place in
        signs.formUnion(route.lend { $0.all(place, revision) })
      }
    }
    guard let reach, slots.isEmpty else {
      return (signs, TouchedParts(slots.union(reach?.slots ?? []).sorted(), protected.ownership))
    }
    return (signs, reach)
  }

  private func withPlace<A: Action>(of action: A, _ body: (StateAddress) -> Void) {
    StateAddress.reading(action, as: A.self, body)
  }

  @inline(never)
  private func trapUnfocused(_ action: any Action, _ site: CallSite) -> Never {
    fatalError(
      """
      Lensed: `\(Swift.type(of: action))` was dispatched with focusingOn: at \(site), but it holds an \
      asynchronous sequence, whose outcome is not there when dispatch returns. Dispatch it without \
      focusingOn:, wait for finish(), and read the state.
      """)
  }
}
