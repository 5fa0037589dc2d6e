/// A part of a store for a feature that knows nothing of the app around it.
///
/// ```swift
/// let chat: ScopedStore<Chat> = store.scope(\.left, actions: .tagged(Left.self))
/// chat.dispatch(ChatAction.send("hi"))   // reaches the store as Tagged<Left, ChatAction>
/// chat.state                             // the feature's part
/// ```
///
/// It does not keep the store alive. After the store has gone, `state` is the last one there was,
/// streams end at once, and dispatches do nothing.
public struct ScopedStore<State: Sendable>: StateObserving {
  @usableFromInline
  let view: StoreView<State>
  @usableFromInline
  let sender: ActionSender

  @usableFromInline
  init(view: StoreView<State>, sender: ActionSender) {
    self.view = view
    self.sender = sender
  }

  init(_ view: StoreView<State>) {
    self.init(view: view, sender: ActionSender(view.core))
  }

  /// The scope itself.
  @inlinable
  @inline(__always)
  public var asScope: ScopedStore { self }

  /// Applies actions of one type, as the store knows them.
  public func send(_ batch: ActionBatch, from site: CallSite) -> DispatchTask {
    sender.send(batch, from: site)
  }

  /// Every commit of the store from now on, as the feature sees it: its part, and its own actions.
  ///
  /// Where the scope is of a child, a change after the child has gone has the value that the scope was made with.
  ///
  /// - Parameters:
  ///   - buffering: How many changes wait for a slow reader, and which are dropped.
  ///   - keepingPrevious: Whether each change holds the part before it too.
  /// - Returns: The changes; each iterator made of it registers on its own.
  public func changes(
    buffering: ChangeBuffering = .unbounded, keepingPrevious: Bool = false
  ) -> StateChanges<State> {
    StateChanges(
      core: view.core, part: view.part, buffering: buffering, keepsPrevious: keepingPrevious,
      translator: sender.transform)
  }

  /// Replaces the state of the store as a whole, as `Store.replaceState(_:)` does; does nothing once the store has gone.
  ///
  /// The scope is one of all of the store: `store.asScope`, or what `attached(to:)` of middleware is given. It traps in
  /// the scope of a part, which its reducers alone change.
  public func replaceState(_ state: State) {
    if !view.part.isWhole {
      fatalError(
        """
        Lensed: replaceState(_:) was called on the scope of the part \(code: view.part.footprint.name). It replaces \
        all of a store: call it on the store, or on its `asScope`. To change a part, dispatch an action for it.
        """)
    }
    view.core.replaceState(choosing: { () -> State? in state })
  }
}

/// The former name of the scope that middleware is given.
@available(*, deprecated, renamed: "ScopedStore")
public typealias StoreHandle<State: Sendable> = ScopedStore<State>

// MARK: Its actions

/// How the actions of a scope are transformed on their way to the store.
///
/// ```swift
/// store.scope(\.left, actions: .tagged(Left.self))     // sent as Tagged<Left, …>
/// store.scope(\.profile, actions: .case(profileCase))  // sent as AppAction.profile(…)
/// ```
public struct ScopeActions: Sendable {
  /// The step; nil if the actions stay as they are.
  let step: (any ActionStep)?

  /// The actions stay as they are.
  public static var unchanged: ScopeActions { ScopeActions(step: nil) }

  /// Each action is tagged; in the scope of a row, after it was addressed to the row.
  public static func tagged<Tag>(_ tag: Tag.Type) -> ScopeActions {
    ScopeActions(step: TagStep<Tag>())
  }

  /// The actions of `Narrow` are embedded in one wide action enum; others stay as they are.
  ///
  /// In the scope of a row the case holds actions for rows: `Narrow` is `ElementAction<ID, A>`. Make the prism once, as
  /// a `static let`.
  public static func `case`<Wide: Action, Narrow: Action>(
    _ prism: Prism<Wide, Narrow>
  ) -> ScopeActions {
    ScopeActions(step: EmbedStep(prism))
  }

  var id: AnyID? { step.map { AnyID($0) } }
}

// MARK: Parts that are always there

extension StateObserving {
  /// The part at a key path, for a feature that knows nothing of the app.
  ///
  /// ```swift
  /// let left = store.scope(\.left, actions: .tagged(Left.self))
  /// left.dispatch(ChatAction.send("hi"))   // reaches the store as Tagged<Left, ChatAction>
  /// ```
  @_disfavoredOverload  // The scope of the value of an optional comes first.
  public func scope<Part: Sendable>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable, actions: ScopeActions = .unchanged
  ) -> ScopedStore<Part> {
    scope(Lens(keyPath, for: .scope), actions: actions)
  }

  /// Not available: a scope writes, and this key path only reads.
  @_disfavoredOverload
  @available(*, unavailable, message: "a scope needs a WritableKeyPath; this one only reads")
  public func scope<Part: Sendable>(
    _ keyPath: any KeyPath<State, Part> & Sendable, actions: ScopeActions = .unchanged
  ) -> ScopedStore<Part> {
    refuseReadOnly(keyPath)
  }

  /// The part that a lens focuses on.
  public func scope<Part: Sendable>(
    _ lens: some LensLike<State, Part>, actions: ScopeActions = .unchanged
  ) -> ScopedStore<Part> {
    let scope = asScope
    return ScopedStore(
      view: scope.view.appending(PartPath(lens.asLens)), sender: scope.sender.taking(actions))
  }
}

// MARK: Children, which might not be there

extension StateObserving {
  /// One row of a collection: an element of an array or of `Entities` by its id, or of a dictionary by its key.
  ///
  /// ```swift
  /// if let row = store.scope(\.rows, id: 7) { RowView(store: row) }
  /// row.dispatch(RowAction.rename("x"))   // reaches the store as ElementAction(id: 7, …)
  /// ```
  ///
  /// Its streams are woken by actions for this row, and by whatever edits the collection otherwise. Once the row
  /// has gone, the scope shows the value that it was made with, its streams emit nothing, and it dispatches nothing,
  /// with a warning. It is the scope of that row again when a row with that id is back.
  ///
  /// - Returns: The scope; nil when the row is not there.
  @inlinable
  public func scope<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    actions: ScopeActions = .unchanged
  ) -> ScopedStore<Rows.Row>? where Rows.RowID: Hashable & Sendable, Rows.Row: Sendable {
    child(at: .row(id, of: PartPath(keyPath, for: .scope))) { $0.taking(actions, for: id) }
  }

  /// One case of an enum.
  ///
  /// ```swift
  /// if let editor = store.scope(\.destination, matching: editorCase) { EditorView(store: editor) }
  /// ```
  ///
  /// It is like that of an optional part: `scope(_:actions:)`.
  ///
  /// - Returns: The scope; nil when the enum is in another case.
  @inlinable
  public func scope<Whole, Child: Sendable>(
    _ keyPath: any KeyPath<State, Whole> & Sendable, matching prism: Prism<Whole, Child>,
    actions: ScopeActions = .unchanged
  ) -> ScopedStore<Child>? {
    child(at: PartPath(keyPath, for: .scope).matching(prism)) { $0.taking(actions) }
  }

  /// An optional part: a sheet, a session.
  ///
  /// ```swift
  /// if let sheet = store.scope(\.sheet) { SheetView(store: sheet) }
  /// ```
  ///
  /// The scope of an `Identifiable` value is that value's: once the part is nil, or has a value with another id, the
  /// scope shows the value that it was made with, its streams emit nothing, and it dispatches nothing, with a
  /// warning. Of a value without an id, each that follows is the same child.
  ///
  /// - Returns: The scope; nil when the part is.
  @inlinable
  public func scope<Child: Sendable>(
    _ keyPath: any KeyPath<State, Child?> & Sendable, actions: ScopeActions = .unchanged
  ) -> ScopedStore<Child>? {
    child(at: PartPath(keyPath, for: .scope)) { $0.taking(actions) }
  }

  /// The scope of a child that a path leads to, whose actions are sent as `sending` says; nil when it is not there.
  @inlinable
  func child<Child: Sendable>(
    at path: PartPath<Child?>, sending: (ActionSender) -> ActionSender
  ) -> ScopedStore<Child>? {
    let scope = asScope
    let whole = scope.view.part.appending(path)
    guard let present = scope.view.lend(whole.read) else { return nil }
    return ScopedStore(
      of: present, at: whole, in: scope.view, sending(scope.sender), substitute: { present })
  }
}

extension ScopedStore {
  /// The scope of a child that `whole` leads to from the state of the store.
  ///
  /// While that is not there, it shows what `substitute` returns.
  @inlinable
  init<Outer>(
    of made: State, at whole: PartPath<State?>, in outer: StoreView<Outer>, _ sender: ActionSender,
    substitute: @escaping @Sendable () -> State
  ) {
    let (part, presence) = whole.bound(to: made, substitute: substitute)
    self.init(
      view: StoreView(outer.core, part, outer.memory),
      sender: sender.to(ScopedChild(made, at: whole, presence)))
  }
}
