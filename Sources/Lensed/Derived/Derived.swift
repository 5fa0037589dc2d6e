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
/// A derived value is one by identity, so make it once: a `static let`, or another constant. Each store keeps one
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
/// **Cost.** If no input was touched, a read costs no more than two reads of a stored property, however large the
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

  /// This value for a larger state, of which the state that it knows is one part.
  ///
  /// It is one value with this one: readers of either in the same store share the result.
  public func lifted<Root: Sendable>(
    _ lens: some LensLike<Root, State>
  ) -> Derived<Root, Value> {
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

  /// The value in a state that is in no store, with what the feature of that state is given.
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
    var seed: ValueBox?
    let value = formula.compute(inputs, &seed)
    known[key] = value
    return value
  }
}
