extension StateObserving {
  /// The part at a key path, for a feature that knows nothing of the app.
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

  /// The part at a key path, whose actions are tagged on their way.
  @_disfavoredOverload  // The scope of the value of an optional comes first.
  public func scope<Part: Sendable, Tag>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable, tagged tag: Tag.Type
  ) -> ScopedStore<Part> {
    scope(Lens(keyPath, for: .scope), tagged: tag)
  }

  /// The part that a lens focuses on.
  public func scope<Part: Sendable>(_ lens: some LensLike<State, Part>) -> ScopedStore<Part> {
    let scope = asScope
    return ScopedStore(view: scope.view.appending(PartPath(lens.asLens)), sender: scope.sender)
  }

  /// The part that a lens focuses on, whose actions are tagged on their way.
  public func scope<Part: Sendable, Tag>(
    _ lens: some LensLike<State, Part>, tagged tag: Tag.Type
  ) -> ScopedStore<Part> {
    scope(lens).taking(TagStep<Tag>())
  }

  /// A part that is always there, in an app with one wide action enum.
  ///
  /// ```swift
  /// let profile = store.scope(\.profile, action: profileCase)
  /// profile.dispatch(ProfileAction.rename("x"))   // reaches the store as AppAction.profile(…)
  /// ```
  ///
  /// Its actions of `Narrow` are embedded by the prism; others pass unchanged.
  @_disfavoredOverload  // The scope of the value of an optional comes first.
  public func scope<Part: Sendable, Wide: Action, Narrow: Action>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable, action prism: Prism<Wide, Narrow>
  ) -> ScopedStore<Part> {
    scope(Lens(keyPath, for: .scope), action: prism)
  }

  /// What a lens focuses on, in an app with one wide action enum.
  public func scope<Part: Sendable, Wide: Action, Narrow: Action>(
    _ lens: some LensLike<State, Part>, action prism: Prism<Wide, Narrow>
  ) -> ScopedStore<Part> {
    scope(lens).taking(EmbedStep(prism))
  }
}

extension ScopedStore {
  /// This scope, whose actions take one step more on their way.
  func taking(_ step: any ActionStep) -> ScopedStore {
    ScopedStore(view: view, sender: sender.taking(step))
  }
}
