// A mutator of a child's property is no mutator of a property of what holds the child: there may be none, or
// many. So it becomes a feature, which is lifted on like any other.

extension StorePartConvertible where PartState: Sendable {
  /// This mutator for the value of an optional: a feature of nothing else.
  ///
  /// The mutator of the optional itself stands beside it. The events of an asynchronous mutator are queued for the
  /// child. They end with the child, or when another takes its place.
  public func optional() -> Feature<PartState?> { feature.optional() }

  /// This mutator for one case of an enum: a feature of nothing else.
  public func matching<Root: Sendable>(_ prism: Prism<Root, PartState>) -> Feature<Root> {
    feature.matching(prism)
  }

  /// This mutator for each value of a dictionary, where an asynchronous one has a queue for each: a feature of nothing
  /// else.
  public func keyed<Key: Hashable & Sendable>(
    by key: Key.Type = Key.self
  ) -> Feature<[Key: PartState]> {
    feature.keyed(by: Key.self)
  }

  /// This mutator for each element of an array, where an asynchronous one has a queue for each: a feature of nothing
  /// else.
  public func offset() -> Feature<[PartState]> { feature.offset() }

  /// This mutator for each element of an array, where an asynchronous one has a queue for each: a feature of nothing
  /// else.
  public func identified() -> Feature<[PartState]>
  where PartState: Identifiable & SendableMetatype, PartState.ID: Sendable {
    feature.identified()
  }

  /// This mutator for each of some entities, where an asynchronous one has a queue for each: a feature of nothing else.
  @_disfavoredOverload
  public func identified() -> Feature<Entities<PartState>>
  where PartState: Identifiable & SendableMetatype, PartState.ID: Sendable {
    feature.identified()
  }

  /// This mutator for each of some entities that stay sorted, where an asynchronous one has a queue for each: a feature
  /// of nothing else.
  @_disfavoredOverload
  public func identified() -> Feature<SortedEntities<PartState>>
  where PartState: Identifiable & SendableMetatype, PartState.ID: Sendable {
    feature.identified()
  }

  private var feature: Feature<PartState> { Feature(parts: storeParts.all) }
}
