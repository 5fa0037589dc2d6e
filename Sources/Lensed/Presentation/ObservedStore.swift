public import Observation

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
/// - *Tracking by property.* A reader of one property is not notified of another. The property is
///   the name after the first dot: `observed.user.name` reads `user`. `observed[\.user.name]` reads
///   the name alone.
/// - *Equal writes are no change.* Readers of an `Equatable` property are notified when it differs.
/// - *One picture.* All observed stores of one store, children included, show one commit at every moment: the newest
///   one that has arrived. A value never goes back to an older commit. A first read, or a read after the value was
///   released, brings all of them up to date; the readers of what differs are notified soon after.
/// - *Its own dispatch* is shown by all of them before `dispatch` returns, whichever thread delivers it, and each reader
///   is notified once.
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
  /// What is read through it.
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
  /// A computed property is read after each commit that a reducer handled, so it must not trap in
  /// any state. Nor must a subscript of a type of yours that is written as a member, as `observed[at: 2]`: Swift
  /// forwards it as it forwards a property, and their key paths look the same. `observed[\.[at: 2]]` is read on
  /// demand alone.
  @inlinable
  public subscript<Value: Sendable & Equatable>(
    dynamicMember keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath, isProperty: true) { TrackedValue.differ(Value.self, $0) }
  }

  /// Reads a property that is not `Equatable`; its readers are notified when a reducer ran that
  /// owns part of it.
  public subscript<Value: Sendable>(
    dynamicMember keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath, isProperty: true) { _ in true }
  }

  /// Reads a property at any depth; its readers are notified when it differs.
  ///
  /// `observed[\.user.name]` notifies for the name alone, `observed.user.name` for all of `user`.
  ///
  /// An update never reads a key path that could trap:
  /// - Stored properties, optional chains and keys of dictionaries, as in
  ///   `observed[\.names["a"]?.text]`: readers are notified when the value differs.
  /// - Any other key path, such as `\.rows[3].name`, `\.user!.name`, a subscript of another
  ///   type, or a computed property of a property, such as `\.rows.count`: readers are notified
  ///   whenever a reducer ran that owns part of its first property, and nothing is read before one of them reads again:
  ///   so it must check that the row is still there. Where that is too often, read a row by its id,
  ///   `observed[\.rows, id: 7]`, or a `Derived` value.
  public subscript<Value: Sendable & Equatable>(
    _ keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath) { TrackedValue.differ(Value.self, $0) }
  }

  /// Reads a property at any depth that is not `Equatable`; its readers are notified when a reducer
  /// ran that owns part of it.
  public subscript<Value: Sendable>(_ keyPath: any KeyPath<State, Value> & Sendable) -> Value {
    read(keyPath) { _ in true }
  }

  /// The whole state, which is not `Equatable`; its readers are notified of every handled commit.
  public var state: State { read(\.self) { _ in true } }

  @inlinable
  func read<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, isProperty: Bool = false,
    _ compare: @escaping (_ values: StateAddress) -> Bool
  ) -> Value {
    let value = values.value(keyPath) ?? add(keyPath, isProperty: isProperty, compare)
    tracker.access(value)
    // Equal key paths have values of the same type.
    return value.shown(Value.self)
  }

  @inlinable
  @inline(never)
  func add<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, isProperty: Bool,
    _ compare: @escaping (_ values: StateAddress) -> Bool
  ) -> TrackedValue {
    let analysis = ObservedKeyPath(keyPath, isProperty: isProperty)
    let isStored = MemoryLayout<State>.offset(of: keyPath) != nil
    let path = view.part.appending(
      isStored
        ? PartPath(keyPath)
        : PartPath(label: analysis.label) {
          $0.read(State.self)[keyPath: keyPath]
        })
    let value = TrackedValue(
      .keyPath(keyPath), number: tracker.makeNumber(),
      on: tracker.touched, in: view.part.child,
      isOnDemand: !analysis.isSafe, at: path, compare: compare)
    tracker.add(value, to: values)
    return value
  }

  /// Reads a part that is no property, such as a row; `path` leads to it from the state.
  func read<Value: Sendable>(
    memo key: AnyHashable, at path: () -> PartPath<Value>,
    _ compare: @escaping (_ values: StateAddress) -> Bool,
    onShow: @escaping (_ value: Value) -> Void = { _ in }
  ) -> (value: Value, tracked: TrackedValue) {
    let value = values.value(memo: key) ?? add(key, path(), compare, onShow)
    tracker.access(value)
    return (value.shown(Value.self), value)
  }

  private func add<Value: Sendable>(
    _ key: AnyHashable, _ path: PartPath<Value>,
    _ compare: @escaping (_ values: StateAddress) -> Bool,
    _ onShow: @escaping (_ value: Value) -> Void
  ) -> TrackedValue {
    let path = view.part.appending(path)
    let value = TrackedValue(
      .memo(key), number: tracker.makeNumber(), on: tracker.touched, in: view.part.child,
      at: path, compare: compare, onShow: onShow)
    tracker.add(value, to: values)
    return value
  }
}

extension ObservedStore where State: Equatable {
  /// The whole state; its readers are notified when any of it differs.
  public var state: State { read(\.self) { TrackedValue.differ(State.self, $0) } }
}
