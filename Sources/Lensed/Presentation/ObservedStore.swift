public import Observation

// How a view is not re-rendered in vain:
//
// 1. The subscript that reads a value chooses, here, how the value is compared; what cannot be compared always counts.
// 2. Whether the value differs, once a commit has touched it, when its readers are notified, and that they are notified
//    once, is decided in `ViewTracker.swift`.

/// An observable store for views: on the main actor, tracked property by property.
///
/// ```swift
/// @MainActor func title(_ store: ObservedStore<AppState>) -> String { "\(store.counter)" }
///
/// let observed = ObservedStore(store)
/// withObservationTracking { title(observed) } onChange: { render() }
/// observed.dispatch(CounterAction.increase(1))   // observed.counter is 1 when this returns
/// ```
///
/// A SwiftUI view that reads `observed.counter` in its body is re-rendered when the counter
/// differs, and for nothing else. Two-way bindings dispatch actions: see `subscript(_:send:)`. A property
/// that is named like a member of the observed store is read with a key path: `observed[\.state]`.
///
/// **Guarantees.**
/// - *Tracking by property.* A reader of one property is not notified of another. The property is the name after the
///   first dot: `observed.user.name` reads `user`. `observed[\.user.name]` reads the name alone.
/// - *Equal writes are no change.* Readers of an `Equatable` property are notified when it differs.
/// - *One picture.* All observed stores of one store, children included, show one commit at every moment: the newest
///   one that has arrived. A value never goes back to an older commit. A first read, or a read after the value was
///   released, brings all of them up to date; the readers of what differs are notified soon after.
/// - *Its own dispatch* is shown by all of them before `dispatch` returns, whichever thread delivers it, and each
///   reader is notified once.
/// - *Other commits* arrive on the main actor soon after, in order, conflated; each arrival is a job of its own, so
///   writers that never rest keep neither the main actor nor a `dispatch`.
/// - *Children.* `scope(_:id:)` and its like return observed stores of rows, optionals and cases. Each is
///   notified for its own child. A view that reads through a child is notified, whether or not it holds the child, as
///   long as an observed store of the store is held.
/// - *Unread properties are released.* If a property's readers were notified and none has read it
///   by the next commit that touches it, its value is released and no longer updated.
/// - *Lifetime.* Made from a store, it keeps the store alive. Made from a scope, it does not; after
///   the store has been released it shows the last values.
///
/// **Cost.** It holds the value of each property that is read through it, so the next commit that
/// touches one copies its collections. A dispatch of its own costs two atomic operations more than
/// one to a scope; if it touches observed properties, one read of each of them besides, however many others there are.
@MainActor
@dynamicMemberLookup
public final class ObservedStore<State: Sendable>: Observable {
  /// The store it was made from, kept alive.
  let owner: Store<State>?
  /// The scope it was made from, or all of the store.
  @usableFromInline
  let scope: ScopedStore<State>
  @usableFromInline
  let tracker: ViewTracker
  @usableFromInline
  let values: TrackedValues

  /// Creates an observed store, and keeps the store alive.
  public convenience init(_ store: Store<State>) {
    let tracker = ViewTracker.of(store.view)
    self.init(store.asScope, ownedBy: store, tracker, tracker.values)
  }

  /// Creates an observed store of a scope, without keeping the store alive.
  public convenience init(_ scope: ScopedStore<State>) {
    self.init(scope, ViewTracker.of(scope.view), TrackedValues())
  }

  /// Creates an observed store of which some values might have been read already.
  @usableFromInline
  init(
    _ scope: ScopedStore<State>, ownedBy store: Store<State>? = nil, _ tracker: ViewTracker,
    _ values: TrackedValues
  ) {
    owner = store
    self.scope = scope
    (self.tracker, self.values) = (tracker, values)
  }

  @usableFromInline
  var view: StoreView<State> { scope.view }
}

// MARK: Reading

extension ObservedStore {
  /// Reads a property of the state; its readers are notified when it differs.
  ///
  /// A computed property is read after each commit that a reducer handled, so it must not trap in any state. Nor must a
  /// subscript of a type of yours that is written as a member, as `observed[at: 2]`: Swift forwards it as it forwards a
  /// property, and their key paths look the same. `observed[\.[at: 2]]` is read on demand alone.
  @inlinable
  public subscript<Value: Sendable & Equatable>(
    dynamicMember keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath, isProperty: true) { TrackedValue.differ(Value.self, $0) }
  }

  /// Reads a property that is not `Equatable`; its readers are notified when a reducer ran that owns part of it.
  public subscript<Value: Sendable>(
    dynamicMember keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath, isProperty: true, nil)
  }

  /// Reads a property at any depth; its readers are notified when it differs.
  ///
  /// `observed[\.user.name]` notifies for the name alone, `observed.user.name` for all of `user`.
  ///
  /// An update never reads a key path that could trap:
  /// - Stored properties, optional chains and keys of dictionaries, as in
  ///   `observed[\.names["a"]?.text]`: readers are notified when the value differs.
  /// - Any other key path, such as `\.rows[3].name`, `\.user!.name`, a subscript of another type, or a computed
  ///   property of a property, such as `\.rows.count`: readers are notified whenever a reducer ran that owns part of
  ///   its first property, and nothing is read before one of them reads again: so it must check that the row is still
  ///   there. Where that is too often, read a row by its id, `observed[\.rows, id: 7]`, or a `Derived` value.
  public subscript<Value: Sendable & Equatable>(
    _ keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath) { TrackedValue.differ(Value.self, $0) }
  }

  /// Reads a property at any depth that is not `Equatable`; its readers are notified when a reducer
  /// ran that owns part of it.
  public subscript<Value: Sendable>(_ keyPath: any KeyPath<State, Value> & Sendable) -> Value {
    read(keyPath, nil)
  }

  /// The whole state, which is not `Equatable`; its readers are notified of every handled commit.
  public var state: State { read(\.self, nil) }

  /// Reads by a key path, in one form: `isProperty` says that it was written after a dot; if `compare` is nil, the value
  /// always counts as another.
  @inlinable
  func read<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, isProperty: Bool = false,
    _ compare: ((_ values: StateAddress) -> Bool)?
  ) -> Value {
    let form = KeyPathForm(isProperty: isProperty, isCompared: compare != nil)
    let value = values.value(keyPath, form) ?? add(keyPath, form, compare)
    tracker.access(value)
    // Equal key paths have values of the same type.
    return value.shown(Value.self)
  }

  @inlinable
  @inline(never)
  func add<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, _ form: KeyPathForm,
    _ compare: ((_ values: StateAddress) -> Bool)?
  ) -> TrackedValue {
    let analysis = ObservedKeyPath(keyPath, isProperty: form.isProperty)
    let isStored = MemoryLayout<State>.offset(of: keyPath) != nil
    let path = view.part.appending(
      isStored
        ? PartPath(keyPath)
        : PartPath(way: analysis.way) {
          $0.read(State.self)[keyPath: keyPath]
        })
    return track(
      .keyPath(keyPath, form), isOnDemand: !analysis.isSafe, isComputed: !isStored, at: path,
      compare ?? { _ in true })
  }

  @inlinable
  func track<Value: Sendable>(
    _ key: TrackedValue.Key, isOnDemand: Bool = false, isComputed: Bool = false,
    at path: PartPath<Value>, _ compare: @escaping (_ values: StateAddress) -> Bool,
    onShow: @escaping (_ value: Value) -> Void = { _ in }
  ) -> TrackedValue {
    let value = TrackedValue(
      key, on: tracker.touched, in: view.part.child, isOnDemand: isOnDemand, isComputed: isComputed,
      at: path, compare: compare, onShow: onShow)
    tracker.add(value, to: values)
    return value
  }

}

extension ObservedStore where State: Equatable {
  /// The whole state; its readers are notified when any of it differs.
  public var state: State { read(\.self) { TrackedValue.differ(State.self, $0) } }
}

// MARK: Dispatching

extension ObservedStore {
  /// Dispatches an action and shows its changes before returning.
  ///
  /// ```swift
  /// observed.dispatch(CounterAction.increase(1))
  /// observed.counter   // already increased
  /// ```
  ///
  /// - Returns: The work that the action started. Actions dispatched by that work arrive later,
  ///   like those of other dispatchers.
  @inlinable
  @discardableResult
  public func dispatch<A: Action>(
    _ action: A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    dispatch(action, from: CallSite(fileID: fileID, function: function, line: line))
  }

  @inlinable
  @discardableResult
  func dispatch<A: Action>(_ action: A, from site: CallSite) -> DispatchTask {
    let isOutermost = tracker.dirtyFlag.beginDispatch()
    let task = ActionBatch.lending(action) { scope.send($0, from: site) }
    tracker.flush(isOutermost)
    return task
  }

  /// Dispatches an action whose type is known at run time only.
  @_disfavoredOverload
  @discardableResult
  public func dispatch(
    _ action: any Action,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    reflecting { $0.dispatch(action, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches an array of actions of one type, in order, as one commit.
  @discardableResult
  public func dispatch<A: Action>(
    _ actions: [A],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    reflecting { $0.dispatch(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches an array of actions of different types, in order, as one commit up to its first asynchronous member.
  @_disfavoredOverload
  @discardableResult
  public func dispatch(
    _ actions: [any Action]?,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    reflecting { $0.dispatch(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches each element of an asynchronous sequence as it arrives.
  ///
  /// Their changes are shown soon after each commit, like those of other dispatchers.
  @_disfavoredOverload
  @discardableResult
  public func dispatch<S: AsyncSequence & Sendable>(
    _ actions: S,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask where S.Element: Action {
    reflecting { $0.dispatch(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches each element of an asynchronous sequence of different action types as it arrives.
  @_disfavoredOverload
  @discardableResult
  public func dispatch<S: AsyncSequence & Sendable>(
    _ actions: S,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask where S.Element == any Action {
    reflecting { $0.dispatch(actions, fileID: fileID, function: function, line: line) }
  }

  /// Not available: the array has elements that are no actions.
  @available(*, unavailable, message: "the array has elements that do not conform to 'Action'")
  @discardableResult
  public func dispatch<Element>(
    _ actions: [Element],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    fatalError("Lensed: an array of \(Element.self) was dispatched; this is a fault of Lensed.")
  }

  /// Dispatches actions of one type, each as its own commit, and shows all changes at the end.
  public func dispatchEach<A: Action>(
    _ actions: some Sequence<A>,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    reflecting { $0.dispatchEach(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches actions of different types, each as its own commit, and shows all changes at the end.
  public func dispatchEach(
    _ actions: [any Action],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    reflecting { $0.dispatchEach(actions, fileID: fileID, function: function, line: line) }
  }

  /// Runs a closure with the store, and shows all resulting changes before returning.
  ///
  /// ```swift
  /// observed.reflecting { store in store.dispatch(draft, focusingOn: \.id) }
  /// ```
  public func reflecting<Result>(_ body: (any StateObserving<State>) -> Result) -> Result {
    let isOutermost = tracker.dirtyFlag.beginDispatch()
    let result = body(owner ?? scope)
    tracker.flush(isOutermost)
    return result
  }
}

// MARK: Writing

extension ObservedStore {
  /// Dispatches the action that requests a new value for a property.
  ///
  /// ```swift
  /// observed.set(\.title, to: text, as: DocumentAction.rename)
  /// ```
  ///
  /// The property's reducer decides the new value. It is shown before this returns.
  @discardableResult
  public func set<Value, A: Action>(
    _ keyPath: any KeyPath<State, Value> & Sendable, to value: Value, as action: (Value) -> A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    dispatch(action(value), fileID: fileID, function: function, line: line)
  }

  /// Reads a property from the state, and writes it by dispatching an action.
  ///
  /// ```swift
  /// observed[\.query, send: SearchAction.edited] = "alien"   // dispatches .edited("alien")
  /// ```
  public subscript<Value: Sendable & Equatable, A: Action>(
    _ keyPath: any KeyPath<State, Value> & Sendable, send action: (Value) -> A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Value {
    get { self[keyPath] }
    set { dispatch(action(newValue), fileID: fileID, function: function, line: line) }
  }

  /// Reads a property from the state, and writes it by dispatching an action: the form for SwiftUI's `$`.
  ///
  /// ```swift
  /// @Bindable var store: ObservedStore<AppState>
  /// TextField("Search", text: $store[\.query, send: .action(SearchAction.edited)])
  /// ```
  ///
  /// A binding is a key path, so its arguments must be hashable. A bare function is not; `.action` is. The place of
  /// `.action` is that of the dispatches.
  public subscript<Value: Sendable & Equatable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, send sending: Sending<Value>
  ) -> Value {
    get { self[keyPath] }
    set { dispatch(sending.make(newValue), from: sending.site) }
  }
}

/// A conversion from a new value to the action that requests it, compared by id.
public struct Sending<Value>: Sendable, Hashable {
  private let id: AnyID
  fileprivate let make: @Sendable (Value) -> any Action
  /// Where it is written: a key path cannot say where it is used.
  fileprivate let site: CallSite

  /// Converts values with `make`; equals only its own copies.
  public static func action<A: Action>(
    _ make: @escaping @Sendable (_ value: Value) -> A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Sending {
    Sending(
      id: AnyID(Own()), make: make,
      site: CallSite(fileID: fileID, function: function, line: line))
  }

  /// Converts values with `make`; equals every other conversion with the same id.
  ///
  /// The id must name everything that `make` depends on.
  public static func action<ID: Hashable & Sendable, A: Action>(
    _ id: ID, _ make: @escaping @Sendable (_ value: Value) -> A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Sending {
    Sending(
      id: AnyID(id), make: make,
      site: CallSite(fileID: fileID, function: function, line: line))
  }

  /// An id that nothing else has.
  private struct Own: Hashable, Sendable {
    private let number = makeUniqueNumber()
  }

  /// Whether the ids are equal.
  public static func == (left: Sending, right: Sending) -> Bool { left.id == right.id }

  /// Feeds the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

// MARK: Rows

extension ObservedStore {
  /// Reads one row of a collection, or nil if it is not there; its readers are notified when it differs.
  ///
  /// ```swift
  /// Text(observed[\.rows, id: 7]?.title ?? "")
  /// ```
  ///
  /// Actions for other rows do not concern it. Unlike `observed[\.rows[3]]`, it never traps.
  @inlinable
  public subscript<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id id: Rows.RowID
  ) -> Rows.Row? where Rows.RowID: Sendable, Rows.Row: Sendable & Equatable {
    read(id, at: keyPath, { .row(id, of: PartPath(keyPath, for: .stream)) }) {
      TrackedValue.differ(Rows.Row?.self, $0)
    }
  }

  /// Reads one row of a collection that is not `Equatable`; its readers are notified when a reducer ran that may
  /// have edited it.
  @_disfavoredOverload
  public subscript<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id id: Rows.RowID
  ) -> Rows.Row? where Rows.RowID: Sendable, Rows.Row: Sendable {
    read(id, at: keyPath, { .row(id, of: PartPath(keyPath, for: .stream)) }, nil)
  }

  @inlinable
  func read<ID: Hashable & Sendable, Row: Sendable>(
    _ id: ID, at keyPath: AnyKeyPath, _ path: () -> PartPath<Row?>,
    _ compare: ((_ values: StateAddress) -> Bool)?
  ) -> Row? {
    let key = TrackedValue.Key.row(AnyID(id), of: keyPath, isCompared: compare != nil)
    let value =
      values.value(key) ?? track(key, at: view.part.appending(path()), compare ?? { _ in true })
    tracker.access(value)
    return value.shown(Row?.self)
  }
}

// MARK: Derived values

extension ObservedStore {
  /// Reads a derived value; its readers are notified when it differs.
  ///
  /// ```swift
  /// List(observed[Todos.visible]) { todo in Text(todo.title) }
  /// ```
  ///
  /// It is computed on the main actor, when it is read for the first time, and when a commit has touched an input
  /// and a reader will be notified of it. What another thread has computed of the same commit is taken over.
  ///
  /// If it was lifted by functions rather than key paths, its readers are notified of every handled commit.
  public subscript<Value>(_ derived: Derived<State, Value>) -> Value {
    var reference = derived.reference
    if !reference.formula.asks.isEmpty {
      reference.givers = reference.findGivers(in: view.part, of: tracker.core)
    }
    let key = reference.key
    guard key.place.canBeFound else {
      return derived.value(in: read(\.self, nil))
    }
    let value = values.value(.derived(key)) ?? add(reference, key)
    tracker.access(value)
    guard let shown = value.place.edit(ObservedDerived.self, { $0.shown }) else {
      // It is being computed for its first reader: its function asks for it, or a `deinit` of what that has released.
      // Or what gave it a value has gone, which traps.
      return scope[derived]
    }
    return Boxed<Value>.known(shown.value).value
  }

  private func add(_ derived: DerivedReference, _ key: MemoKey) -> TrackedValue {
    let core = tracker.core
    let scoped = ScopedDerived(derived, in: view.part, of: core)
    let node = core.node(of: scoped.reference)
    let memory = UnsafeCell(ObservedDerived(node, scoped))
    let value = TrackedValue(
      .derived(key), of: node.footprint, on: tracker.touched, in: view.part.child,
      isComputed: true, memory: memory, memory.place,
      load: { values, state, revision in
        values.edit(ObservedDerived.self) { $0.load(from: state, at: revision) }
      },
      compare: { ObservedDerived.differs($0, in: core) },
      show: { ObservedDerived.show($0, isUnread: $1, in: core) })
    tracker.add(value, to: values)
    return value
  }
}

/// What an observed store shows of a derived value, in place of `TrackedValue.Values`.
private struct ObservedDerived {
  /// The value that readers see; nil if the next reader has to load it.
  private(set) var shown: DerivedResult?
  /// What the next value is computed of.
  private var loaded: (copies: DerivedCopies, revision: UInt64)?
  private var computed: DerivedResult?
  /// The newest commit that a value was computed of.
  private var newest: UInt64 = 0
  /// Copies that were replaced under the lock, to be released after it.
  private var outdated: [DerivedCopies] = []
  private let node: DerivedNode
  /// Held, too, so that the store keeps the node.
  private let derived: ScopedDerived

  init(_ node: DerivedNode, _ derived: ScopedDerived) {
    self.node = node
    self.derived = derived
  }

  /// Copies the inputs; under the lock.
  mutating func load(from state: StateAddress, at revision: UInt64) {
    if let loaded { outdated.append(loaded.copies) }
    loaded = (derived.copies(of: node, from: state), revision)
  }

  static func differs(_ values: StateAddress, in core: StoreCore) -> Bool {
    compute(values, in: core)
    let (node, shown, computed) = values.edit(Self.self) { ($0.node, $0.shown, $0.computed) }
    guard let computed else { return false }
    return shown.map { !node.formula.areSame($0, computed) } ?? true
  }

  /// Shows the next value, or discards the shown one.
  static func show(_ values: StateAddress, isUnread: Bool, in core: StoreCore) {
    if !isUnread { compute(values, in: core) }
    // Released outside of the access, because a user's `deinit` may call back into the observed store.
    let released = values.edit(Self.self) { values in
      let old = (values.shown, values.loaded.take(), exchange(&values.outdated, with: []))
      if isUnread {
        values.shown = nil
        values.computed = nil
      } else if let next = values.computed.take() {
        values.shown = next
      }
      return old
    }
    withExtendedLifetime(released) {}
  }

  private static func compute(_ values: StateAddress, in core: StoreCore) {
    let (node, loaded) = values.edit(Self.self) { ($0.node, $0.loaded.take()) }
    guard let (copies, revision) = loaded else { return }
    if copies.isIncomplete {
      // What gave a value has gone with the child: the value that there was is all that is left.
      let last = core.withLock("read a derived value") { _ in node.record.value.result }
      return values.edit(Self.self) { if $0.shown == nil { $0.computed = last } }
    }
    let next = copies.result(of: node, at: revision, in: core)
    // The function may have dispatched, or a `deinit` of what it has released: then a newer value is there.
    let replaced = values.edit(Self.self) { values in
      if revision < values.newest { return values.computed }
      values.newest = revision
      return exchange(&values.computed, with: next)
    }
    withExtendedLifetime(replaced) {}
  }
}
