extension Mutator {
  /// A feature's mutator inside an app: the same, for a state of which the feature's is one part.
  ///
  /// ```swift
  /// let inApp = searchMutator.lifted(Lens(\AppState.search))
  /// ```
  @inlinable
  public func lifted<Root>(_ lens: Lens<Root, State>) -> Mutator<Root, SubState> {
    Mutator<Root, SubState>(
      lens: lens.appending(self.lens), cases: cases.map { $0.lifted(lens) })
  }

  /// This mutator for an app with one wide action enum: it answers the case that `prism` finds.
  @inlinable
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>
  ) -> Mutator {
    Mutator(lens: lens, cases: ReducerCase.lifted(cases, action: prism))
  }

  /// This mutator for one of several instances: it answers `Tagged<Tag, A>` in place of every `A`.
  public func tagged<Tag>(_ tag: Tag.Type) -> Mutator {
    Mutator(lens: lens, cases: cases.map { $0.tagged(tag) })
  }
}
