/// What a scope does to the actions that pass through it.
@usableFromInline
protocol ActionTransform: Sendable {
  func send(_ action: some Action, from site: CallSite) -> DispatchTask
  func send(array actions: [some Action], from site: CallSite) -> DispatchTask
  func send(
    _ action: some Action, from site: CallSite, thenReading read: (StateAccess) -> Void)
  /// What the scope's feature would know a dispatched action as.
  func untagged(_ action: any Action) -> any Action
}

extension ActionTransform {
  func untagged(_ action: any Action) -> any Action { action }
}

/// Hands actions to the store as they are.
struct Untagged: ActionTransform {
  let core: StoreCore

  func send(_ action: some Action, from site: CallSite) -> DispatchTask {
    core.dispatch(action, from: site)
  }

  func send(array actions: [some Action], from site: CallSite) -> DispatchTask {
    core.dispatch(array: actions, from: site)
  }

  func send(
    _ action: some Action, from site: CallSite, thenReading read: (StateAccess) -> Void
  ) {
    core.dispatch(action, from: site, thenReading: read)
  }
}

/// Tags actions, then hands them on.
struct Tagging<Tag>: ActionTransform {
  let inner: any ActionTransform

  func send(_ action: some Action, from site: CallSite) -> DispatchTask {
    inner.send(action.tagged(Tag.self), from: site)
  }

  func send(array actions: [some Action], from site: CallSite) -> DispatchTask {
    inner.send(array: actions.map { $0.tagged(Tag.self) }, from: site)
  }

  func send(
    _ action: some Action, from site: CallSite, thenReading read: (StateAccess) -> Void
  ) {
    inner.send(action.tagged(Tag.self), from: site, thenReading: read)
  }

  func untagged(_ action: any Action) -> any Action {
    strip(inner.untagged(action))
  }

  private func strip(_ action: any Action) -> any Action {
    switch action {
    case let tagged as any AnyTagged where type(of: tagged).tag == Tag.self: tagged.untagged
    case let tagged as any TaggedList where type(of: tagged).tag == Tag.self: tagged.untagged
    case let list as ActionList: list.mapLeaves(strip)
    default: action
    }
  }
}
