// The observed store of a child: a row, the value of an optional, the payload of a case.
//
// 1. Whether a child is there, and which one, is tracked like a property (`child`).
// 2. While somebody holds the child, each call with the same key returns the same object (`ObservedChildKey`).
// 3. Its values outlive the object: a view is notified that has read through a child and does not hold it.
// 4. When the child has gone, or another is in its place, the object shows the last values, and dispatches nothing.

extension ObservedStore {
  /// An observed store of one row of a collection; nil while the row is not there.
  ///
  /// ```swift
  /// ForEach(app[App.rowIDs], id: \.self) { id in   // Derived(\App.rows) { $0.ids }
  ///   if let row = app.scope(\.rows, id: id) { RowView(row: row) }
  /// }
  /// ```
  ///
  /// A view that reads the row through it is re-rendered when what it has read of this row differs, and for no
  /// other row. What it dispatches goes to the row. A view that asks whether the row is there is re-rendered
  /// when it comes or goes, and for nothing else. It need not hold what it reads through:
  /// `app.scope(\.rows, id: 7)?.title` is tracked too.
  ///
  /// Once the row has gone, it shows the last values to a view that is leaving, and dispatches nothing, with a
  /// warning. As long as a caller holds it, each call returns the same object. It does not keep the store alive.
  @inlinable
  public func scope<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    actions: ScopeActions = .unchanged
  ) -> ObservedStore<Rows.Row>? where Rows.RowID: Hashable & Sendable, Rows.Row: Sendable {
    child(
      ObservedChildKey(.row(AnyID(id)), at: keyPath, actions),
      at: { .row(id, of: PartPath(keyPath, for: .scope)) },
      sending: { $0.taking(actions, for: id) })
  }

  /// An observed store of the value of an optional; nil while the optional is.
  ///
  /// ```swift
  /// if let sheet = app.scope(\.sheet) { SheetView(sheet: sheet) }
  /// ```
  ///
  /// It is like that of a row: `scope(_:id:actions:)`. The observed store of an `Identifiable` value is that value's:
  /// once another has come, the old object keeps what it has shown, and `scope` returns another object.
  @inlinable
  public func scope<Child: Sendable>(
    _ keyPath: any KeyPath<State, Child?> & Sendable, actions: ScopeActions = .unchanged
  ) -> ObservedStore<Child>? {
    child(
      ObservedChildKey(.value, at: keyPath, actions),
      at: { PartPath(keyPath, for: .scope) }, sending: { $0.taking(actions) })
  }

  /// An observed store of one case of an enum; nil while the enum is in another case.
  ///
  /// ```swift
  /// if let editor = app.scope(\.destination, matching: editorCase) { EditorView(editor: editor) }
  /// ```
  ///
  /// It is like that of an optional: `scope(_:actions:)`. A prism that is made of functions is made once, as a
  /// `static let`: with another prism it is another object. `Prism.identity` is one prism, and appending two gives the
  /// same prism each time.
  @inlinable
  public func scope<Whole, Child: Sendable>(
    _ keyPath: any KeyPath<State, Whole> & Sendable, matching prism: Prism<Whole, Child>,
    actions: ScopeActions = .unchanged
  ) -> ObservedStore<Child>? {
    child(
      ObservedChildKey(.matching(prism.id), at: keyPath, actions),
      at: { PartPath(keyPath, for: .scope).matching(prism) }, sending: { $0.taking(actions) })
  }

  /// An observed store of a part that is always there.
  ///
  /// ```swift
  /// ProfileView(profile: app.scope(\.profile, actions: .case(profileCase)))
  /// ```
  @_disfavoredOverload  // The scope of the value of an optional comes first.
  public func scope<Part: Sendable>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable, actions: ScopeActions = .unchanged
  ) -> ObservedStore<Part> {
    let key = ObservedChildKey(.part, at: keyPath, actions)
    let child = values.child(key) as? ObservedPart ?? ObservedPart()
    if let known = child.object as? ObservedStore<Part> { return known }
    let object = ObservedStore<Part>(
      scope.scope(keyPath, actions: actions) as ScopedStore<Part>, tracker, child.values)
    child.object = object
    values.setChild(child, for: key)
    return object
  }

  /// Not available: a scope writes, and this key path only reads.
  @_disfavoredOverload
  @available(*, unavailable, message: "a scope needs a WritableKeyPath; this one only reads")
  public func scope<Part: Sendable>(
    _ keyPath: any KeyPath<State, Part> & Sendable, actions: ScopeActions = .unchanged
  ) -> ObservedStore<Part> {
    refuseReadOnly(keyPath)
  }

  /// The observed store of a child that might not be there; whether it is, and which one, is tracked like a property.
  ///
  /// It is inlined where the type of the child is known: there a commit that touches the child looks no type up.
  @inlinable
  func child<Child: Sendable>(
    _ key: ObservedChildKey, at path: () -> PartPath<Child?>,
    sending: (ActionSender) -> ActionSender
  ) -> ObservedStore<Child>? {
    let (presence, children) = presence(key, at: path)
    tracker.access(presence)
    guard let shown = presence.shown(Child?.self) else { return nil }
    let child = children.child(like: shown)
    if let object = child.object as? ObservedStore<Child> { return object }
    let scope = ScopedStore(
      of: child.made, at: view.part.appending(path()), in: view, sending(scope.sender),
      substitute: child.substitute)
    let object = ObservedStore<Child>(scope, tracker, child.values)
    child.object = object
    return object
  }

  @inlinable
  func presence<Child: Sendable>(
    _ key: ObservedChildKey, at path: () -> PartPath<Child?>
  ) -> (TrackedValue, BoundObservedChildren<Child>) {
    if let known = values.value(.child(key)),
      let children = known.presented as? BoundObservedChildren<Child>
    {
      return (known, children)
    }
    // Those that the app holds, or of which a view has read, outlive a presence that nobody asks for.
    let children = values.child(key) as? BoundObservedChildren<Child> ?? BoundObservedChildren()
    values.setChild(children, for: key)
    let presence = track(.child(key), at: view.part.appending(path())) { presence in
      let (shown, loaded) = presence.edit(TrackedValue.Values<Child?>.self) {
        ($0.shown, $0.loaded)
      }
      guard let shown, let loaded else { return false }
      guard let former = shown, let next = loaded else { return (shown == nil) != (loaded == nil) }
      return !areOneChild(former, next)
    } onShow: {
      children.update($0)
    }
    presence.presented = children
    return (presence, children)
  }
}

// MARK: One child

// The tracked presence of a child has a copy of it, which shows whether the identity is still the same. What stands for
// the child once it has gone is beside its values. A view that tracks a value keeps its key path, so values that no view tracks are found.

/// What a child of an observed store was asked for by.
@usableFromInline
struct ObservedChildKey: Hashable {
  /// What the child is of the value at the key path.
  @usableFromInline
  enum Kind: Hashable {
    /// The value itself, which is always there.
    case part
    /// The value of an optional.
    case value
    case row(AnyID)
    /// One case of an enum, by the identity of its prism.
    case matching(PrismID)
  }

  private let keyPath: AnyKeyPath
  private let kind: Kind
  private let actions: AnyID?

  @usableFromInline
  init(_ kind: Kind, at keyPath: AnyKeyPath, _ actions: ScopeActions) {
    (self.keyPath, self.kind, self.actions) = (keyPath, kind, actions.id)
  }
}

/// What an observed store was asked for by one key: a child or, where it might not be there, those that were in its
/// place.
@MainActor
@usableFromInline
class ObservedChild {
  /// Whether the app holds none, and nothing is read through any.
  var isIdle: Bool { true }

  /// Releases the values that no view tracks, of children that the app does not hold.
  func removeUntracked() {}
}

/// The object that the app may hold, and the values that are read through it, which outlive it.
@usableFromInline
class ObservedPart: ObservedChild {
  @usableFromInline
  final weak var object: AnyObject?
  @usableFromInline
  final let values = TrackedValues()

  @usableFromInline
  override init() {}

  override var isIdle: Bool { object == nil && values.isIdle }

  override func removeUntracked() {
    if object == nil { values.removeUntracked() }
  }
}

/// The children of one place that the app holds or a view reads through: the present one, and those that have left.
///
/// The tracked presence holds it, and tells it what is shown.
@usableFromInline
final class BoundObservedChildren<Child: Sendable>: ObservedChild {
  @usableFromInline
  var all: [BoundObservedChild<Child>] = []

  @usableFromInline
  override init() {}

  override var isIdle: Bool { all.allSatisfy(\.isIdle) }

  override func removeUntracked() {
    for child in all { child.removeUntracked() }
    removeIdle()
  }

  @usableFromInline
  func removeIdle(but kept: ObservedChild? = nil) {
    // Released outside of the access, because a user's `deinit` may call back into this object.
    let former = all
    all = former.filter { $0 === kept || !$0.isIdle }
    withExtendedLifetime(former) {}
  }

  @inlinable
  func child(like shown: Child) -> BoundObservedChild<Child> {
    if let known = all.first(where: { areOneChild($0.made, shown) }) { return known }
    let child = BoundObservedChild(shown)
    // Before others are released, whose `deinit` may ask for it.
    all.append(child)
    removeIdle(but: child)
    return child
  }

  /// Notes what is shown now; not, if the child is not there.
  @inlinable
  func update(_ shown: Child?) {
    guard let shown else { return }
    all.first { areOneChild($0.made, shown) }?.update(shown)
  }
}

/// A child that might not be there: one of an identity, and how it was shown last.
@usableFromInline
final class BoundObservedChild<Child: Sendable>: ObservedPart {
  @usableFromInline
  let made: Child
  /// Notes how the child is shown.
  @usableFromInline
  let update: (_ shown: Child) -> Void
  /// Returns how the child was shown last, from any thread.
  ///
  /// The child's values hold it by their paths.
  @usableFromInline
  let substitute: @Sendable () -> Child

  @inlinable
  init(_ child: Child) {
    made = child
    let last = Locked(child)
    // What it replaces is released without the lock.
    update = { shown in _ = last.withLock { exchange(&$0, with: shown) } }
    substitute = { last.withLock { $0 } }
    super.init()
  }
}
