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
    ReadOnlyKeyPath.refuse(keyPath)
  }

  /// The part that a lens focuses on.
  public func scope<Part: Sendable>(
    _ lens: some LensLike<State, Part>, actions: ScopeActions = .unchanged
  ) -> ScopedStore<Part> {
    let scope = asScope
    return ScopedStore(
      view: scope.view.appending(PartPath(lens.asLens)), sender: scope.sender.taking(actions.step))
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
  public func scope<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    actions: ScopeActions = .unchanged
  ) -> ScopedStore<Rows.Row>? where Rows.RowID: Hashable & Sendable, Rows.Row: Sendable {
    child(at: .row(id, of: PartPath(keyPath, for: .scope)), [actions.step, ElementStep(id: id)])
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
  public func scope<Whole, Child: Sendable>(
    _ keyPath: any KeyPath<State, Whole> & Sendable, matching prism: Prism<Whole, Child>,
    actions: ScopeActions = .unchanged
  ) -> ScopedStore<Child>? {
    child(
      at: PartPath(keyPath, for: .scope).matching(prism), matching: prism.id, [actions.step])
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
  public func scope<Child: Sendable>(
    _ keyPath: any KeyPath<State, Child?> & Sendable, actions: ScopeActions = .unchanged
  ) -> ScopedStore<Child>? {
    child(at: PartPath(keyPath, for: .scope), [actions.step])
  }

  /// The scope of a child that a path leads to, whose actions take some steps on their way; nil when it is not
  /// there.
  private func child<Child: Sendable>(
    at path: PartPath<Child?>, matching prism: PrismID? = nil, _ steps: [(any ActionStep)?]
  ) -> ScopedStore<Child>? {
    let scope = asScope
    let whole = scope.view.part.appending(path)
    guard let present = scope.view.lend(whole.read) else { return nil }
    return ScopedStore(of: BoundChild(present), at: whole, matching: prism, in: scope, steps)
  }
}

extension ScopedStore {
  /// The scope of a child that `whole` leads to from the state of the store, at its end by the prism `prism`.
  ///
  /// While the child is not there, `substitute` returns what the scope shows: the value that the child was made with,
  /// if that is nil.
  init<Outer>(
    of child: BoundChild<State>, at whole: PartPath<State?>, matching prism: PrismID? = nil,
    in outer: ScopedStore<Outer>, _ steps: [(any ActionStep)?],
    substitute: (@Sendable () -> State)? = nil
  ) {
    let (lend, isOuterThere) = (whole.lend, whole.child?.isThere)
    let presence = PartPresence(
      lend: { state, body in
        var isThere = false
        _ = lend(state) { place in
          guard let child = place.read(State?.self) else { return }
          isThere = true
          StateAddress.reading(child, as: State.self, body)
        }
        return isThere
      },
      isThere: { state in
        (isOuterThere?(state) ?? true) && whole.read(state).map { child.isSame(as: $0) } ?? false
      })
    let part = PartPath<State>(labels: whole.labels, in: presence) { state in
      if isOuterThere?(state) ?? true, let present = whole.read(state), child.isSame(as: present) {
        return present
      }
      return substitute?() ?? child.made
    }
    self.init(
      view: StoreView(outer.view.core, part, outer.view.memory),
      sender: steps.reduce(outer.sender) { $0.taking($1) }
        .to(ScopedChild(child, at: whole, matching: prism)))
  }
}
