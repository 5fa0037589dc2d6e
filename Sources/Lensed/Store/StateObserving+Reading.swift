extension StateObserving {
  /// The current state; after the store has gone, a scope returns the last one.
  ///
  /// - Complexity: That of copying a value of type `State`; its collections are shared.
  @inlinable
  public var state: State { view.readAll() }

  /// The current state and the number of the last commit, both of one moment.
  ///
  /// ```swift
  /// let (state, revision) = store.versioned
  /// try await api.save(state, as: revision)
  /// if store.versioned.revision == revision { print("saved, and nothing has come since") }
  /// ```
  ///
  /// Each commit of the store counts, in a scope too, whatever part it is of. The revision is 0 before the first one.
  ///
  /// - Complexity: That of copying a value of type `State`; its collections are shared.
  public var versioned: (state: State, revision: UInt64) { view.readVersion() }

  /// The current state without values for the time being: what to keep, and what to go back to.
  ///
  /// While an `AsyncMutator` works, its part may show the placeholder of `whileLoading`. Here that part has the value
  /// from before it. If another owner has written the part since, it has what that wrote. Everything else is as in
  /// `state`. While nothing shows a placeholder, the two are the same.
  ///
  /// ```swift
  /// let data = try JSONEncoder().encode(store.settledState)   // never `loading`
  /// ```
  ///
  /// A `History` goes back to settled states. In a scope it is the settled state of the scope's part.
  ///
  /// - Complexity: That of copying a value of type `State`. While a placeholder is shown, the collections are copied
  ///   in which it lies.
  public var settledState: State { view.readSettled().state }

  /// Whether a commit is being delivered that a replay, an undo, a redo or a jump has made.
  ///
  /// An observer asks for it, to leave out what the past has done already. What it dispatches on its thread in the
  /// delivery of a replayed commit is not applied; after an undo, a redo or a jump it is, and is no step.
  public var isReplaying: Bool {
    switch view.core.baton.mark.current {
    case .journey, .replay: true
    case .ordinary, .echo: false
    }
  }

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
