extension Effect {
  /// This effect for a larger state, of which the feature's state is one part.
  public func lifted<Root: Sendable>(_ lens: some LensLike<Root, State>) -> Effect<Root> {
    lifted(by: .lens(lens.asLens))
  }

  /// This effect for a larger state, of which the feature's state is the property at a key path.
  public func lifted<Root: Sendable>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable
  ) -> Effect<Root> {
    lifted(by: .lens(Lens(keyPath, for: .lift)))
  }

  /// Not available: an effect writes, and this key path only reads.
  @available(*, unavailable, message: "a lift needs a WritableKeyPath; this one only reads")
  public func lifted<Root: Sendable>(
    _ keyPath: any KeyPath<Root, State> & Sendable
  ) -> Effect<Root> {
    ReadOnlyKeyPath.refuse(keyPath)
  }

  /// This effect for an app with one wide action enum.
  ///
  /// It is triggered by the actions that `prism` matches, and the `Narrow` actions that it dispatches are
  /// embedded. Other actions pass unchanged.
  ///
  /// - Parameters:
  ///   - prism: The case of the wide enum that holds the actions.
  ///   - narrow: The actions, where the prism does not say of which type they are.
  /// - Returns: The effect, of wide actions.
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>, of narrow: Narrow.Type = Narrow.self
  ) -> Effect {
    lifted(by: .embedding(prism))
  }

  /// This effect for one of several instances: `Tagged<Tag, A>` triggers it in place of `A`, and the
  /// actions that it dispatches are tagged.
  public func tagged<Tag>(_ tag: Tag.Type) -> Effect {
    lifted(by: .tag(Tag.self))
  }

  /// This effect for the value of an optional.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`.
  public func optional() -> Effect<State?> {
    lifted(by: .optional())
  }

  /// This effect for one case of an enum, or for another part that a prism might find.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`.
  public func matching<Root: Sendable>(_ prism: Prism<Root, State>) -> Effect<Root> {
    lifted(by: .matching(prism))
  }

  /// This effect for each value of a dictionary; its actions are `ElementAction(id: key, action: a)`.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`.
  public func keyed<Key: Hashable & Sendable>(by key: Key.Type = Key.self) -> Effect<[Key: State]> {
    lifted(by: .keyed(by: Key.self))
  }

  /// This effect for each element of an array; its actions are `ElementAction(id: offset, action: a)`.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`. An element is what stands at an offset; where it is `Identifiable`, another identity there is
  /// another element.
  public func offset() -> Effect<[State]> {
    lifted(by: .offset())
  }

  /// This effect for each element of an array; its actions are `ElementAction(id: element.id, action: a)`.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`.
  ///
  /// - Complexity: An action for one element is O(*n*) in their number; with `Entities` it is O(1).
  public func identified() -> Effect<[State]>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .identified())
  }

  /// This effect for each of some entities; its actions are `ElementAction(id: element.id, action: a)`.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`.
  @_disfavoredOverload
  public func identified() -> Effect<Entities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .entities())
  }

  /// This effect for each of some entities that stay sorted; its actions are
  /// `ElementAction(id: element.id, action: a)`.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`.
  @_disfavoredOverload
  public func identified() -> Effect<SortedEntities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .sortedEntities())
  }

  /// This effect for what holds its state.
  func lifted<Root: Sendable>(by lift: Lift<Root, State>) -> Effect<Root> {
    Effect<Root>(name: name, policy, options, plan.lifted(by: lift.path))
  }
}
