// What owns a child's property owns no property of what holds the child: there may be none, or many. So it becomes
// a feature, which is lifted on like any other.

extension StorePartConvertible where PartState: Sendable {
  /// A feature of these parts for the value of an optional.
  ///
  /// A mutator of the optional itself stands beside it. The events of an asynchronous mutator are queued for the
  /// child. They end with the child, or when another takes its place.
  public func optional() -> Feature<PartState?> { feature.optional() }

  /// A feature of these parts for one case of an enum.
  public func matching<Root: Sendable>(_ prism: Prism<Root, PartState>) -> Feature<Root> {
    feature.matching(prism)
  }

  /// A feature of these parts for each value of a dictionary; an asynchronous mutator has a queue for each.
  public func keyed<Key: Hashable & Sendable>(
    by key: Key.Type = Key.self
  ) -> Feature<[Key: PartState]> {
    feature.keyed(by: Key.self)
  }

  /// A feature of these parts for each element of an array; an asynchronous mutator has a queue for each.
  public func offset() -> Feature<[PartState]> { feature.offset() }

  /// A feature of these parts for each element of an array; an asynchronous mutator has a queue for each.
  public func identified() -> Feature<[PartState]>
  where PartState: Identifiable & SendableMetatype, PartState.ID: Sendable {
    feature.identified()
  }

  /// A feature of these parts for each of some entities; an asynchronous mutator has a queue for each.
  @_disfavoredOverload
  public func identified() -> Feature<Entities<PartState>>
  where PartState: Identifiable & SendableMetatype, PartState.ID: Sendable {
    feature.identified()
  }

  /// A feature of these parts for each of some entities that stay sorted; an asynchronous mutator has a queue for
  /// each.
  @_disfavoredOverload
  public func identified() -> Feature<SortedEntities<PartState>>
  where PartState: Identifiable & SendableMetatype, PartState.ID: Sendable {
    feature.identified()
  }

  private var feature: Feature<PartState> { Feature { self } }
}
