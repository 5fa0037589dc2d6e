public import Observation

/// A store as views see it: on the main actor, observable, property by property.
///
/// ```swift
/// @MainActor func title(_ store: ObservedStore<AppState>) -> String { "\(store.counter)" }
///
/// let observed = ObservedStore(store)
/// withObservationTracking { title(observed) } onChange: { redraw() }
/// observed.dispatch(CounterAction.increase(1))   // observed.counter is 1 when this returns
/// ```
///
/// A SwiftUI view that reads `observed.counter` in its body is drawn anew when the counter differs,
/// and not for anything else. Two-way bindings send actions: see `subscript(_:send:)`.
///
/// **Guarantees.**
/// - *By property.* Whoever read one property is not told of another. A property is what comes after
///   the first dot: a reader of `observed.user.name` read `user`. `observed[\.user.name]` reads the
///   name alone.
/// - *Equal writes are no change.* Where a value can be compared, readers are told when it differs.
/// - *Its own dispatch* is reflected when `dispatch` returns, by whatever thread it is delivered.
/// - *Other commits* arrive on the main actor soon after, in order, conflated. A property never goes
///   back to an older value. One that is read for the first time, or again after it was released, is
///   read as the store has it then, so until the next arrival it may be newer than the others.
/// - *What nobody looks at is released.* When the readers of a property were told, and none has read it
///   by the next commit that touches it, its value is released and no commit looks at it any more.
/// - *Lifetime.* It keeps the store it was made of alive, as whoever holds a store does. Made of a
///   scope, it keeps none alive; after the store has gone it shows the last values there were.
///
/// **Cost.** It holds the value of each property that is looked at through it, so the next commit
/// that touches one copies its collections. A dispatch of its own that touches none of them costs two
/// atomic operations more than the store's; one that does, one look at each of them.
@MainActor
@dynamicMemberLookup
public final class ObservedStore<State: Sendable>: Observable {
  /// The store it was made of, which it keeps alive.
  private let store: Store<State>?
  /// The scope it was made of.
  @usableFromInline
  let scope: ScopedStore<State>?
  @usableFromInline
  let view: StoreView<State>
  @usableFromInline
  let parts: ObservedParts

  /// A mirror of a store, which it keeps alive.
  public convenience init(_ store: Store<State>) {
    self.init(store, nil, store.view)
  }

  /// A mirror of one feature's part of a store.
  public convenience init(_ scope: ScopedStore<State>) {
    self.init(nil, scope, scope.view)
  }

  private init(
    _ store: Store<State>?, _ scope: ScopedStore<State>?, _ view: StoreView<State>
  ) {
    self.store = store
    self.scope = scope
    self.view = view
    parts = ObservedParts(view.core)
  }

  /// The way to the store, whatever it was made of.
  @usableFromInline
  var way: any StateObserving<State> {
    if let store { return store }
    return scope ?? ScopedStore(view: view, tag: Untagged(core: view.core))
  }
}

// MARK: Reading

extension ObservedStore {
  /// A property of the state; whoever reads it is told when it differs.
  @inlinable
  public subscript<Value: Sendable & Equatable>(
    dynamicMember keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath, isProperty: true) { ObservedPart.differ(Value.self, $0) }
  }

  /// A property of the state whose values cannot be compared; whoever reads it is told when a reducer
  /// ran that owns part of it.
  @inlinable
  public subscript<Value: Sendable>(
    dynamicMember keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath, isProperty: true) { _ in true }
  }

  /// A property of the state at any depth; whoever reads it is told when it differs.
  ///
  /// `observed[\.user.name]` is told of the name alone, `observed.user.name` of all of `user`.
  ///
  /// A key path that not every state can be asked for is looked at only where that cannot fail.
  /// `observed[\.rows[3].name]` is told when the name differs, and also when `rows` gets shorter, in
  /// which case it is not looked at: who reads it again has to know that there is a third row. So it is with
  /// one index or key behind stored properties. A key path that goes further (`\.rows[3].cells[1]`,
  /// `\.user!.name`, a computed property of a property) is not looked at, and its readers are told
  /// whenever a reducer ran that owns some of the property it begins with.
  @inlinable
  public subscript<Value: Sendable & Equatable>(
    _ keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath) { ObservedPart.differ(Value.self, $0) }
  }

  /// A property of the state at any depth, whose values cannot be compared.
  @inlinable
  public subscript<Value: Sendable>(_ keyPath: any KeyPath<State, Value> & Sendable) -> Value {
    read(keyPath) { _ in true }
  }

  /// All of the state, which cannot be compared; whoever reads it is told of every commit that a
  /// reducer handled.
  @inlinable
  public var state: State { read(\.self) { _ in true } }

  @inlinable
  func read<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, isProperty: Bool = false,
    _ compare: @escaping (_ values: StateAddress) -> Bool
  ) -> Value {
    let part = parts.part(keyPath) ?? add(keyPath, isProperty: isProperty, compare)
    parts.access(part)
    // An equal key path leads to values of the same type.
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
      keyPath, number: parts.makeNumber(), parts.reading(path, of: view.part),
      showing: ObservedPart.Values(shown: view.read(keyPath), drawnBy: reader), compare: compare)
    parts.add(part, reader.footprint)
    return part
  }
}

extension ObservedStore where State: Equatable {
  /// All of the state; whoever reads it is told when any of it differs.
  @inlinable
  public var state: State { read(\.self) { ObservedPart.differ(State.self, $0) } }
}
