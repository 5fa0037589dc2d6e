extension Mutator {
  /// This mutator, which also handles actions of another type, and reads a sibling of its part for them.
  ///
  /// ```swift
  /// Mutator(\App.list) { (list: inout [Todo], action: ListAction) in … }
  ///   .on(Save.self, reading: \.form) { list, _, form in list.append(Todo(form)) }
  /// Mutator(\App.form) { (form: inout Form, _: Save) in form = Form() }
  /// ```
  ///
  /// `form` is as it was before this action: no reducer of the same action has run, whatever the order of
  /// registration. In an array or a list, that is before this member of it. In a feature, and in a child, the
  /// sibling is that of the feature.
  ///
  /// The mutator owns nothing but its part: reading is not owning, and conflicts with nothing.
  ///
  /// - Complexity: That of copying the sibling, for each action of this type; its collections are shared, so a
  ///   reducer that changes one of them in the same action copies it. Actions of this type do not take the fast
  ///   path; no other type of action pays for it.
  ///
  /// - Parameters:
  ///   - type: The actions.
  ///   - keyPath: The sibling: any property of the state, stored or computed.
  ///   - reduce: Edits the part.
  /// - Returns: The mutator, with one more case.
  public func on<A: Action, Value: Sendable>(
    _ type: A.Type, reading keyPath: any KeyPath<State, Value> & Sendable,
    _ reduce: @escaping @Sendable (_ part: inout SubState, _ action: A, _ value: Value) -> Void
  ) -> Mutator {
    adding(.reading(PartPath(keyPath, for: .input).read, lens, reduce))
  }

  /// This mutator, which also handles actions of another type, and reads what a lens focuses on for them.
  ///
  /// See `on(_:reading:_:)` with a key path.
  public func on<A: Action, Value: Sendable>(
    _ type: A.Type, reading sibling: some LensLike<State, Value>,
    _ reduce: @escaping @Sendable (_ part: inout SubState, _ action: A, _ value: Value) -> Void
  ) -> Mutator {
    adding(.reading(PartPath(sibling.asLens).read, lens, reduce))
  }

  private func adding(_ answer: ReducerCase) -> Mutator {
    Mutator(lens: lens, cases: cases + [answer], at: site)
  }
}
