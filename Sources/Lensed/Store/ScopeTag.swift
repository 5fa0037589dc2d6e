/// What a scope does to the actions that pass through it.
@usableFromInline
protocol ScopeTag: Sendable {
  func send(_ action: some Action, from site: CallSite) -> DispatchTask
  func send(array actions: [some Action], from site: CallSite) -> DispatchTask
  func send(
    _ action: some Action, from site: CallSite, thenReading read: (StateAccess) -> Void)
}

/// Hands actions to the store as they are.
struct Untagged: ScopeTag {
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
struct Tagging<Tag>: ScopeTag {
  let inner: any ScopeTag

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
}
