// A mutator of a child's property is no mutator of a property of what holds the child: there may be none, or
// many. So it becomes a feature, which is lifted on like any other.

extension AsyncMutator {
  /// This mutator for the value of an optional: a feature of nothing else.
  ///
  /// Its events are queued for the child. They end with the child, or when another takes its place.
  public func optional() -> Feature<State?> { feature.optional() }

  /// This mutator for one case of an enum: a feature of nothing else.
  public func matching<Root: Sendable>(_ prism: Prism<Root, State>) -> Feature<Root> {
    feature.matching(prism)
  }

  /// This mutator for each value of a dictionary, with a queue for each: a feature of nothing else.
  public func keyed<Key: Hashable & Sendable>(by key: Key.Type = Key.self) -> Feature<[Key: State]>
  {
    feature.keyed(by: Key.self)
  }

  /// This mutator for each element of an array, with a queue for each: a feature of nothing else.
  public func offset() -> Feature<[State]> { feature.offset() }

  /// This mutator for each element of an array, with a queue for each: a feature of nothing else.
  public func identified() -> Feature<[State]>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    feature.identified()
  }

  /// This mutator for each of some entities, with a queue for each: a feature of nothing else.
  @_disfavoredOverload
  public func identified() -> Feature<Entities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    feature.identified()
  }

  /// This mutator for each of some entities that stay sorted, with a queue for each: a feature of nothing else.
  @_disfavoredOverload
  public func identified() -> Feature<SortedEntities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    feature.identified()
  }

  private var feature: Feature<State> { Feature(parts: [StorePart(self)]) }
}

extension Mutator where State: Sendable {
  /// This mutator for the value of an optional: a feature of nothing else.
  ///
  /// The mutator of the optional itself stands beside it.
  public func optional() -> Feature<State?> { feature.optional() }

  /// This mutator for one case of an enum: a feature of nothing else.
  public func matching<Root: Sendable>(_ prism: Prism<Root, State>) -> Feature<Root> {
    feature.matching(prism)
  }

  /// This mutator for each value of a dictionary: a feature of nothing else.
  public func keyed<Key: Hashable & Sendable>(by key: Key.Type = Key.self) -> Feature<[Key: State]>
  {
    feature.keyed(by: Key.self)
  }

  /// This mutator for each element of an array: a feature of nothing else.
  public func offset() -> Feature<[State]> { feature.offset() }

  /// This mutator for each element of an array: a feature of nothing else.
  public func identified() -> Feature<[State]>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    feature.identified()
  }

  /// This mutator for each of some entities: a feature of nothing else.
  @_disfavoredOverload
  public func identified() -> Feature<Entities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    feature.identified()
  }

  /// This mutator for each of some entities that stay sorted: a feature of nothing else.
  @_disfavoredOverload
  public func identified() -> Feature<SortedEntities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    feature.identified()
  }

  private var feature: Feature<State> { Feature(parts: [StorePart(self)]) }
}
