/// A part of a store for a feature that knows nothing of the app around it.
///
/// ```swift
/// let chat: ScopedStore<Chat> = store.scope(\.left, tagged: Left.self)
/// chat.dispatch(ChatAction.send("hi"))   // reaches the store as Tagged<Left, ChatAction>
/// chat.state                             // the feature's part
/// ```
///
/// It does not keep the store alive. After the store has gone, `state` is the last one there was,
/// streams end at once, and dispatches do nothing.
public struct ScopedStore<State: Sendable>: StateObserving {
  /// The way to the feature's part.
  public let view: StoreView<State>
  @usableFromInline
  let tag: any ActionTransform

  @usableFromInline
  init(view: StoreView<State>, tag: any ActionTransform) {
    self.view = view
    self.tag = tag
  }

  /// Dispatches one action of any kind.
  public func send<A: Action>(_ action: A, from site: CallSite) -> DispatchTask {
    tag.send(action, from: site)
  }

  /// Dispatches an array of actions of one type as one commit.
  public func send<A: Action>(array actions: [A], from site: CallSite) -> DispatchTask {
    tag.send(array: actions, from: site)
  }

  /// Dispatches an action, and lends the state in the same critical section.
  public func send<A: Action>(
    _ action: A, from site: CallSite, thenReading read: (StateAccess) -> Void
  ) {
    tag.send(action, from: site, thenReading: read)
  }

  /// Starts pulling a sequence of actions.
  public func send<S: AsyncSequence & Sendable>(
    sequence: S, from site: CallSite
  ) -> DispatchTask where S.Element: Action {
    tag.send(AsyncActions(sequence), from: site)
  }

  /// Starts pulling a sequence of actions of different types.
  public func send<S: AsyncSequence & Sendable>(
    mixedSequence: S, from site: CallSite
  ) -> DispatchTask where S.Element == any Action {
    tag.send(AsyncActions(mixedSequence), from: site)
  }

  /// A part of this part, for a feature inside the feature.
  public func scope<Part: Sendable>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable
  ) -> ScopedStore<Part> {
    scope(Lens(keyPath))
  }

  /// A part of this part, whose actions are tagged on their way.
  public func scope<Part: Sendable, Tag>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable, tagged tag: Tag.Type
  ) -> ScopedStore<Part> {
    scope(Lens(keyPath), tagged: tag)
  }

  /// What a lens focuses on within this part.
  public func scope<Part: Sendable>(_ lens: Lens<State, Part>) -> ScopedStore<Part> {
    ScopedStore<Part>(view: view.appending(PartPath(lens)), tag: tag)
  }

  /// What a lens focuses on within this part, whose actions are tagged on their way.
  public func scope<Part: Sendable, Tag>(
    _ lens: Lens<State, Part>, tagged: Tag.Type
  ) -> ScopedStore<Part> {
    ScopedStore<Part>(view: view.appending(PartPath(lens)), tag: Tagging<Tag>(inner: tag))
  }
}

extension Store {
  /// The part of this store at a key path, for a feature that knows nothing of the app.
  public func scope<Part: Sendable>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable
  ) -> ScopedStore<Part> {
    scope(Lens(keyPath))
  }

  /// The part of this store at a key path, whose actions are tagged on their way.
  public func scope<Part: Sendable, Tag>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable, tagged tag: Tag.Type
  ) -> ScopedStore<Part> {
    scope(Lens(keyPath), tagged: tag)
  }

  /// The part of this store that a lens focuses on.
  public func scope<Part: Sendable>(_ lens: Lens<State, Part>) -> ScopedStore<Part> {
    ScopedStore<Part>(
      view: view.appending(PartPath(lens)), tag: Untagged(core: view.core))
  }

  /// The part of this store that a lens focuses on, whose actions are tagged on their way.
  public func scope<Part: Sendable, Tag>(
    _ lens: Lens<State, Part>, tagged tag: Tag.Type
  ) -> ScopedStore<Part> {
    ScopedStore<Part>(
      view: view.appending(PartPath(lens)),
      tag: Tagging<Tag>(inner: Untagged(core: view.core)))
  }
}
