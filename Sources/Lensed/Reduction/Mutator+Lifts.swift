extension Mutator {
  /// This mutator for a larger state, of which the feature's state is one part.
  ///
  /// ```swift
  /// let inApp = searchMutator.lifted(Lens(\AppState.search))
  /// ```
  @inlinable
  public func lifted<Root>(_ lens: Lens<Root, State>) -> Mutator<Root, SubState> {
    Mutator<Root, SubState>(
      lens: lens.appending(self.lens), cases: cases.map { $0.lifted(lens) })
  }

  /// This mutator for a larger state, of which the feature's state is the property at a key path.
  @inlinable
  public func lifted<Root>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable
  ) -> Mutator<Root, SubState> {
    lifted(Lens(keyPath, for: .lift))
  }

  /// This mutator for an app with one wide action enum: it handles the actions that `prism` matches.
  @inlinable
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>
  ) -> Mutator {
    Mutator(lens: lens, cases: ReducerCase.lifted(cases, action: prism))
  }

  /// This mutator for one of several instances: it handles `Tagged<Tag, A>` in place of `A`.
  public func tagged<Tag>(_ tag: Tag.Type) -> Mutator {
    Mutator(lens: lens, cases: cases.map { $0.tagged(tag) })
  }
}
