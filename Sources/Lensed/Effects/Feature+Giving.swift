// State from above: what a feature gives to all that is in it, by type.

extension Feature {
  /// This feature for a larger state, of which the feature's state is the property at a key path; whatever is in the
  /// feature can ask for a value of the larger state.
  ///
  /// ```swift
  /// let row = Feature<Row> {
  ///   Mutator(\Row.price) { (price: inout Int, action: RowAction) in … }
  ///     .on(Reprice.self, given: Settings.self) { price, _, settings in price *= settings.factor }
  ///   Effect(on: Publish.self) { _, context in
  ///     try await shop.publish(context.state, in: context.given(Settings.self).currency)
  ///   }
  /// }
  /// row.identified().lifted(\App.rows, giving: \.settings)
  /// ```
  ///
  /// The value is found by its type, and only read. A child asks for it at any depth: in optionals, cases and rows, and
  /// whatever the tags on the way. Of several that give a type, the nearest does.
  ///
  /// **Who reads what.** A reducer reads the value as it was before its own action. `context.given(_:)`, a derived
  /// value and an asynchronous reducer, whose turn has come, read the current one.
  ///
  /// **Proof.** When the store is made, a type that a reducer, a trigger or `needing(_:)` asks for and that nothing
  /// gives is a `RegistrationError`, which names the asker and its line. A value that nothing in the feature can ask
  /// for is a `StoreWarning`. What the function of an effect asks for cannot be seen: there it traps, with a sentence.
  ///
  /// **Cost.** Who does not ask pays nothing. A reducer that asks costs one copy of the value, and none of what has it.
  ///
  /// To give several, write `giving(_:)` behind it: `row.identified().lifted(\.rows).giving(\.settings).giving(\.user)`.
  ///
  /// - Parameters:
  ///   - keyPath: The feature's state.
  ///   - value: What is given: any property of the larger state, stored or computed.
  ///   - fileID: Where it is written, for messages.
  ///   - line: Where it is written, for messages.
  /// - Returns: The feature of the larger state.
  public func lifted<Root: Sendable, Value: Sendable>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable,
    giving value: any KeyPath<Root, Value> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature<Root> {
    lifted(keyPath).giving(value, fileID: fileID, line: line)
  }

  /// This feature for a larger state, of which the feature's state is one part; whatever is in the feature can ask for
  /// a value of the larger state.
  public func lifted<Root: Sendable, Value: Sendable>(
    _ lens: some LensLike<Root, State>, giving value: any KeyPath<Root, Value> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature<Root> {
    lifted(lens).giving(value, fileID: fileID, line: line)
  }

  /// This feature for a larger state, of which the feature's state is the property at a key path; whatever is in the
  /// feature can ask for what a lens focuses on in the larger state.
  public func lifted<Root: Sendable, Value: Sendable>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable,
    giving value: some LensLike<Root, Value>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature<Root> {
    lifted(keyPath).giving(value, fileID: fileID, line: line)
  }

  /// This feature for a larger state, of which the feature's state is one part; whatever is in the feature can ask for
  /// what another lens focuses on in the larger state.
  public func lifted<Root: Sendable, Value: Sendable>(
    _ lens: some LensLike<Root, State>, giving value: some LensLike<Root, Value>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature<Root> {
    lifted(lens).giving(value, fileID: fileID, line: line)
  }

  /// This feature, where whatever is in it can ask for one of its own properties.
  ///
  /// See `lifted(_:giving:)`, which gives a property of what the feature is lifted to.
  public func giving<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature {
    given(by: Giver(PartPath(keyPath, for: .input)), fileID, line)
  }

  /// This feature, where whatever is in it can ask for what a lens focuses on.
  public func giving<Value: Sendable>(
    _ lens: some LensLike<State, Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature {
    given(by: Giver(PartPath(lens.asLens)), fileID, line)
  }

  /// This feature with a constant that whatever is in it can ask for: to run it alone, or to test it.
  ///
  /// ```swift
  /// let store = try Store(initialState: Row(), row.giving(Settings()))
  /// let test = try TestStore(initialState: Row(), row.giving(Settings(factor: 2)))
  /// ```
  @_disfavoredOverload
  public func giving<Value: Sendable>(
    _ value: Value, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature {
    given(by: Giver(constant: value), fileID, line)
  }

  /// This feature, which says that something in it asks for a given value.
  ///
  /// ```swift
  /// let row = Feature<Row> { … }.needing(Settings.self)
  /// ```
  ///
  /// Reducers and triggers are seen to ask. What the function of an effect asks for by `context.given(_:)`, and what a
  /// derived value asks for, is not. With this, no store takes the feature unless something above gives such a value,
  /// and who gives one is not warned.
  public func needing<Value: Sendable>(
    _ value: Value.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature {
    var part = StorePart<State>()
    part.needs = [
      GivenNeed(
        Value.self, in: State.self, of: .named("a feature of `\(State.self)`"),
        at: CallSite(fileID: fileID, function: "a feature", line: line))
    ]
    return Feature(parts + [part], used: use, from: origin)
  }

  private func given(
    by giver: Giver, _ fileID: StaticString, _ line: UInt
  ) -> Feature {
    let site = CallSite(fileID: fileID, function: "a feature", line: line)
    let given = StorePart.given(parts, by: giver, to: origin, at: site)
    return Feature(given, used: use, from: origin)
  }
}
