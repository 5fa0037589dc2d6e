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
  /// when it comes or goes, and for nothing else.
  ///
  /// Once the row has gone, it shows the last values to a view that is leaving, and dispatches nothing, with a
  /// warning. As long as a caller holds it, each call returns the same object. It does not keep the store alive.
  public func scope<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID
  ) -> ObservedStore<Rows.Row>? where Rows.RowID: Hashable & Sendable, Rows.Row: Sendable {
    child(ObservedChildKey(.row(id), at: keyPath), at: .row(id, of: PartPath(keyPath, for: .scope)))
    {
      scope.scope(keyPath, id: id)
    }
  }

  /// An observed store of one row, whose actions are addressed to the row and then tagged.
  public func scope<Rows: RowCollection & SendableMetatype, Tag>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID, tagged tag: Tag.Type
  ) -> ObservedStore<Rows.Row>? where Rows.RowID: Hashable & Sendable, Rows.Row: Sendable {
    let key = ObservedChildKey(.row(id), at: keyPath, tagged: tag)
    return child(key, at: .row(id, of: PartPath(keyPath, for: .scope))) {
      scope.scope(keyPath, id: id, tagged: tag)
    }
  }

  /// An observed store of the value of an optional; nil while the optional is.
  ///
  /// ```swift
  /// if let sheet = app.scope(\.sheet) { SheetView(sheet: sheet) }
  /// ```
  ///
  /// It is like that of a row: `scope(_:id:)`.
  public func scope<Child: Sendable>(
    _ keyPath: any KeyPath<State, Child?> & Sendable
  ) -> ObservedStore<Child>? {
    child(ObservedChildKey(.value, at: keyPath), at: PartPath(keyPath, for: .scope)) {
      scope.scope(keyPath) as ScopedStore<Child>?
    }
  }

  /// An observed store of the value of an optional, whose actions are tagged on their way.
  public func scope<Child: Sendable, Tag>(
    _ keyPath: any KeyPath<State, Child?> & Sendable, tagged tag: Tag.Type
  ) -> ObservedStore<Child>? {
    let key = ObservedChildKey(.value, at: keyPath, tagged: tag)
    return child(key, at: PartPath(keyPath, for: .scope)) {
      scope.scope(keyPath, tagged: tag) as ScopedStore<Child>?
    }
  }

  /// An observed store of one case of an enum; nil while the enum is in another case.
  ///
  /// ```swift
  /// if let editor = app.scope(\.destination, matching: editorCase) { EditorView(editor: editor) }
  /// ```
  ///
  /// It is like that of a row: `scope(_:id:)`. Make the prism once, as a `static let`: with another prism it is
  /// another object.
  public func scope<Whole, Child: Sendable>(
    _ keyPath: any KeyPath<State, Whole> & Sendable, matching prism: Prism<Whole, Child>
  ) -> ObservedStore<Child>? {
    let key = ObservedChildKey(.matching(prism.serial), at: keyPath)
    return child(key, at: PartPath(keyPath, for: .scope).matching(prism)) {
      scope.scope(keyPath, matching: prism)
    }
  }

  /// An observed store of one case of an enum, whose actions are tagged on their way.
  public func scope<Whole, Child: Sendable, Tag>(
    _ keyPath: any KeyPath<State, Whole> & Sendable, matching prism: Prism<Whole, Child>,
    tagged tag: Tag.Type
  ) -> ObservedStore<Child>? {
    let key = ObservedChildKey(.matching(prism.serial), at: keyPath, tagged: tag)
    return child(key, at: PartPath(keyPath, for: .scope).matching(prism)) {
      scope.scope(keyPath, matching: prism, tagged: tag)
    }
  }

  /// An observed store of a part that is always there.
  @_disfavoredOverload  // The scope of the value of an optional comes first.
  public func scope<Part: Sendable>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable
  ) -> ObservedStore<Part> {
    children.child(ObservedChildKey(.part, at: keyPath)) {
      ObservedStore<Part>(scope.scope(keyPath))
    }
  }

  /// Not available: a scope writes, and this key path only reads.
  @_disfavoredOverload
  @available(*, unavailable, message: "a scope needs a WritableKeyPath; this one only reads")
  public func scope<Part: Sendable>(
    _ keyPath: any KeyPath<State, Part> & Sendable
  ) -> ObservedStore<Part> {
    ReadOnlyKeyPath.refuse(keyPath)
  }

  /// An observed store of a part that is always there, whose actions are tagged on their way.
  @_disfavoredOverload  // The scope of the value of an optional comes first.
  public func scope<Part: Sendable, Tag>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable, tagged tag: Tag.Type
  ) -> ObservedStore<Part> {
    children.child(ObservedChildKey(.part, at: keyPath, tagged: tag)) {
      ObservedStore<Part>(scope.scope(keyPath, tagged: tag))
    }
  }

  /// The observed store of a child; its absence is tracked like a property.
  func child<Child: Sendable>(
    _ key: ObservedChildKey, at path: @autoclosure () -> PartPath<Child?>,
    _ makeScope: () -> ScopedStore<Child>?
  ) -> ObservedStore<Child>? {
    let isThere = read(
      memo: key,
      at: {
        let path = path()
        return PartPath<Bool>(.computed { path.read($0) != nil }, labels: path.labels)
      }, { ObservedPart.differ(Bool.self, $0) })
    guard isThere else { return nil }
    if let known: ObservedStore<Child> = children.known(key) { return known }
    guard let scope = makeScope() else { return nil }
    return children.child(key) { ObservedStore<Child>(scope) }
  }
}
