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
  let sender: ActionSender

  init(view: StoreView<State>, sender: ActionSender) {
    self.view = view
    self.sender = sender
  }

  /// Applies actions of one type, as the store knows them.
  public func send(
    _ batch: ActionBatch, reading read: (StateAccess) -> Void
  ) -> DispatchTask {
    sender.send(batch, reading: read)
  }

  /// Every commit of the store from now on, as the feature sees it: its part, and its own actions.
  ///
  /// - Parameters:
  ///   - buffering: How many changes wait for a slow reader, and which are dropped.
  ///   - keepingPrevious: Whether each change holds the part before it too.
  /// - Returns: The changes; each iterator made of it registers on its own.
  public func changes(
    buffering: ChangeBuffering = .unbounded, keepingPrevious: Bool = false
  ) -> StateChanges<State> {
    StateChanges(
      core: view.core, part: view.part, buffering: buffering, keepsPrevious: keepingPrevious,
      translator: sender.transform)
  }

  /// A part of this part, for a feature inside the feature.
  @_disfavoredOverload  // The scope of the value of an optional comes first.
  public func scope<Part: Sendable>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable
  ) -> ScopedStore<Part> {
    scope(Lens(keyPath, for: .scope))
  }

  /// Not available: a scope writes, and this key path only reads.
  @_disfavoredOverload
  @available(*, unavailable, message: "a scope needs a WritableKeyPath; this one only reads")
  public func scope<Part: Sendable>(
    _ keyPath: any KeyPath<State, Part> & Sendable
  ) -> ScopedStore<Part> {
    ReadOnlyKeyPath.refuse(keyPath)
  }

  /// A part of this part, whose actions are tagged on their way.
  @_disfavoredOverload  // The scope of the value of an optional comes first.
  public func scope<Part: Sendable, Tag>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable, tagged tag: Tag.Type
  ) -> ScopedStore<Part> {
    scope(Lens(keyPath, for: .scope), tagged: tag)
  }

  /// What a lens focuses on within this part.
  public func scope<Part: Sendable>(_ lens: some LensLike<State, Part>) -> ScopedStore<Part> {
    ScopedStore<Part>(view: view.appending(PartPath(lens.asLens)), sender: sender)
  }

  /// What a lens focuses on within this part, whose actions are tagged on their way.
  public func scope<Part: Sendable, Tag>(
    _ lens: some LensLike<State, Part>, tagged: Tag.Type
  ) -> ScopedStore<Part> {
    ScopedStore<Part>(view: view.appending(PartPath(lens.asLens)), sender: sender.tagged(Tag.self))
  }
}

extension Store {
  /// The part of this store at a key path, for a feature that knows nothing of the app.
  @_disfavoredOverload  // The scope of the value of an optional comes first.
  public func scope<Part: Sendable>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable
  ) -> ScopedStore<Part> {
    scope(Lens(keyPath, for: .scope))
  }

  /// Not available: a scope writes, and this key path only reads.
  @_disfavoredOverload
  @available(*, unavailable, message: "a scope needs a WritableKeyPath; this one only reads")
  public func scope<Part: Sendable>(
    _ keyPath: any KeyPath<State, Part> & Sendable
  ) -> ScopedStore<Part> {
    ReadOnlyKeyPath.refuse(keyPath)
  }

  /// The part of this store at a key path, whose actions are tagged on their way.
  @_disfavoredOverload  // The scope of the value of an optional comes first.
  public func scope<Part: Sendable, Tag>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable, tagged tag: Tag.Type
  ) -> ScopedStore<Part> {
    scope(Lens(keyPath, for: .scope), tagged: tag)
  }

  /// The part of this store that a lens focuses on.
  public func scope<Part: Sendable>(_ lens: some LensLike<State, Part>) -> ScopedStore<Part> {
    ScopedStore<Part>(
      view: view.appending(PartPath(lens.asLens)), sender: ActionSender(view.core))
  }

  /// The part of this store that a lens focuses on, whose actions are tagged on their way.
  public func scope<Part: Sendable, Tag>(
    _ lens: some LensLike<State, Part>, tagged tag: Tag.Type
  ) -> ScopedStore<Part> {
    ScopedStore<Part>(
      view: view.appending(PartPath(lens.asLens)), sender: ActionSender(view.core).tagged(Tag.self))
  }
}
