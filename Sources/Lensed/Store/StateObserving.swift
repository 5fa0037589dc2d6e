/// What can be read and observed: a store, and a scope of one.
///
/// ```swift
/// store.state                       // all of it
/// store.counter                     // one property, only that copied
/// store[nameLens]                   // what a lens focuses on
/// for await counter in store.states(\.counter) { … }
/// ```
///
/// The state can be read and not written: only actions change it. A property of the state that is
/// named like a member of the store (`state`, `versioned`, `settledState`, `isReplaying`, `states`, `changes`,
/// `dispatch`, `dispatchEach`, `scope`, `asScope`, `dispatchTarget`, `send`, `register`, `unregister`, `replace`,
/// `wiring`, `install`, `attach`, `replaceState`, `replay`, `settled`, `flush`, `request`; with LensedPresenters
/// `present`), or of the context of an effect (`change`, `given`, `next`, `until`), is reached through `state` or a lens.
@dynamicMemberLookup
public protocol StateObserving<State>: ActionDispatching {
  /// The state, or the feature's part of it.
  associatedtype State: Sendable

  /// All of it, as a scope, which does not keep the store alive.
  ///
  /// ```swift
  /// ProfileView(store: store.scope(\.profile))   // a view of a part
  /// AppView(store: store.asScope)                // the same for a view of all of it
  /// ```
  ///
  /// A type of yours that conforms hands out a scope here: it is read and observed through that, and
  /// `focusingOn:` dispatches to it; all other dispatches go through its own `send`.
  var asScope: ScopedStore<State> { get }
}

extension StateObserving {
  @inlinable
  @inline(__always)
  var view: StoreView<State> { asScope.view }
}

// MARK: Reading

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
  public var versioned: (state: State, revision: UInt64) {
    let view = view
    return view.core.withLock("read the state") {
      (view.part.read(view.memory.place), $0.table.revision)
    }
  }

  /// The current state without values for the time being: what to keep, and what to go back to.
  ///
  /// While an `AsyncMutator` works, its part may show the placeholder of `whileLoading`. Here that part has the value
  /// from before it. If another owner has written the part since, it has what that wrote. Everything else is as in
  /// `state`. While nothing shows a placeholder, the two are the same. A placeholder whose mutator was unregistered or
  /// replaced, or whose row has another id now, is the value of the part.
  ///
  /// ```swift
  /// let data = try JSONEncoder().encode(store.settledState)   // never `loading`
  /// ```
  ///
  /// A `History` goes back to settled states. In a scope it is the settled state of the scope's part.
  ///
  /// - Complexity: That of copying a value of type `State`. While a placeholder is shown, the collections are copied
  ///   in which it lies.
  public var settledState: State {
    view.core.readSettled(of: view.memory) { state, _, _ in view.part.read(state) }.value
  }

  /// Whether a commit is being delivered that a replay, an undo, a redo or a jump has made.
  ///
  /// An observer asks for it, to leave out what the past has done already. What it dispatches on its thread in the
  /// delivery of a replayed commit is not applied; after an undo, a redo or a jump it is, and is no step.
  ///
  /// A reducer that asks traps, since it would reduce otherwise in a replay.
  public var isReplaying: Bool {
    view.core.checkEntry("asked whether it is replaying")
    return switch view.core.baton.mark.current {
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
  /// property is looked at after every commit that a reducer handled. It has to be there in every state: for a row of
  /// `Entities` write `states(\.rows, id: 7)`, because `\.rows[1]` traps when the rows get fewer.
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
  /// compared, so repeats are kept; to leave some out, use `removeDuplicates(by:)`. The property has to be there in every
  /// state: for a row of `Entities` write `states(\.rows, id: 7)`.
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
///
/// ```swift
/// // Emits after each commit in which the reducer of `progress` ran:
/// let touched = store.states(\.progress, repeats: .kept)
/// ```
public enum Repeats: Sendable, Hashable {
  /// Equal values are left out. The last value is kept for comparison.
  case removed
  /// Every value is emitted.
  case kept
}

// MARK: Rows

extension StateObserving {
  /// One row of a collection: the element with an id, or nil if there is none.
  ///
  /// ```swift
  /// store[\.rows, id: 7]?.title
  /// ```
  ///
  /// - Complexity: That of finding the element: O(log *n*) for `Entities`, O(1) for dictionaries, O(*n*) for arrays.
  ///   Only the element is copied.
  @inlinable
  public subscript<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id id: Rows.RowID
  ) -> Rows.Row? where Rows.RowID: Sendable {
    view.read(keyPath, id: id)
  }

  /// The values of one row of a collection from now on, the current one first; nil while it is not there.
  ///
  /// ```swift
  /// for await row in store.states(\.rows, id: 7) { … }
  /// ```
  ///
  /// It emits when the row differs. It is woken by actions for this row, `ElementAction(id: 7, …)`, and by whatever
  /// edits the collection otherwise; by no action for another row. So among ten thousand observed rows, an action
  /// for one costs as if the others were not there. A key path through computed properties is woken for each row.
  ///
  /// With `repeats: .kept` nothing is compared and no value kept.
  @inlinable
  public func states<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID, repeats: Repeats = .removed
  ) -> StateStream<Rows.Row?> where Rows.RowID: Sendable, Rows.Row: Sendable & Equatable {
    let stream = view.stream(of: .row(id, of: PartPath(keyPath, for: .stream)))
    return repeats == .kept ? stream : stream.removeDuplicates()
  }

  /// The values of one row of a collection from now on, the current one first; nil while it is not there.
  ///
  /// Rows of this type cannot be compared, so repeats are kept.
  @_disfavoredOverload
  public func states<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID
  ) -> StateStream<Rows.Row?> where Rows.RowID: Sendable, Rows.Row: Sendable {
    view.stream(of: .row(id, of: PartPath(keyPath, for: .stream)))
  }
}

// MARK: With a dispatch

extension StateObserving {
  /// Dispatches an action and returns the resulting value of one property, read in the same critical section.
  ///
  /// ```swift
  /// let counter = store.dispatch(CounterAction.increase(10), focusingOn: \.counter)
  /// ```
  ///
  /// It can never be the outcome of a later action of another thread. It takes only what is applied
  /// synchronously, and traps when the action holds an asynchronous sequence.
  @inlinable
  @discardableResult
  public func dispatch<A: Action, Value>(
    _ action: A, focusingOn keyPath: any KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Value {
    let site = CallSite(fileID: fileID, function: function, line: line)
    return focus(action, site) { [view] in view.readPart($0, keyPath) }
  }

  /// Dispatches an action and returns the resulting part that a lens focuses on.
  @inlinable
  @discardableResult
  public func dispatch<A: Action, Value>(
    _ action: A, focusingOn lens: Lens<State, Value>,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Value {
    let site = CallSite(fileID: fileID, function: function, line: line)
    return focus(action, site) { [view] in view.readPart($0, lens) }
  }

  /// Dispatches actions of different types as one commit, and returns the resulting value of one property.
  @inlinable
  @discardableResult
  public func dispatch<Value>(
    _ actions: [any Action], focusingOn keyPath: any KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Value {
    let site = CallSite(fileID: fileID, function: function, line: line)
    return focus(ActionList(actions), site) { [view] in view.readPart($0, keyPath) }
  }

  /// Dispatches actions of different types as one commit, and returns the resulting part that
  /// a lens focuses on.
  @inlinable
  @discardableResult
  public func dispatch<Value>(
    _ actions: [any Action], focusingOn lens: Lens<State, Value>,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Value {
    let site = CallSite(fileID: fileID, function: function, line: line)
    return focus(ActionList(actions), site) { [view] in view.readPart($0, lens) }
  }

  @inlinable
  func focus<A: Action, Value>(
    _ action: A, _ site: CallSite, _ read: (StateAddress) -> Value
  ) -> Value {
    var value: Value?
    _ = ActionBatch.lending(action) { batch in
      asScope.sender.send(batch, from: site) { value = read($0) }
    }
    // After the store has gone nothing is applied, and a scope returns the last state.
    return value ?? view.lend(read)
  }
}
