/// A value that is computed of a state, and kept until what it was computed of is touched.
///
/// ```swift
/// enum Todos {
///   static let visible = Derived(\App.todos, \App.filter) { todos, filter in
///     todos.filter(filter.matches)
///   }
///   static let count = Derived(visible) { $0.count }
/// }
/// store[Todos.visible]
/// for await todos in store.states(Todos.visible) { … }
/// ```
///
/// A derived value is known by its identity, so make it once: a `static let`, or another constant. Each store keeps one
/// value for it. One that is made anew for each read is computed for each read.
///
/// **Guarantees.**
/// - *Pulled.* It is computed when a caller asks for it and an input was touched since the last time: outside
///   of the store's lock, on one commit of the state. A caller that asks after that finds the result.
/// - *Never older than the asker.* A read after a dispatch has returned includes that dispatch.
/// - *Equal is no change.* A result that equals the former one keeps the former one. So whatever is derived from
///   it is not computed, and no observer of it is notified.
/// - *Woken by its owners.* Its observers are woken by commits that touch its inputs, and by no others.
/// - *No wait.* Threads that ask at the same time compute for themselves. So a function that reads a store,
///   dispatches, or takes a lock blocks no other thread.
/// - *Lifetime.* The store releases the value when it goes, or some time after the `Derived` itself was released.
///   What the function captures is kept as long, so a function that captures its own store captures it weakly.
///
/// **Cost.** If no input was touched, a read costs about as much as two reads of a stored property, however large the
/// inputs are. A store keeps the value and about 200 bytes. The inputs are held while the function runs, and not
/// longer: the next commit copies nothing for the sake of a derived value, unless the value itself shares storage
/// with the state.
///
/// The function depends on its arguments alone. It cannot throw: a `Result` is a value like any other.
public struct Derived<State: Sendable, Value: Sendable>: Sendable {
  let reference: DerivedReference
  /// The address of the formula, which tells it from others.
  @usableFromInline
  let object: UInt
  /// The offset of the part that it is derived from, in bytes; negative where it has none.
  @usableFromInline
  let offset: Int

  init(_ reference: DerivedReference) {
    self.reference = reference
    object = Unretained(reference.formula).bits
    offset = reference.place.offset ?? -1
  }

  /// This value for a larger state, of which its own is one part; in one store, readers of either share the result.
  public func lifted<Root: Sendable>(_ lens: some LensLike<Root, State>) -> Derived<Root, Value> {
    Derived<Root, Value>(reference.placed(in: StatePlace(PartPath(lens.asLens))))
  }

  /// This value for a larger state, which has the state that it knows at a key path.
  public func lifted<Root: Sendable>(
    _ keyPath: any KeyPath<Root, State> & Sendable
  ) -> Derived<Root, Value> {
    Derived<Root, Value>(reference.placed(in: StatePlace(PartPath(keyPath, for: .lift))))
  }

  /// The value in a state that is in no store; it is computed, and not kept.
  ///
  /// ```swift
  /// #expect(Todos.count.value(in: App(todos: [])) == 0)
  /// ```
  public func value(in state: State) -> Value { value(in: state, given: nil) }

  func value(in state: State, given: GivenValues?) -> Value {
    StateAddress.reading(state, as: State.self) { address in
      var known: [MemoKey: ValueBox] = [:]
      return Boxed<Value>.known(reference.value(in: address, given, &known)).value
    }
  }
}

extension DerivedReference {
  /// Computes the value in a state, and each value that it derives from once.
  fileprivate func value(
    in state: StateAddress, _ given: GivenValues?, _ known: inout [MemoKey: ValueBox]
  ) -> ValueBox {
    let key = key
    if let value = known[key] { return value }
    if formula.isGiven {
      guard let value = given?.value(of: formula.valueType), place.isWhole else { trapUngiven() }
      return value
    }
    var inputs: [ValueBox] = []
    for input in formula.inputs {
      switch input {
      case .part(let part): place.lend(state) { inputs.append(part.read($0)) }
      case .derived(let inner):
        inputs.append(inner.placed(in: place).value(in: state, given, &known))
      }
    }
    let value = formula.compute(inputs, nil)
    known[key] = value
    return value
  }
}

// MARK: Inputs

extension Derived {
  /// A value that is computed of one input.
  ///
  /// A result that equals the former one is no change; each result is one where the type is not `Equatable`.
  public init<A: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A) -> Value
  ) {
    self.init([first.derivedSource.input], fileID, line) { compute(argument($0, 0)) }
  }

  /// A value that is computed of two inputs.
  ///
  /// ```swift
  /// static let visible = Derived(\App.todos, \App.filter) { todos, filter in
  ///   todos.filter(filter.matches)
  /// }
  /// ```
  ///
  /// A result that equals the former one is no change; each result is one where the type is not `Equatable`.
  public init<A: Sendable, B: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    _ second: some DerivedInput<State, B> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A, B) -> Value
  ) {
    self.init([first.derivedSource.input, second.derivedSource.input], fileID, line) {
      compute(argument($0, 0), argument($0, 1))
    }
  }

  /// A value that is computed of three inputs, as of two.
  public init<A: Sendable, B: Sendable, C: Sendable>(
    _ first: some DerivedInput<State, A> & Sendable,
    _ second: some DerivedInput<State, B> & Sendable,
    _ third: some DerivedInput<State, C> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (A, B, C) -> Value
  ) {
    self.init(
      [first.derivedSource.input, second.derivedSource.input, third.derivedSource.input],
      fileID, line
    ) { compute(argument($0, 0), argument($0, 1), argument($0, 2)) }
  }

  /// A value that is computed of four inputs, as of two.
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
      ], fileID, line
    ) { compute(argument($0, 0), argument($0, 1), argument($0, 2), argument($0, 3)) }
  }

  /// A value that is computed of five inputs, as of two.
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
      ], fileID, line
    ) {
      compute(argument($0, 0), argument($0, 1), argument($0, 2), argument($0, 3), argument($0, 4))
    }
  }

  private init(
    _ inputs: [DerivedFormula.Input], _ fileID: StaticString, _ line: UInt,
    _ compute: @escaping @Sendable (_ inputs: [ValueBox]) -> Value
  ) {
    self.init(
      DerivedFormula(inputs, of: Value.self, at: .derived(fileID, line)) { inputs, _ in
        Boxed(compute(inputs))
      })
  }

  init(_ formula: DerivedFormula) {
    self.init(DerivedReference(identity: DerivedIdentity(formula), place: .whole))
  }
}

@inline(__always)
private func argument<Value: Sendable>(_ inputs: [ValueBox], _ index: Int) -> Value {
  Boxed<Value>.known(inputs[index]).value
}

extension CallSite {
  static func derived(_ fileID: StaticString, _ line: UInt) -> CallSite {
    CallSite(fileID: fileID, function: "a derived value", line: line)
  }
}

// MARK: What is given from above

// A given value as an input of what is derived, and where it lies in a store.

extension Derived {
  /// The value of this type that the feature of the state is given.
  ///
  /// ```swift
  /// static let price = Derived(\Row.price, .given(Settings.self)) { price, settings in price * settings.factor }
  /// Effect<Row>(whenChanged: .given(Settings.self), .latest) { settings, context in … }
  /// ```
  ///
  /// It is the current one, of the nearest feature that gives this type: `Feature.lifted(_:giving:)`. The context of an
  /// effect knows that; a scope does where one lift alone leads to its part, and else traps and names the lifts.
  /// Without a store there is no giver.
  public static func given(
    _ type: Value.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Derived {
    Derived(
      DerivedFormula(
        [.part(DerivedPart(PartPath(Lens<Value, Value>.identity)))], of: Value.self,
        at: .derived(fileID, line), isGiven: true
      ) { inputs, _ in inputs[0] })
  }
}

extension DerivedInput {
  /// The value of a type that the feature of the state is given, as an input: `Derived(\Row.price,
  /// .given(Settings.self))`, `Effect(whenChanged: .given(Settings.self))`.
  public static func given<Root, Given>(
    _ type: Given.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Root, Given> where Self == Derived<Root, Given> {
    Derived<Root, Given>.given(type, fileID: fileID, line: line)
  }
}

extension DerivedProtocol {
  /// The value of a type that the feature of the state is given: `change.didChange(.given(Settings.self))`.
  public static func given<Whole, Given>(
    _ type: Given.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Whole, Given> where Self == Derived<Whole, Given> {
    Derived<Whole, Given>.given(type, fileID: fileID, line: line)
  }
}

extension DerivedReference {
  /// Where the values lie that the formula asks for, in the store of a part that it is seen from.
  func findGivers<State>(in part: PartPath<State>, of core: StoreCore) -> [StatePlace] {
    let outer = StatePlace(part)
    return formula.asks.map { ask in
      let asked = place.appending(ask.place)
      if asked.isWhole, let givers = part.givers,
        let giver = givers.givers.first(where: { $0.gives(ask.type) })
      {
        return StatePlace(giver, ids: givers.ids, key: .steps([.function(makeUniqueNumber())]))
      }
      return findGiver(of: ask.type, at: outer.appending(asked).way, core)
    }
  }

  /// Where a value lies that one lift alone gives to the part at the end of a way.
  private func findGiver(of type: any Any.Type, at way: Way, _ core: StoreCore) -> StatePlace {
    let gifts = core.withLock("looked up who gives a value") { $0.uses.gifts(of: type, on: way) }
    let rows = way.rows
    guard gifts.count == 1, let gift = gifts.first, rows.count >= gift.giver.depth else {
      trapUngiven(
        of: type, way.names.map(Way.text) ?? "an unnamed part", gifts)
    }
    let own = rows.prefix(gift.giver.depth)
    return StatePlace(
      gift.giver, ids: own.map(\.id), key: .given(by: gift.number, to: own.map { .row($0) }))
  }

  private func trapUngiven(of type: any Any.Type, _ place: String, _ gifts: [Gift]) -> Never {
    let part = place.isEmpty ? "the state of the store" : "\(code: place)"
    if gifts.isEmpty {
      fatalError(
        """
        Lensed: \(formula.name) asks for a given \(code: type) and was asked for in \(part), and no feature gives one \
        there. Give it where the feature is lifted, `lifted(\\.part, giving: \\.value)`, or ask for the value in the \
        feature's own part, reached by key paths, ids and prisms.
        """)
    }
    let sites = gifts.map { "\($0.site)" }.joined(separator: ", ")
    fatalError(
      """
      Lensed: \(formula.name) asks for a given \(code: type) and was asked for in \(part), and several lifts give one \
      there: \(sites). A scope cannot tell which of them is meant: ask for the value in an effect of the feature, or \
      give one of them another type.
      """)
  }

  func trapGone() -> Never {
    fatalError(
      """
      Lensed: \(formula.name) was asked for in the scope of a child that has gone, and what gave it a value has gone, \
      too. Ask for it while the child is there.
      """)
  }

  func trapUngivenInChange() -> Never {
    fatalError(
      """
      Lensed: \(formula.name) is computed of what a feature is given, and was asked of a change, which has the state \
      of its own part alone. Ask the scope of that part, `scope[derived]`, or the change of an effect that is in the \
      feature.
      """)
  }

  func trapUncompared() -> Never {
    fatalError(
      """
      Lensed: didChange() was asked of \(formula.name), which is computed of what a feature is given; what was given \
      before the commit is not kept. Write `Effect(whenChanged: derived)` in the feature, or observe \
      `scope.states(derived)`.
      """)
  }

  func trapUngiven() -> Never {
    fatalError(
      """
      Lensed: \(formula.name) is given to a feature in a store, and was asked for without one. Ask the context of an \
      effect, or a scope, for what is derived from it.
      """)
  }
}

// MARK: As an argument

/// A derived value, as a function takes it that takes a key path too.
///
/// `Derived` is the only type that conforms. As with `LensLike`, a misspelled key path is then reported by its name.
///
/// ```swift
/// extension Store {
///   func log<Value>(_ derived: some DerivedLike<State, Value>) {
///     print(self[derived.asDerived])
///   }
/// }
/// ```
public typealias DerivedLike<Root, Value> = DerivedProtocol<Root, Value> & CustomReflectable
  & CustomStringConvertible

/// The type of a derived value.
public protocol DerivedProtocol<Root, Value>: Sendable {
  /// The state that the value is derived from.
  associatedtype Root: Sendable
  /// What is derived.
  associatedtype Value: Sendable

  /// The derived value itself.
  var asDerived: Derived<Root, Value> { get }
}

extension Derived: DerivedProtocol {
  /// The derived value itself.
  public var asDerived: Derived { self }
}

extension Derived: CustomStringConvertible {
  /// What the value is derived from, and where.
  public var description: String { reference.formula.name }
}

extension Derived: CustomReflectable {
  /// Shows the name, and nothing of the functions.
  public var customMirror: Mirror {
    Mirror(self, children: ["name": description], displayStyle: .struct)
  }
}
