extension Derived {
  /// A value that is computed of one input.
  ///
  /// A result that equals the former one is no change.
  public init<A: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A) -> Value
  ) where Value: Equatable {
    self.init([first.derivedSource.input], fileID, line, Self.areEqual) {
      compute(Boxed<A>.known($0[0]).value)
    }
  }

  /// A value that is computed of one input.
  ///
  /// Values of this type cannot be compared, so each result is a change.
  @_disfavoredOverload
  public init<A: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A) -> Value
  ) {
    self.init([first.derivedSource.input], fileID, line, nil) {
      compute(Boxed<A>.known($0[0]).value)
    }
  }

  /// A value that is computed of two inputs.
  ///
  /// ```swift
  /// static let visible = Derived(\App.todos, \App.filter) { todos, filter in
  ///   todos.filter(filter.matches)
  /// }
  /// ```
  ///
  /// A result that equals the former one is no change.
  public init<A: Sendable, B: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    _ second: some DerivedInput<State, B> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A, B) -> Value
  ) where Value: Equatable {
    self.init([first.derivedSource.input, second.derivedSource.input], fileID, line, Self.areEqual)
    {
      compute(Boxed<A>.known($0[0]).value, Boxed<B>.known($0[1]).value)
    }
  }

  /// A value that is computed of two inputs.
  ///
  /// Values of this type cannot be compared, so each result is a change.
  @_disfavoredOverload
  public init<A: Sendable, B: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    _ second: some DerivedInput<State, B> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A, B) -> Value
  ) {
    self.init([first.derivedSource.input, second.derivedSource.input], fileID, line, nil) {
      compute(Boxed<A>.known($0[0]).value, Boxed<B>.known($0[1]).value)
    }
  }

  /// A value that is computed of three inputs.
  ///
  /// A result that equals the former one is no change.
  public init<A: Sendable, B: Sendable, C: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    _ second: some DerivedInput<State, B> & Sendable,
    _ third: some DerivedInput<State, C> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A, B, C) -> Value
  ) where Value: Equatable {
    self.init(
      [first.derivedSource.input, second.derivedSource.input, third.derivedSource.input], fileID,
      line, Self.areEqual
    ) {
      compute(Boxed<A>.known($0[0]).value, Boxed<B>.known($0[1]).value, Boxed<C>.known($0[2]).value)
    }
  }

  /// A value that is computed of three inputs.
  ///
  /// Values of this type cannot be compared, so each result is a change.
  @_disfavoredOverload
  public init<A: Sendable, B: Sendable, C: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    _ second: some DerivedInput<State, B> & Sendable,
    _ third: some DerivedInput<State, C> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A, B, C) -> Value
  ) {
    self.init(
      [first.derivedSource.input, second.derivedSource.input, third.derivedSource.input], fileID,
      line, nil
    ) {
      compute(Boxed<A>.known($0[0]).value, Boxed<B>.known($0[1]).value, Boxed<C>.known($0[2]).value)
    }
  }

  /// A value that is computed of four inputs.
  ///
  /// A result that equals the former one is no change.
  public init<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    _ second: some DerivedInput<State, B> & Sendable,
    _ third: some DerivedInput<State, C> & Sendable,
    _ fourth: some DerivedInput<State, D> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A, B, C, D) -> Value
  ) where Value: Equatable {
    self.init(
      [
        first.derivedSource.input, second.derivedSource.input, third.derivedSource.input,
        fourth.derivedSource.input,
      ], fileID, line, Self.areEqual
    ) {
      compute(
        Boxed<A>.known($0[0]).value, Boxed<B>.known($0[1]).value, Boxed<C>.known($0[2]).value,
        Boxed<D>.known($0[3]).value)
    }
  }

  /// A value that is computed of four inputs.
  ///
  /// Values of this type cannot be compared, so each result is a change.
  @_disfavoredOverload
  public init<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    _ second: some DerivedInput<State, B> & Sendable,
    _ third: some DerivedInput<State, C> & Sendable,
    _ fourth: some DerivedInput<State, D> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A, B, C, D) -> Value
  ) {
    self.init(
      [
        first.derivedSource.input, second.derivedSource.input, third.derivedSource.input,
        fourth.derivedSource.input,
      ], fileID, line, nil
    ) {
      compute(
        Boxed<A>.known($0[0]).value, Boxed<B>.known($0[1]).value, Boxed<C>.known($0[2]).value,
        Boxed<D>.known($0[3]).value)
    }
  }

  /// A value that is computed of five inputs.
  ///
  /// A result that equals the former one is no change.
  public init<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    _ second: some DerivedInput<State, B> & Sendable,
    _ third: some DerivedInput<State, C> & Sendable,
    _ fourth: some DerivedInput<State, D> & Sendable,
    _ fifth: some DerivedInput<State, E> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A, B, C, D, E) -> Value
  ) where Value: Equatable {
    self.init(
      [
        first.derivedSource.input, second.derivedSource.input, third.derivedSource.input,
        fourth.derivedSource.input, fifth.derivedSource.input,
      ], fileID, line, Self.areEqual
    ) {
      compute(
        Boxed<A>.known($0[0]).value, Boxed<B>.known($0[1]).value, Boxed<C>.known($0[2]).value,
        Boxed<D>.known($0[3]).value, Boxed<E>.known($0[4]).value)
    }
  }

  /// A value that is computed of five inputs.
  ///
  /// Values of this type cannot be compared, so each result is a change.
  @_disfavoredOverload
  public init<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    _ second: some DerivedInput<State, B> & Sendable,
    _ third: some DerivedInput<State, C> & Sendable,
    _ fourth: some DerivedInput<State, D> & Sendable,
    _ fifth: some DerivedInput<State, E> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A, B, C, D, E) -> Value
  ) {
    self.init(
      [
        first.derivedSource.input, second.derivedSource.input, third.derivedSource.input,
        fourth.derivedSource.input, fifth.derivedSource.input,
      ], fileID, line, nil
    ) {
      compute(
        Boxed<A>.known($0[0]).value, Boxed<B>.known($0[1]).value, Boxed<C>.known($0[2]).value,
        Boxed<D>.known($0[3]).value, Boxed<E>.known($0[4]).value)
    }
  }

  private init(
    _ inputs: [DerivedFormula.Input], _ fileID: StaticString, _ line: UInt,
    _ areEqual: (@Sendable (ValueBox, ValueBox) -> Bool)?,
    _ compute: @escaping @Sendable (_ inputs: [ValueBox]) -> Value
  ) {
    let site = CallSite(fileID: fileID, function: "a derived value", line: line)
    let formula = DerivedFormula(inputs, of: Value.self, at: site, areEqual: areEqual) {
      inputs, _ in Boxed(compute(inputs))
    }
    self.init(DerivedReference(identity: DerivedIdentity(formula), place: .whole))
  }
}

extension Derived where Value: Equatable {
  fileprivate static var areEqual: @Sendable (ValueBox, ValueBox) -> Bool {
    { isSameValue(Boxed<Value>.known($0).value, Boxed<Value>.known($1).value) }
  }
}
