#if canImport(Testing)
  public import Lensed
  public import Testing

  /// Expects the parts of a store to fit a state: each property has one owner, and no two overlap.
  ///
  /// ```swift
  /// expectOwned(AppState()) { counterMutator; Mutator(\.user, userReducer); Constant(\.settings) }
  /// ```
  ///
  /// What a store throws when it is made is one issue here, with all faults. Check it with a state in which every
  /// optional is there, and every collection has an element: coverage inside of them is proved only where there is
  /// an instance.
  ///
  /// It makes a store, and releases it: services are installed and removed, and effects that run at once begin.
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a fault traps with its message.
  ///
  /// - Parameters:
  ///   - state: A state of the store.
  ///   - coverage: Whether each property needs an owner.
  ///   - sourceLocation: Where the issue is reported.
  ///   - parts: The parts.
  public func expectOwned<State: Sendable>(
    _ state: State, coverage: Coverage = .complete,
    sourceLocation: SourceLocation = #_sourceLocation,
    @StoreBuilder<State> _ parts: () -> [StorePart<State>]
  ) {
    let reporter = Reporter("`expectOwned`")
    do throws(RegistrationError) {
      _ = try Store(initialState: state, coverage: coverage, parts: parts)
    } catch {
      reporter.issue("\(error)", at: sourceLocation)
    }
  }

  /// Expects a property to have an owner in a store, which handles actions of these types.
  ///
  /// ```swift
  /// expectOwned(\.counter, in: store, by: CounterAction.self, ResetAction.self)
  /// ```
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a fault traps with its message.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - store: The store.
  ///   - types: Types of actions that its owner has to handle.
  ///   - sourceLocation: Where the issue is reported.
  public func expectOwned<State, Value>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, in store: Store<State>,
    by types: any Action.Type..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (lens, reporter) = (Lens(keyPath), Reporter("`expectOwned`"))
    guard let handled = store.actionTypes(ownedBy: lens) else {
      return reporter.issue(
        "\(code: lens) has no owner in this store. Give the store a `Mutator(\\.\(lens)) { … }`.",
        at: sourceLocation)
    }
    if handled.contains(where: { $0 == (any Action).self }) { return }
    for type in types where !handled.contains(where: { $0 == type }) {
      let list = handled.map { "\(code: $0)" }.joined(separator: ", ")
      reporter.issue(
        """
        The owner of \(code: lens) does not handle \(code: type). It handles \
        \(list.isEmpty ? "no action" : list). Add `.on(\(type).self) { … }` to its mutator.
        """, at: sourceLocation)
    }
  }
#endif
