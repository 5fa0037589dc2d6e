extension Store {
  /// Adds a mutator.
  ///
  /// - Throws: What keeps it from standing beside those that are registered. The store is then as it
  ///   was.
  /// - Complexity: O(*n*) in the number of parts; the routes are made anew as they are used.
  @inlinable
  public func register<SubState>(
    _ mutator: Mutator<State, SubState>
  ) throws(RegistrationError) {
    try register([StorePart(mutator)])
  }

  /// Adds a property that no action changes.
  @inlinable
  public func register(_ unreduced: Unreduced<State>) throws(RegistrationError) {
    try register([StorePart(unreduced)])
  }

  @usableFromInline
  func register(_ parts: [StorePart<State>]) throws(RegistrationError) {
    try view.core.register(parts.compactMap { $0.owner }, besides: StorePart.faults(of: parts)) {
      StorePart.doubled(in: parts, $0)
    }
    install(parts)
  }

  /// Adds the parts of a feature, or none of them.
  public func register(
    @StoreBuilder<State> _ parts: () -> [StorePart<State>]
  ) throws(RegistrationError) {
    try register(parts())
  }

  /// Removes the mutator of a property: its feature leaves, the sub-state stays as it is.
  ///
  /// The events of an `AsyncMutator` end with it. What `whileLoading` showed stays too.
  ///
  /// - Returns: Whether there was one.
  @inlinable
  @discardableResult
  public func unregister<Value>(_ keyPath: any KeyPath<State, Value> & Sendable) -> Bool {
    view.core.unregister(PartPath(keyPath).footprint)
  }

  /// Removes the mutator of what a lens focuses on: its feature leaves, the sub-state stays as it is.
  ///
  /// - Returns: Whether there was one.
  @inlinable
  @discardableResult
  public func unregister<Value>(_ lens: some LensLike<State, Value>) -> Bool {
    view.core.unregister(lens.asLens.footprint)
  }
}
