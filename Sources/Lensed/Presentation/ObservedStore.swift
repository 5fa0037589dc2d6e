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
/// - *Its own dispatch* is shown before `dispatch` returns, whichever thread delivers it.
/// - *Other commits* arrive on the main actor soon after, in order, conflated; each arrival is a job of its own, so
///   writers that never rest keep neither the main actor nor a `dispatch`. A property never
///   goes back to an older value. A first read, or a read after the property was released, takes
///   the store's current value; until the next arrival it can be newer than the other properties.
/// - *Unread properties are released.* If a property's readers were notified and none has read it
///   by the next commit that touches it, its value is released and no longer updated.
/// - *Children.* `scope(_:id:)` and its like return observed stores of rows, optionals and cases. Each is
///   notified for its own child; the dispatch of one is soon shown by the others.
/// - *Lifetime.* Made from a store, it keeps the store alive. Made from a scope, it does not; after
///   the store has been released it shows the last values.
///
/// **Cost.** It holds the value of each property that is read through it, so the next commit that
/// touches one copies its collections. A dispatch of its own costs two atomic operations more than
/// one to a scope; if it touches observed properties, one read of each of them besides.
@MainActor
@dynamicMemberLookup
public final class ObservedStore<State: Sendable>: Observable {
  /// The store it was made from, kept alive.
  let owner: Store<State>?
  /// The scope it was made from, or all of the store.
  @usableFromInline
  let scope: ScopedStore<State>
  @usableFromInline
  let parts: ObservedParts
  let children = ObservedChildren()

  /// Creates an observed store, and keeps the store alive.
  public convenience init(_ store: Store<State>) {
    self.init(store, store.asScope)
  }

  /// Creates an observed store of a scope, without keeping the store alive.
  public convenience init(_ scope: ScopedStore<State>) {
    self.init(nil, scope)
  }

  private init(_ store: Store<State>?, _ scope: ScopedStore<State>) {
    owner = store
    self.scope = scope
    parts = ObservedParts(scope.view.core)
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
    read(keyPath, isProperty: true) { ObservedPart.differ(Value.self, $0) }
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
  /// - One index of an array after stored properties, as in `observed[\.rows[3].name]`: readers are
  ///   notified when the name differs. They are also notified when `rows` gets shorter. It is not
  ///   read then, and a reader must check that the row is still there before it reads again.
  /// - Any other key path, such as `\.rows[3].cells[1]`, `\.user!.name`, a subscript of another
  ///   type, or a computed property of a property, such as `\.rows.count`: readers are notified
  ///   whenever a reducer ran that owns part of its first property. Where that is too often, read a
  ///   `Derived` value.
  public subscript<Value: Sendable & Equatable>(
    _ keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath) { ObservedPart.differ(Value.self, $0) }
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
    let part = parts.part(keyPath) ?? add(keyPath, isProperty: isProperty, compare)
    parts.access(part)
    // Equal key paths have values of the same type.
    return PartPath.lent(part.place.edit(ObservedPart.Values<Value>.self) { $0.shown })
  }

  @inlinable
  @inline(never)
  func add<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, isProperty: Bool,
    _ compare: @escaping (_ values: StateAddress) -> Bool
  ) -> ObservedPart {
    let path = ObservedKeyPath(keyPath, isProperty: isProperty)
    let isStored = MemoryLayout<State>.offset(of: keyPath) != nil
    let reader = view.part.appending(
      isStored
        ? PartPath(keyPath)
        : PartPath(label: path.label) {
          $0.read(State.self)[keyPath: keyPath]
        })
    let part = ObservedPart(
      .keyPath(keyPath), number: parts.makeNumber(), parts.reading(path, of: view.part),
      showing: ObservedPart.Values(shown: view.read(keyPath), loadedBy: reader), compare: compare)
    parts.add(part)
    return part
  }

  /// Reads a part that is no property, such as a row; `path` leads to it from the state.
  func read<Value: Sendable>(
    memo key: AnyHashable, at path: () -> PartPath<Value>,
    _ compare: @escaping (_ values: StateAddress) -> Bool
  ) -> Value {
    let part = parts.part(memo: key) ?? add(key, path(), compare)
    parts.access(part)
    return PartPath.lent(part.place.edit(ObservedPart.Values<Value>.self) { $0.shown })
  }

  private func add<Value: Sendable>(
    _ key: AnyHashable, _ path: PartPath<Value>,
    _ compare: @escaping (_ values: StateAddress) -> Bool
  ) -> ObservedPart {
    let path = view.part.appending(path)
    let part = ObservedPart(
      .memo(key), number: parts.makeNumber(), .atCommits,
      showing: ObservedPart.Values(shown: view.lend(path.read), loadedBy: path), compare: compare)
    parts.add(part)
    return part
  }
}

extension ObservedStore where State: Equatable {
  /// The whole state; its readers are notified when any of it differs.
  public var state: State { read(\.self) { ObservedPart.differ(State.self, $0) } }
}
