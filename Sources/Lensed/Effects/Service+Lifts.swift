extension Service {
  /// This service for a larger state, of which the feature's state is one part.
  public func lifted<Root: Sendable>(_ lens: some LensLike<Root, State>) -> Service<Root> {
    lifted(by: .lens(lens.asLens))
  }

  /// This service for a larger state, of which the feature's state is the property at a key path.
  public func lifted<Root: Sendable>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable
  ) -> Service<Root> {
    lifted(by: .lens(Lens(keyPath, for: .lift)))
  }

  /// Not available: a service writes, and this key path only reads.
  @available(*, unavailable, message: "a lift needs a WritableKeyPath; this one only reads")
  public func lifted<Root: Sendable>(
    _ keyPath: any KeyPath<Root, State> & Sendable
  ) -> Service<Root> {
    ReadOnlyKeyPath.refuse(keyPath)
  }

  /// This service for an app with one wide action enum.
  ///
  /// Its effects are lifted, and the actions that it dispatches when it is installed are embedded.
  ///
  /// - Parameters:
  ///   - prism: The case of the wide enum that holds the actions.
  ///   - narrow: The actions, where the prism does not say of which type they are.
  /// - Returns: The service, of wide actions.
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>, of narrow: Narrow.Type = Narrow.self
  ) -> Service {
    lifted(by: .embedding(prism))
  }

  /// This service for one of several instances: `Tagged<Tag, A>` triggers its effects in place of `A`, and
  /// the actions that it dispatches are tagged.
  public func tagged<Tag>(_ tag: Tag.Type) -> Service {
    lifted(by: .tag(Tag.self))
  }

  /// This service for the value of an optional.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store.
  public func optional() -> Service<State?> {
    lifted(by: .optional())
  }

  /// This service for one case of an enum, or for another part that a prism might find.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store.
  public func matching<Root: Sendable>(_ prism: Prism<Root, State>) -> Service<Root> {
    lifted(by: .matching(prism))
  }

  /// This service for each value of a dictionary; its actions are `ElementAction(id: key, action: a)`.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store.
  public func keyed<Key: Hashable & Sendable>(by key: Key.Type = Key.self) -> Service<[Key: State]>
  {
    lifted(by: .keyed(by: Key.self))
  }

  /// This service for each element of an array; its actions are `ElementAction(id: offset, action: a)`.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store. An element is what stands at an offset; where it is `Identifiable`, another identity there is
  /// another element.
  public func offset() -> Service<[State]> {
    lifted(by: .offset())
  }

  /// This service for each element of an array; its actions are `ElementAction(id: element.id, action: a)`.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store.
  ///
  /// - Complexity: An action for one element is O(*n*) in their number; with `Entities` it is O(1).
  public func identified() -> Service<[State]>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .identified())
  }

  /// This service for each of some entities; its actions are `ElementAction(id: element.id, action: a)`.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store.
  @_disfavoredOverload
  public func identified() -> Service<Entities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .entities())
  }

  /// This service for each of some entities that stay sorted; its actions are
  /// `ElementAction(id: element.id, action: a)`.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store.
  @_disfavoredOverload
  public func identified() -> Service<SortedEntities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .sortedEntities())
  }

  /// This service for what holds its state.
  func lifted<Root: Sendable>(by lift: Lift<Root, State>) -> Service<Root> {
    Service<Root>(
      name: name, effects: effects.map { $0.lifted(by: lift) },
      life: life.map { $0.lifted(by: lift.path) })
  }
}
