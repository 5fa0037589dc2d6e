extension StateObserving {
  /// The current state; after the store has gone, a scope returns the last one.
  ///
  /// - Complexity: That of copying a value of type `State`; its collections are shared.
  @inlinable
  public var state: State { view.readAll() }

  /// The part of the current state that a lens focuses on; only that part is copied.
  @inlinable
  public subscript<Value>(_ lens: Lens<State, Value>) -> Value {
    view.read(lens)
  }

  /// A property of the current state; of a stored one, only the property is copied.
  @inlinable
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    view.read(keyPath)
  }

  /// The states from now on, the current one first; newer ones when a reducer has run.
  @inlinable
  public var states: StateStream<State> { StateStream(view.core, view.part) }

  /// The values of a property from now on, the current one first.
  ///
  /// It emits when a reducer has run that owns part of the property, and the value differs. A computed
  /// property is looked at after every commit that a reducer handled.
  ///
  /// With `repeats: .kept` nothing is compared and no value kept, which costs less on big ones.
  @inlinable
  public func states<Value: Sendable & Equatable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, repeats: Repeats = .removed
  ) -> StateStream<Value> {
    let stream = view.stream(of: PartPath(keyPath, for: .stream))
    return repeats == .kept ? stream : stream.removeDuplicates()
  }

  /// The values of a property from now on, the current one first.
  ///
  /// It emits when a reducer has run that owns part of the property. Values of this type cannot be
  /// compared, so repeats are kept; to leave some out, use `removeDuplicates(by:)`.
  @_disfavoredOverload
  @inlinable
  public func states<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable
  ) -> StateStream<Value> {
    view.stream(of: PartPath(keyPath, for: .stream))
  }

  /// The values of what a lens focuses on from now on, the current one first.
  ///
  /// It emits when a reducer has run that owns part of it, and the value differs.
  ///
  /// With `repeats: .kept` nothing is compared and no value kept, which costs less on big ones.
  @inlinable
  public func states<Value: Sendable & Equatable>(
    _ lens: some LensLike<State, Value>, repeats: Repeats = .removed
  ) -> StateStream<Value> {
    let stream = view.stream(of: PartPath(lens.asLens))
    return repeats == .kept ? stream : stream.removeDuplicates()
  }

  /// The values of what a lens focuses on from now on, the current one first.
  ///
  /// It emits when a reducer has run that owns part of it. Values of this type cannot be compared, so
  /// repeats are kept; to leave some out, use `removeDuplicates(by:)`.
  @_disfavoredOverload
  @inlinable
  public func states<Value: Sendable>(_ lens: some LensLike<State, Value>) -> StateStream<Value> {
    view.stream(of: PartPath(lens.asLens))
  }
}

/// Whether a stream emits a value that equals the one before.
public enum Repeats: Sendable, Hashable {
  /// Equal values are left out. The last value is kept for comparison.
  case removed
  /// Every value is emitted.
  case kept
}
