extension StoreCore {
  /// Dispatches an action that stands for others: one commit up to the first asynchronous one, then
  /// one by one.
  func dispatch(
    list action: any Action, from site: CallSite, isFocused: Bool, read: (Place) -> Void
  ) -> DispatchTask {
    var list = FlatList()
    list.append(action)
    if isFocused && !list.isSynchronous { trapUnfocused(action, site) }
    if !list.leaves.isEmpty {
      let seen = list.isSynchronous ? action : ActionList(list.leaves)
      commit(seenAs: seen, from: site, read: read) { guts, revision in
        self.run(list.leaves, revision, &guts)
      }
    } else if isFocused {
      withState(read)
    }
    if list.isSynchronous { return DispatchTask() }
    let rest = list.rest
    return spawn(from: site) { sink in
      for member in rest { try await sink.takeWhole(member) }
    }
  }

  /// Runs actions of any types; gives what they show and the sub-states they may have touched.
  private func run(
    _ actions: [any Action], _ revision: UInt64, _ guts: inout Guts
  ) -> (Signs, [Int]) {
    var slots: Set<Int> = []
    var signs: Signs = []
    var last: ObjectIdentifier?
    for action in actions {
      let type = type(of: action)
      let (route, index) = route(of: type, &guts)
      progress.value.route = route
      if last != ObjectIdentifier(type) {
        last = ObjectIdentifier(type)
        slots.formUnion(guts.router.slots(index))
      }
      withPlace(of: action) { place in
        signs.formUnion(route.lend { $0.run(state, place, revision) })
      }
    }
    return (signs, slots.sorted())
  }

  private func withPlace(of action: some Action, _ body: (Place) -> Void) {
    Place.reading(action, body)
  }

  @inline(never)
  private func trapUnfocused(_ action: any Action, _ site: CallSite) -> Never {
    fatalError(
      """
      Lensed: `\(type(of: action))` was dispatched with focusingOn: at \(site), but it holds an \
      asynchronous sequence, whose outcome is not there when dispatch returns. Dispatch it without \
      focusingOn:, wait for finish(), and read the state.
      """)
  }
}

/// A list of actions without the lists in it.
private struct FlatList {
  /// What comes before the first asynchronous member.
  private(set) var leaves: [any Action] = []
  /// The first asynchronous member and what follows it.
  private(set) var rest: [any Action] = []
  /// The type of the last leaf: most lists repeat a few types, and asking what one is takes long.
  private var leaf: (any Action.Type)?

  var isSynchronous: Bool { rest.isEmpty }

  mutating func append(_ action: any Action) {
    if rest.isEmpty && type(of: action) == leaf {
      leaves.append(action)
    } else if action is any AsynchronousAction {
      rest.append(action)
    } else if let list = action as? any CompositeAction {
      if rest.isEmpty {
        for member in list.members { append(member) }
      } else {
        rest.append(action)
      }
    } else if rest.isEmpty {
      leaf = type(of: action)
      leaves.append(action)
    } else {
      rest.append(action)
    }
  }
}
