/// Says that a feature handles the same actions at several places.
public enum FeatureSharing: Sendable {
  /// Each action reaches all of the places, and no warning says so.
  case meant
}

extension Feature {
  /// This feature for a larger state, of which the feature's state is one part; each of its actions is meant for
  /// other parts that it is lifted to, too.
  public func lifted<Root: Sendable>(
    _ lens: some LensLike<Root, State>, sharing: FeatureSharing
  ) -> Feature<Root> {
    lifted(lens).sharingActions()
  }

  /// This feature for a larger state, of which the feature's state is the property at a key path; each of its actions
  /// is meant for other parts that it is lifted to, too.
  ///
  /// ```swift
  /// clock.lifted(\.left)
  /// clock.lifted(\.right, sharing: .meant)     // both hear of each Tick
  /// ```
  ///
  /// Without `sharing:` a store warns that two parts handle each action. Tags tell them apart.
  public func lifted<Root: Sendable>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable, sharing: FeatureSharing
  ) -> Feature<Root> {
    lifted(keyPath).sharingActions()
  }

  private func sharingActions() -> Feature {
    Feature(StorePart.forgettingPlaces(parts), used: use, from: origin)
  }

  /// This feature for a larger state, of which the feature's state is one part.
  public func lifted<Root: Sendable>(_ lens: some LensLike<Root, State>) -> Feature<Root> {
    lifted(by: .lens(lens.asLens))
  }

  /// This feature for a larger state, of which the feature's state is the property at a key path.
  public func lifted<Root: Sendable>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable
  ) -> Feature<Root> {
    lifted(by: .lens(Lens(keyPath, for: .lift)))
  }

  /// Not available: a feature writes, and this key path only reads.
  @available(*, unavailable, message: "a lift needs a WritableKeyPath; this one only reads")
  public func lifted<Root: Sendable>(
    _ keyPath: any KeyPath<Root, State> & Sendable
  ) -> Feature<Root> {
    ReadOnlyKeyPath.refuse(keyPath)
  }

  /// This feature for an app with one wide action enum.
  ///
  /// Its reducers and effects of `Narrow` are of the actions that `prism` matches, and the `Narrow` actions that
  /// its effects dispatch are embedded. Other actions pass unchanged. If nothing in it is of `Narrow`, no store
  /// takes it.
  ///
  /// - Parameters:
  ///   - prism: The case of the wide enum that holds the actions.
  ///   - narrow: The actions, where the prism does not say of which type they are.
  /// - Returns: The feature, of wide actions.
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>, of narrow: Narrow.Type = Narrow.self
  ) -> Feature {
    lifted(by: .embedding(prism))
  }

  /// This feature for one of several instances: `Tagged<Tag, A>` stands for `A`, and what its effects
  /// dispatch is tagged.
  public func tagged<Tag>(_ tag: Tag.Type) -> Feature {
    lifted(by: .tag(Tag.self))
  }

  /// This feature for the value of an optional.
  ///
  /// What is in it reads, owns and dispatches in terms of the child, and ends with the child.
  public func optional() -> Feature<State?> {
    lifted(by: .optional())
  }

  /// This feature for one case of an enum, or for another part that a prism might find.
  ///
  /// What is in it reads, owns and dispatches in terms of the child, and ends with the child.
  public func matching<Root: Sendable>(_ prism: Prism<Root, State>) -> Feature<Root> {
    lifted(by: .matching(prism))
  }

  /// This feature for each value of a dictionary; its actions are `ElementAction(id: key, action: a)`.
  ///
  /// What is in it reads, owns and dispatches in terms of the child, and ends with the child.
  public func keyed<Key: Hashable & Sendable>(by key: Key.Type = Key.self) -> Feature<[Key: State]>
  {
    lifted(by: .keyed(by: Key.self))
  }

  /// This feature for each element of an array; its actions are `ElementAction(id: offset, action: a)`.
  ///
  /// What is in it reads, owns and dispatches in terms of the child, and ends with the child. An element is what stands at an offset; where it is `Identifiable`, another identity there is
  /// another element.
  public func offset() -> Feature<[State]> {
    lifted(by: .offset())
  }

  /// This feature for each element of an array; its actions are `ElementAction(id: element.id, action: a)`.
  ///
  /// What is in it reads, owns and dispatches in terms of the child, and ends with the child.
  ///
  /// - Complexity: An action for one element is O(*n*) in their number; with `Entities` it is O(1).
  public func identified() -> Feature<[State]>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .identified())
  }

  /// This feature for each of some entities; its actions are `ElementAction(id: element.id, action: a)`.
  ///
  /// What is in it reads, owns and dispatches in terms of the child, and ends with the child.
  @_disfavoredOverload
  public func identified() -> Feature<Entities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .entities())
  }

  /// This feature for each of some entities that stay sorted; its actions are
  /// `ElementAction(id: element.id, action: a)`.
  ///
  /// What is in it reads, owns and dispatches in terms of the child, and ends with the child.
  @_disfavoredOverload
  public func identified() -> Feature<SortedEntities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .sortedEntities())
  }

  /// This feature for what holds its state.
  func lifted<Root: Sendable>(by lift: Lift<Root, State>) -> Feature<Root> {
    var parts = StorePart.renumbered(StorePart.lifted(self.parts, by: lift))
    if let (wide, narrow) = lift.embedding, !handles(narrow) {
      let fault = RegistrationError.Fault.unmatchedFeature(
        state: "\(State.self)", wide: "\(wide)", narrow: "\(narrow)")
      parts.append(StorePart<Root>(faults: [fault]))
    }
    return Feature<Root>(parts, used: use.map(lift.lifted), from: lift.lifted(origin))
  }

  /// Whether something in it is of actions of a type.
  private func handles(_ type: any Action.Type) -> Bool {
    parts.contains { part in
      part.owner?.cases.contains { $0.handles(type) } ?? false
        || part.installed?.actionTypes.contains { $0 == type } ?? false
    }
  }
}
