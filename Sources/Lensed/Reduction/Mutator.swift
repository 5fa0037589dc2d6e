/// A lens, and the one reducer of its sub-state.
///
/// ```swift
/// let counter = Mutator(\AppState.counter) { (counter: inout Counter, action: CounterAction) in
///   switch action {
///   case .increase(let amount): counter.value += amount
///   case .reset: counter.value = 0
///   }
/// }
/// .on(LogOut.self) { counter, _ in counter.value = 0 }
/// ```
///
/// A store takes exactly one mutator for each sub-state, and checks that when it is made. An action that
/// no reducer of a sub-state handles leaves it untouched.
public struct Mutator<State, SubState>: Sendable {
  /// The way to the sub-state that the mutator owns.
  public let lens: Lens<State, SubState>
  /// The cases of the reducer, for the whole state.
  let cases: [ReducerCase]
  /// Where it is written, for `Store.wiring`.
  let site: CallSite

  @usableFromInline
  init(lens: Lens<State, SubState>, cases: [ReducerCase], at site: CallSite) {
    (self.lens, self.cases, self.site) = (lens, cases, site)
  }

  /// A mutator that edits the property at a key path, in place.
  @inlinable
  @inline(__always)
  public init<A: Action>(
    _ keyPath: any WritableKeyPath<State, SubState> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ reduce: @escaping @Sendable (_ part: inout SubState, _ action: A) -> Void
  ) {
    self.init(Lens(keyPath, for: .mutator), Reducer(reduce), at: .mutator(fileID, line))
  }

  /// A mutator that runs a reducer on the property at a key path.
  @inlinable
  public init(
    _ keyPath: any WritableKeyPath<State, SubState> & Sendable, _ reducer: Reducer<SubState>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(Lens(keyPath, for: .mutator), reducer, at: .mutator(fileID, line))
  }

  /// Not available: a mutator writes, and this key path only reads.
  @available(*, unavailable, message: "a mutator needs a WritableKeyPath; this one only reads")
  public init<A: Action>(
    _ keyPath: any KeyPath<State, SubState> & Sendable,
    _ reduce: @escaping @Sendable (_ part: inout SubState, _ action: A) -> Void
  ) {
    refuseReadOnly(keyPath)
  }

  /// Not available: a mutator writes, and this key path only reads.
  @available(*, unavailable, message: "a mutator needs a WritableKeyPath; this one only reads")
  public init(_ keyPath: any KeyPath<State, SubState> & Sendable, _ reducer: Reducer<SubState>) {
    refuseReadOnly(keyPath)
  }

  /// A mutator that edits the sub-state that a lens focuses on.
  @inlinable
  @inline(__always)
  public init<A: Action>(
    lens: some LensLike<State, SubState>, fileID: StaticString = #fileID, line: UInt = #line,
    reducer: @escaping @Sendable (_ part: inout SubState, _ action: A) -> Void
  ) {
    self.init(lens.asLens, Reducer(reducer), at: .mutator(fileID, line))
  }

  /// A mutator that runs a reducer on the sub-state that a lens focuses on.
  @inlinable
  public init(
    lens: some LensLike<State, SubState>, reducer: Reducer<SubState>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(lens.asLens, reducer, at: .mutator(fileID, line))
  }

  /// A mutator whose reducer reads the state, with what mutators before it wrote, and returns the next value of its
  /// part.
  @inlinable
  public init<A: Action>(
    lens: some LensLike<State, SubState>, fileID: StaticString = #fileID, line: UInt = #line,
    reducer: @escaping @Sendable (_ state: State, _ action: A) -> SubState
  ) {
    let lens = lens.asLens
    let run = ReducerCase.Run.always { state, action in
      Self.replace(lens, in: state, by: reducer(state.read(State.self), action.read(A.self)))
    }
    self.init(
      lens: lens, cases: [ReducerCase(.one(A.self, run))], at: .mutator(fileID, line))
  }

  /// A mutator whose reducer sees every action, whatever its type.
  ///
  /// It returns its part unchanged for an action that it does not know. It runs for every action, and so
  /// without the benefit of routing.
  @inlinable
  public init(
    lens: some LensLike<State, SubState>, fileID: StaticString = #fileID, line: UInt = #line,
    everyAction reducer: @escaping @Sendable (_ state: State, _ action: any Action) -> SubState
  ) {
    let lens = lens.asLens
    let run = ReducerCase.EveryRun(alwaysRuns: true) { state, action in
      Self.replace(lens, in: state, by: reducer(state.read(State.self), action))
      return true
    }
    self.init(lens: lens, cases: [ReducerCase(.every(run))], at: .mutator(fileID, line))
  }

  /// A mutator whose reducer sees every action: the same as `everyAction:`.
  @inlinable
  public init(
    lens: some LensLike<State, SubState>, fileID: StaticString = #fileID, line: UInt = #line,
    reducer: @escaping @Sendable (_ state: State, _ action: any Action) -> SubState
  ) {
    self.init(lens: lens, fileID: fileID, line: line, everyAction: reducer)
  }

  @inlinable
  init(_ lens: Lens<State, SubState>, _ reducer: Reducer<SubState>, at site: CallSite) {
    self.init(lens: lens, cases: reducer.cases.map { $0.lifted(lens) }, at: site)
  }

  @inlinable
  static func replace(_ lens: Lens<State, SubState>, in state: StateAddress, by part: SubState) {
    _ = lens.focus(state) {
      $0.write(part)
      return true
    }
  }

  /// This mutator, which also handles actions of another type.
  @inlinable
  public func on<A: Action>(
    _ type: A.Type, fileID: StaticString = #fileID, line: UInt = #line,
    _ reduce: @escaping @Sendable (_ part: inout SubState, _ action: A) -> Void
  ) -> Mutator {
    adding(ReducerCase.editing(reduce).lifted(lens), at: .mutator(fileID, line))
  }

  @usableFromInline
  func adding(_ answer: ReducerCase, at place: CallSite) -> Mutator {
    Mutator(lens: lens, cases: cases + [changed(answer) { $0.site = place }], at: site)
  }
}

extension CallSite {
  @inlinable
  static func mutator(_ fileID: StaticString, _ line: UInt) -> CallSite {
    CallSite(fileID: fileID, function: "a mutator", line: line)
  }
}

// MARK: Reading siblings

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
  /// The sibling is any property of the state, stored or computed. The mutator owns nothing but its part: reading is
  /// not owning, and conflicts with nothing.
  ///
  /// - Complexity: That of copying the sibling, for each action of this type; its collections are shared, so a
  ///   reducer that changes one of them in the same action copies it. Actions of this type do not take the fast
  ///   path; no other type of action pays for it.
  public func on<A: Action, Value: Sendable>(
    _ type: A.Type, reading keyPath: any KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ reduce: @escaping @Sendable (_ part: inout SubState, _ action: A, _ value: Value) -> Void
  ) -> Mutator {
    reading(PartPath(keyPath, for: .input), at: .mutator(fileID, line), reduce)
  }

  /// This mutator, which also handles actions of another type, and reads what a lens focuses on for them.
  ///
  /// See `on(_:reading:fileID:line:_:)` with a key path.
  public func on<A: Action, Value: Sendable>(
    _ type: A.Type, reading sibling: some LensLike<State, Value>,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ reduce: @escaping @Sendable (_ part: inout SubState, _ action: A, _ value: Value) -> Void
  ) -> Mutator {
    reading(PartPath(sibling.asLens), at: .mutator(fileID, line), reduce)
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
  /// The nearest feature that gives a value of exactly this type does: `Feature.lifted(_:giving:)`,
  /// `Feature.giving(_:)`. Where none does, no store takes the mutator: a `RegistrationError` names the mutator and
  /// this line.
  ///
  /// The value is as it was before this action: no reducer of the same action has run. In an array or a list, that is
  /// before this member of it.
  ///
  /// - Complexity: That of copying the value, for each action of this type, and not of copying what has it. Actions of
  ///   this type do not take the fast path; no other type of action pays for it.
  public func on<A: Action, Value: Sendable>(
    _ type: A.Type, given value: Value.Type, fileID: StaticString = #fileID, line: UInt = #line,
    _ reduce: @escaping @Sendable (_ part: inout SubState, _ action: A, _ given: Value) -> Void
  ) -> Mutator {
    let site = CallSite.mutator(fileID, line)
    return adding(asking(at: site, reduce), at: site)
  }

  private func asking<A: Action, Value: Sendable>(
    at site: CallSite,
    _ reduce: @escaping @Sendable (_ part: inout SubState, _ action: A, _ given: Value) -> Void
  ) -> ReducerCase {
    let need = GivenNeed(
      Value.self, in: State.self, of: .reducer(lens.unresolvedFootprint), at: site)
    return .asking(need, lens, reduce)
  }

  /// A sibling is what the state itself gives.
  private func reading<A: Action, Value: Sendable>(
    _ sibling: PartPath<Value>, at site: CallSite,
    _ reduce: @escaping @Sendable (_ part: inout SubState, _ action: A, _ value: Value) -> Void
  ) -> Mutator {
    adding(asking(at: site, reduce).given(by: Giver(sibling)), at: site)
  }
}
