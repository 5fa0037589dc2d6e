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

  /// This mutator, which also handles actions of another type, and reads for them a value that something above gives.
  ///
  /// ```swift
  /// let row = Feature<Row> {
  ///   Mutator(\Row.price) { (price: inout Int, action: RowAction) in … }
  ///     .on(Reprice.self, given: Settings.self) { price, _, settings in price *= settings.factor }
  /// }
  /// row.identified().lifted(\App.rows, giving: \.settings)
  /// ```
  ///
  /// The nearest feature that gives a value of exactly this type does: `Feature.lifted(_:giving:)`, `Feature.giving(_:)`.
  /// Where none does, no store takes the mutator: a `RegistrationError` names the mutator and this line.
  ///
  /// The value is as it was before this action: no reducer of the same action has run. In an array or a list, that is
  /// before this member of it.
  ///
  /// - Complexity: That of copying the value, for each action of this type, and not of copying what has it. Actions of
  ///   this type do not take the fast path; no other type of action pays for it.
  ///
  /// - Parameters:
  ///   - type: The actions.
  ///   - value: The type of the value.
  ///   - fileID: Where it is written, for messages.
  ///   - line: Where it is written, for messages.
  ///   - reduce: Edits the part.
  /// - Returns: The mutator, with one more case.
  public func on<A: Action, Value: Sendable>(
    _ type: A.Type, given value: Value.Type, fileID: StaticString = #fileID, line: UInt = #line,
    _ reduce: @escaping @Sendable (_ part: inout SubState, _ action: A, _ given: Value) -> Void
  ) -> Mutator {
    let need = GivenNeed(
      Value.self, in: State.self, of: .reducer(lens.unresolvedFootprint),
      at: .mutator(fileID, line))
    return adding(.asking(need, lens, reduce))
  }

  private func adding(_ answer: ReducerCase) -> Mutator {
    Mutator(lens: lens, cases: cases + [answer], at: site)
  }
}
