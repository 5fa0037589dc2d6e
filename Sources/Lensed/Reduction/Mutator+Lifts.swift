extension Mutator {
  /// This mutator for a larger state, of which the feature's state is one part.
  ///
  /// ```swift
  /// let inApp = searchMutator.lifted(Lens(\AppState.search))
  /// ```
  public func lifted<Root>(_ lens: some LensLike<Root, State>) -> Mutator<Root, SubState> {
    let lens = lens.asLens
    return Mutator<Root, SubState>(
      lens: lens.appending(self.lens), cases: cases.map { $0.lifted(lens) }, at: site)
  }

  /// This mutator for a larger state, of which the feature's state is the property at a key path.
  public func lifted<Root>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable
  ) -> Mutator<Root, SubState> {
    lifted(Lens(keyPath, for: .lift))
  }

  /// Not available: a mutator writes, and this key path only reads.
  @available(*, unavailable, message: "a lift needs a WritableKeyPath; this one only reads")
  public func lifted<Root>(
    _ keyPath: any KeyPath<Root, State> & Sendable
  ) -> Mutator<Root, SubState> {
    ReadOnlyKeyPath.refuse(keyPath)
  }

  /// This mutator for an app with one wide action enum: it handles the actions that `prism` matches.
  ///
  /// - Parameters:
  ///   - prism: The case of the wide enum that holds the actions.
  ///   - narrow: The actions, where the prism does not say of which type they are.
  /// - Returns: The mutator, of wide actions.
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>, of narrow: Narrow.Type = Narrow.self
  ) -> Mutator {
    Mutator(lens: lens, cases: ReducerCase.lifted(cases, action: prism), at: site)
  }

  /// This mutator for one of several instances: it handles `Tagged<Tag, A>` in place of `A`.
  public func tagged<Tag>(_ tag: Tag.Type) -> Mutator {
    Mutator(lens: lens, cases: cases.map { $0.tagged(tag) }, at: site)
  }
}
