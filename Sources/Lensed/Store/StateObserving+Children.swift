// Scopes of children: of what might not be there.

extension StateObserving {
  /// The scope of a child that a path leads to, whose actions take some steps on their way; nil when it is not
  /// there.
  ///
  /// `prism` is the number of the prism at the end of the path, if there is one.
  private func child<Child: Sendable>(
    at path: PartPath<Child?>, matching prism: UInt64? = nil, _ steps: any ActionStep...
  ) -> ScopedStore<Child>? {
    let scope = asScope
    let whole = scope.view.part.appending(path)
    guard let present = scope.view.lend(whole.read) else { return nil }
    let lend = whole.lend
    let formers = FormerValues(inside: whole.formers) { state, body in
      var isThere = false
      _ = lend(state) { place in
        guard let child = place.read(Child?.self) else { return }
        isThere = true
        StateAddress.reading(child, as: Child.self, body)
      }
      return isThere
    }
    let last = LastValue(present, formers: formers)
    let part = PartPath<Child>(
      .computed { last.value(or: whole.read($0)) }, labels: whole.labels, formers: formers)
    return ScopedStore(
      view: StoreView(scope.view.core, part, scope.view.memory),
      sender: steps.reduce(scope.sender) { $0.taking($1) }
        .to(ScopedChild(whole, matching: prism)))
  }

  /// One row of a collection: an element of an array or of `Entities` by its id, or of a dictionary by its key.
  ///
  /// ```swift
  /// if let row = store.scope(\.rows, id: 7) { RowView(store: row) }
  /// row.dispatch(RowAction.rename("x"))   // reaches the store as ElementAction(id: 7, …)
  /// ```
  ///
  /// Its streams are woken by actions for this row, and by whatever edits the collection otherwise. Once the row
  /// has gone, the scope keeps the value that was read last through it, for a view that is leaving, and dispatches
  /// nothing, with a warning.
  ///
  /// - Returns: The scope; nil when the row is not there.
  public func scope<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID
  ) -> ScopedStore<Rows.Row>? where Rows.RowID: Hashable & Sendable, Rows.Row: Sendable {
    child(at: .row(id, of: PartPath(keyPath, for: .scope)), ElementStep(id: id))
  }

  /// One row of a collection, whose actions are addressed to the row and then tagged.
  public func scope<Rows: RowCollection & SendableMetatype, Tag>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID, tagged tag: Tag.Type
  ) -> ScopedStore<Rows.Row>? where Rows.RowID: Hashable & Sendable, Rows.Row: Sendable {
    child(at: .row(id, of: PartPath(keyPath, for: .scope)), TagStep<Tag>(), ElementStep(id: id))
  }

  /// One row of a collection in an app with one wide action enum, whose case holds actions for rows.
  public func scope<Rows: RowCollection & SendableMetatype, Wide: Action, Narrow: Action>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    action prism: Prism<Wide, ElementAction<Rows.RowID, Narrow>>
  ) -> ScopedStore<Rows.Row>? where Rows.RowID: Hashable & Sendable, Rows.Row: Sendable {
    child(at: .row(id, of: PartPath(keyPath, for: .scope)), EmbedStep(prism), ElementStep(id: id))
  }

  /// One case of an enum.
  ///
  /// ```swift
  /// if let editor = store.scope(\.destination, matching: editorCase) { EditorView(store: editor) }
  /// ```
  ///
  /// Once the enum is in another case, the scope keeps the value that was read last through it, for a view that is
  /// leaving, and dispatches nothing, with a warning.
  ///
  /// - Returns: The scope; nil when the enum is in another case.
  public func scope<Whole, Child: Sendable>(
    _ keyPath: any KeyPath<State, Whole> & Sendable, matching prism: Prism<Whole, Child>
  ) -> ScopedStore<Child>? {
    child(at: PartPath(keyPath, for: .scope).matching(prism), matching: prism.serial)
  }

  /// One case of an enum, whose actions are tagged on their way.
  public func scope<Whole, Child: Sendable, Tag>(
    _ keyPath: any KeyPath<State, Whole> & Sendable, matching prism: Prism<Whole, Child>,
    tagged tag: Tag.Type
  ) -> ScopedStore<Child>? {
    child(
      at: PartPath(keyPath, for: .scope).matching(prism), matching: prism.serial, TagStep<Tag>())
  }

  /// One case of an enum, in an app with one wide action enum.
  public func scope<Whole, Child: Sendable, Wide: Action, Narrow: Action>(
    _ keyPath: any KeyPath<State, Whole> & Sendable, matching prism: Prism<Whole, Child>,
    action wide: Prism<Wide, Narrow>
  ) -> ScopedStore<Child>? {
    child(
      at: PartPath(keyPath, for: .scope).matching(prism), matching: prism.serial, EmbedStep(wide))
  }

  /// An optional part, whose actions are tagged on their way.
  public func scope<Child: Sendable, Tag>(
    _ keyPath: any KeyPath<State, Child?> & Sendable, tagged tag: Tag.Type
  ) -> ScopedStore<Child>? {
    child(at: PartPath(keyPath, for: .scope), TagStep<Tag>())
  }

  /// An optional part, in an app with one wide action enum.
  public func scope<Child: Sendable, Wide: Action, Narrow: Action>(
    _ keyPath: any KeyPath<State, Child?> & Sendable, action prism: Prism<Wide, Narrow>
  ) -> ScopedStore<Child>? {
    child(at: PartPath(keyPath, for: .scope), EmbedStep(prism))
  }

  /// An optional part: a sheet, a session.
  ///
  /// ```swift
  /// if let sheet = store.scope(\.sheet) { SheetView(store: sheet) }
  /// ```
  ///
  /// Once the part is nil, the scope keeps the value that was read last through it, for a view that is leaving, and
  /// dispatches nothing, with a warning.
  ///
  /// - Returns: The scope; nil when the part is.
  public func scope<Child: Sendable>(
    _ keyPath: any KeyPath<State, Child?> & Sendable
  ) -> ScopedStore<Child>? {
    child(at: PartPath(keyPath, for: .scope))
  }
}

extension PartPath {
  /// The path to one case of an enum.
  func matching<Child>(_ prism: Prism<Value, Child>) -> PartPath<Child?> {
    let path = self
    return PartPath<Child?>(
      .computed { prism.extract(path.read($0)) },
      labels: InlineList(labels.all + [.matching(prism.serial)]), formers: formers)
  }
}
