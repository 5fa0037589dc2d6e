/// The surroundings of a running effect: the state, the change that triggered it, and `dispatch`.
///
/// ```swift
/// Effect<AppState>(on: SearchAction.self, .latest) { action, context in
///   let found = try await api.search(action.query, in: context.state.language)
///   context.dispatch(ResultsAction.found(found))
/// }
/// ```
///
/// It reads and observes the state like a store, and cannot write it. Its dispatches are part of the
/// work that the triggering dispatch can wait for and cancel; once the effect has been cancelled, none of
/// them is applied. It does not keep the store alive.
public struct EffectContext<State: Sendable>: StateObserving {
  /// The way to the state.
  public var view: StoreView<State> { home.value }
  /// The commit that triggered the effect: its action, the state after it, and the one before where the
  /// effect has a `when:`.
  public var change: Change<State> { trigger.change(of: home.value.part) }
  // On the heap, because a context is copied several times.
  private let home: Boxed<StoreView<State>>
  let trigger: TriggeringCommit<State>
  /// The work of this run; the dispatches of the run are its children.
  let work: WorkNode
  /// Transforms the actions on their way, where the effect was lifted or tagged.
  private let tag: Boxed<any ActionTransform>?

  init(
    home: Boxed<StoreView<State>>, trigger: TriggeringCommit<State>, work: WorkNode,
    tag: Boxed<any ActionTransform>? = nil
  ) {
    self.home = home
    self.trigger = trigger
    self.work = work
    self.tag = tag
  }

  private var outlet: EffectOutlet { EffectOutlet(core: home.value.core, work: work) }
  private var way: any ActionTransform { tag?.value ?? outlet }

  /// Dispatches one action of any kind.
  public func send<A: Action>(_ action: A, from site: CallSite) -> DispatchTask {
    if let tag { return tag.value.send(action, from: site) }
    return outlet.send(action, from: site)
  }

  /// Dispatches an array of actions of one type as one commit.
  public func send<A: Action>(array actions: [A], from site: CallSite) -> DispatchTask {
    way.send(array: actions, from: site)
  }

  /// Dispatches an action, and lends the state in the same critical section.
  public func send<A: Action>(
    _ action: A, from site: CallSite, thenReading read: (StateAccess) -> Void
  ) {
    way.send(action, from: site, thenReading: read)
  }

  /// Starts pulling a sequence of actions.
  public func send<S: AsyncSequence & Sendable>(
    sequence: S, from site: CallSite
  ) -> DispatchTask where S.Element: Action {
    way.send(AsyncActions(sequence), from: site)
  }

  /// Starts pulling a sequence of actions of different types.
  public func send<S: AsyncSequence & Sendable>(
    mixedSequence: S, from site: CallSite
  ) -> DispatchTask where S.Element == any Action {
    way.send(AsyncActions(mixedSequence), from: site)
  }

  /// The context of a feature that knows nothing of the app around it.
  func focused<Part: Sendable>(on lens: Lens<State, Part>) -> EffectContext<Part> {
    EffectContext<Part>(
      home: Boxed(view.appending(PartPath(lens))),
      trigger: .change(Boxed(change.focused(on: lens))),
      work: work, tag: tag)
  }

  /// The context of one of several instances.
  func tagged<Tag>(_ type: Tag.Type) -> EffectContext {
    through(Tagging<Tag>(inner: way))
  }

  /// The context inside an app with one wide action enum.
  func embedding<Wide: Action, Narrow: Action>(
    _ prism: Prism<Wide, Narrow>
  ) -> EffectContext {
    through(Embedding(inner: way, prism: prism))
  }

  private func through(_ tag: any ActionTransform) -> EffectContext {
    EffectContext(home: home, trigger: trigger, work: work, tag: Boxed(tag))
  }
}

/// Passes the actions of an effect to its store, until the effect is cancelled.
struct EffectOutlet: ActionTransform {
  let core: StoreCore
  let work: WorkNode

  func send(_ action: some Action, from site: CallSite) -> DispatchTask {
    core.dispatch(action, from: site, under: .child(of: work))
  }

  func send(array actions: [some Action], from site: CallSite) -> DispatchTask {
    core.dispatch(array: actions, from: site, under: .child(of: work))
  }

  func send(
    _ action: some Action, from site: CallSite, thenReading read: (StateAccess) -> Void
  ) {
    core.dispatch(action, from: site, under: .child(of: work), thenReading: read)
  }
}

/// Embeds narrow actions in the wide ones of an app.
struct Embedding<Wide: Action, Narrow: Action>: ActionTransform {
  let inner: any ActionTransform
  let prism: Prism<Wide, Narrow>

  func send(_ action: some Action, from site: CallSite) -> DispatchTask {
    inner.send(prism.embedded(action), from: site)
  }

  func send(array actions: [some Action], from site: CallSite) -> DispatchTask {
    send(actions, from: site)
  }

  func send(
    _ action: some Action, from site: CallSite, thenReading read: (StateAccess) -> Void
  ) {
    inner.send(prism.embedded(action), from: site, thenReading: read)
  }
}

extension Prism where Root: Action, Value: Action {
  /// The action with the narrow ones in it embedded, at any depth; others pass unchanged.
  fileprivate func embedded(_ action: any Action) -> any Action {
    switch action {
    case let narrow as Value:
      embed(narrow)
    case let list as ActionList:
      list.mapLeaves(embedded)
    case let list as any CompositeAction:
      ActionList(list.members.map(embedded))
    case let sequence as any AsynchronousAction:
      AsyncActions(base: self) { sink in
        try await sequence.feed(EmbeddingSink(sink: sink, prism: self))
      }
    default:
      action
    }
  }
}

/// Embeds the narrow actions that it takes, and passes all on.
private struct EmbeddingSink<Wide: Action, Narrow: Action>: ActionSink {
  let sink: any ActionSink
  let prism: Prism<Wide, Narrow>

  func take(_ action: some Action) async throws {
    try await sink.take(prism.embedded(action))
  }
}
