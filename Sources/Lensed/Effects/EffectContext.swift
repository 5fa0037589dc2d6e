/// What an effect has to work with: the state, what triggered it, and a way to dispatch.
///
/// ```swift
/// Effect<AppState>(on: SearchAction.self, .latest) { action, context in
///   let found = try await api.search(action.query, in: context.state.language)
///   context.dispatch(ResultsAction.found(found))
/// }
/// ```
///
/// It reads and observes the state like a store, and cannot write it. What it dispatches is part of the
/// work that the triggering dispatch can wait for and cancel; once the effect has been cancelled,
/// nothing more of it is applied. It does not keep the store alive.
public struct EffectContext<State: Sendable>: StateObserving {
  /// The way to the state.
  public var view: StoreView<State> { home.value }
  /// The commit that triggered the effect: its action, the state after it, and the one before where the
  /// effect has a `when:`.
  public var change: Change<State> { cue.change(of: home.value.part) }
  // On the heap: a context is handed on several times.
  private let home: Boxed<StoreView<State>>
  let cue: TriggeringCommit<State>
  /// The work of the effect, which all that it dispatches is part of.
  let work: WorkNode
  /// What becomes of its actions on their way, if it is not one of the store's own effects.
  private let tag: Boxed<any ActionTransform>?

  init(
    home: Boxed<StoreView<State>>, cue: TriggeringCommit<State>, work: WorkNode,
    tag: Boxed<any ActionTransform>? = nil
  ) {
    self.home = home
    self.cue = cue
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

  /// The context as a feature sees it that knows nothing of the app around it.
  func focused<Part: Sendable>(on lens: Lens<State, Part>) -> EffectContext<Part> {
    EffectContext<Part>(
      home: Boxed(view.appending(PartPath(lens))), cue: .change(Boxed(change.focused(on: lens))),
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
    EffectContext(home: home, cue: cue, work: work, tag: Boxed(tag))
  }

  /// Dispatches the action that the effect at a place in the source returned, and waits until all of it
  /// has been applied.
  func dispatchResult(
    _ action: (any Action)?, _ fileID: StaticString, _ line: UInt
  ) async throws {
    guard let action else { return }
    try await dispatch(action, fileID: fileID, function: "an effect", line: line).finish(.applied)
  }
}

/// Hands the actions of an effect to its store, until the effect is cancelled.
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

/// Embeds the narrow actions that pass through it in the wide ones of an app.
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
  /// An action with the narrow ones in it embedded, however deep they lie; others pass as they are.
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

/// Embeds what passes through it.
private struct EmbeddingSink<Wide: Action, Narrow: Action>: ActionSink {
  let sink: any ActionSink
  let prism: Prism<Wide, Narrow>

  func take(_ action: some Action) async throws {
    try await sink.take(prism.embedded(action))
  }
}
