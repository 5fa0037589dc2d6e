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
///   back to an older value. One that is read for the first time is read as the store has it then, so
///   until the next arrival it may be newer than the others.
/// - *Lifetime.* It keeps the store it was made of alive, as whoever holds a store does. Made of a
///   scope, it keeps none alive; after the store has gone it shows the last values there were.
///
/// **Cost.** It holds the value of each property that was ever read through it, so the next commit
/// that touches one copies its collections. A dispatch of its own that touches none of them costs two
/// atomic operations more than the store's; one that does, one look at each of them.
@MainActor
@dynamicMemberLookup
public final class ObservedStore<State: Sendable>: Observable {
  /// What it was made of.
  @usableFromInline
  enum Base: Sendable {
    case store(Store<State>)
    case scope(ScopedStore<State>)
  }

  @usableFromInline
  nonisolated let base: Base
  @usableFromInline
  nonisolated let bell = Doorbell()
  private let view: StoreView<State>
  /// Whether somebody delivers, who may have yet to ring.
  private let baton: Baton
  private let registrar = ObservationRegistrar()
  /// Those that were read, in the order in which they were first.
  private var parts: ContiguousArray<ObservedPart<State>> = []
  private var partsByPath: [AnyKeyPath: ObservedPart<State>] = [:]
  /// The same again, for the very key paths they were first read by: literals are one object each,
  /// and comparing key paths takes longer.
  private var partsByIdentity: [ObjectIdentifier: ObservedPart<State>] = [:]

  /// A mirror of a store, which it keeps alive.
  public convenience init(_ store: Store<State>) {
    self.init(.store(store), store.view)
  }

  /// A mirror of one feature's part of a store.
  public convenience init(_ scope: ScopedStore<State>) {
    self.init(.scope(scope), scope.view)
  }

  private init(_ base: Base, _ view: StoreView<State>) {
    self.base = base
    self.view = view
    baton = view.core.withTable { $0.baton }
  }

  /// What the registrar knows properties by; never called.
  private subscript(part index: Int) -> Int { index }
}

// MARK: Reading

extension ObservedStore {
  /// A property of the state; whoever reads it is told when it differs.
  public subscript<Value: Sendable & Equatable>(
    dynamicMember keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath) { $0 == $1 }
  }

  /// A property of the state whose values cannot be compared; whoever reads it is told when a reducer
  /// ran that owns part of it.
  public subscript<Value: Sendable>(
    dynamicMember keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath, nil)
  }

  /// A property of the state at any depth; whoever reads it is told when it differs.
  ///
  /// `observed[\.user.name]` is told of the name alone, `observed.user.name` of all of `user`.
  public subscript<Value: Sendable & Equatable>(
    _ keyPath: any KeyPath<State, Value> & Sendable
  ) -> Value {
    read(keyPath) { $0 == $1 }
  }

  /// A property of the state at any depth, whose values cannot be compared.
  public subscript<Value: Sendable>(_ keyPath: any KeyPath<State, Value> & Sendable) -> Value {
    read(keyPath, nil)
  }

  /// All of the state, which cannot be compared; whoever reads it is told of every commit that a
  /// reducer handled.
  public var state: State { read(\.self, nil) }

  fileprivate func read<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable,
    _ areEqual: (@Sendable (Value, Value) -> Bool)?
  ) -> Value {
    let part = part(keyPath, areEqual)
    registrar.access(self, keyPath: part.trackingPath)
    return part.value
  }

  private func part<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable,
    _ areEqual: (@Sendable (Value, Value) -> Bool)?
  ) -> ObservedValue<State, Value> {
    let known = partsByIdentity[ObjectIdentifier(keyPath)] ?? partsByPath[keyPath]
    if let known = known as? ObservedValue<State, Value> { return known }
    let bell = bell
    let part = ObservedValue(
      keyPath, \.[part: parts.count], view, PartReader(keyPath), areEqual
    ) { [weak self] in
      // The mirror may be gone, or anybody's; it is only asked on its own actor.
      if bell.ring() { Task { @MainActor in self?.catchUp() } }
    }
    parts.append(part)
    partsByPath[keyPath] = part
    partsByIdentity[ObjectIdentifier(keyPath)] = part
    return part
  }
}

extension ObservedStore where State: Equatable {
  /// All of the state; whoever reads it is told when any of it differs.
  public var state: State { read(\.self) { $0 == $1 } }
}

// MARK: Renewing

extension ObservedStore {
  /// Shows what others have committed.
  private func catchUp() {
    let isOutermost = bell.attend()
    settle(isOutermost)
  }

  /// Shows what was committed, by the dispatch that has just returned and by others before it.
  ///
  /// - Parameter isOutermost: What `attend` gave before the dispatch.
  @usableFromInline
  func settle(_ isOutermost: Bool) {
    // With nobody delivering, whatever was touched has rung.
    if isOutermost && baton.isIdle && bell.leave() { return }
    repeat {
      bell.answer()
      renew()
    } while isOutermost && !bell.leave()
  }

  private func renew() {
    let parts = parts
    var (first, last) = (parts.endIndex, parts.startIndex)
    view.core.withTable { table in
      for index in parts.indices where parts[index].draw(&table) {
        first = min(first, index)
        last = index
      }
    }
    guard first <= last, first < parts.endIndex else { return }
    if first == last { return show(parts[first]) }
    // Everybody hears before anything is shown, so that nobody sees half of it.
    let differing = parts[first...last].filter { $0.differs() }
    let news = differing.filter { !$0.isAnnounced }
    for part in news { announce(part) }
    for part in differing { part.renew() }
    for part in news { conclude(part) }
  }

  private func show(_ part: ObservedPart<State>) {
    guard part.differs() else { return }
    // Whoever is told may dispatch, and is not told of that again before it is shown.
    if part.isAnnounced { return part.renew() }
    announce(part)
    part.renew()
    conclude(part)
  }

  private func announce(_ part: ObservedPart<State>) {
    part.isAnnounced = true
    registrar.willSet(self, keyPath: part.trackingPath)
  }

  private func conclude(_ part: ObservedPart<State>) {
    part.isAnnounced = false
    registrar.didSet(self, keyPath: part.trackingPath)
  }
}
