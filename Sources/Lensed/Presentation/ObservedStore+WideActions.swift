// Children in an app with one wide action enum.

extension ObservedStore {
  /// An observed store of a part that is always there, in an app with one wide action enum.
  ///
  /// ```swift
  /// ProfileView(profile: app.scope(\.profile, action: profileCase))
  /// ```
  ///
  /// Its actions of `Narrow` are embedded by the prism; others pass unchanged. Make the prism once, as a
  /// `static let`: with another prism it is another object.
  @_disfavoredOverload  // The scope of the value of an optional comes first.
  public func scope<Part: Sendable, Wide: Action, Narrow: Action>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable, action prism: Prism<Wide, Narrow>
  ) -> ObservedStore<Part> {
    children.child(ObservedChildKey(.part, at: keyPath, .embedded(prism.serial))) {
      ObservedStore<Part>(scope.scope(Lens(keyPath, for: .scope), action: prism))
    }
  }

  /// An observed store of the value of an optional, in an app with one wide action enum; nil while the
  /// optional is.
  public func scope<Child: Sendable, Wide: Action, Narrow: Action>(
    _ keyPath: any KeyPath<State, Child?> & Sendable, action prism: Prism<Wide, Narrow>
  ) -> ObservedStore<Child>? {
    let key = ObservedChildKey(.value, at: keyPath, .embedded(prism.serial))
    return child(key, at: PartPath(keyPath, for: .scope)) {
      scope.scope(keyPath, action: prism) as ScopedStore<Child>?
    }
  }

  /// An observed store of one row, in an app with one wide action enum, whose case holds actions for rows.
  public func scope<Rows: RowCollection & SendableMetatype, Wide: Action, Narrow: Action>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    action prism: Prism<Wide, ElementAction<Rows.RowID, Narrow>>
  ) -> ObservedStore<Rows.Row>? where Rows.RowID: Hashable & Sendable, Rows.Row: Sendable {
    let key = ObservedChildKey(.row(id), at: keyPath, .embedded(prism.serial))
    return child(key, at: .row(id, of: PartPath(keyPath, for: .scope))) {
      scope.scope(keyPath, id: id, action: prism)
    }
  }

  /// An observed store of one case of an enum, in an app with one wide action enum.
  public func scope<Whole, Child: Sendable, Wide: Action, Narrow: Action>(
    _ keyPath: any KeyPath<State, Whole> & Sendable, matching prism: Prism<Whole, Child>,
    action wide: Prism<Wide, Narrow>
  ) -> ObservedStore<Child>? {
    let key = ObservedChildKey(.matching(prism.serial), at: keyPath, .embedded(wide.serial))
    return child(key, at: PartPath(keyPath, for: .scope).matching(prism)) {
      scope.scope(keyPath, matching: prism, action: wide)
    }
  }
}
