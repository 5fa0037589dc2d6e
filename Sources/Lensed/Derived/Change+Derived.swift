extension Change {
  /// A derived value of the state after the commit.
  ///
  /// In an effect of the derived value it is computed once for all callers that ask the store for it; elsewhere it may
  /// be computed each time.
  ///
  /// A value that asks for a given one, `.given(_:)`, is there in the change of an effect: in its context, in `when:`.
  /// A change of a stream has the state of its part alone, so there it traps; ask the scope of the part,
  /// `scope[derived]`.
  public subscript<Value>(_ derived: Derived<State, Value>) -> Value {
    if !derived.reference.formula.asks.isEmpty {
      guard let given else { derived.reference.trapUngivenInChange() }
      return derived.value(in: state, given: given)
    }
    // The state of a child that is not there is that of its scope alone.
    guard part.child == nil, let core = home?.host as? StoreCore
    else {
      return derived.value(in: state)
    }
    let node = core.node(of: derived.reference.placed(in: StatePlace(part)))
    let result = StateAddress.reading(state, as: State.self) { address in
      DerivedCopies(of: node, from: address, as: derived.reference)
        .result(of: node, at: revision, in: core)
    }
    return Boxed<Value>.known(result.value).value
  }

  /// Whether a reducer ran that owns a part of what the value is derived from; `didChange(_:)` compares the values.
  ///
  /// What is given is a part of that. So a value that asks for a given one, `.given(_:)`, may be asked of the change of
  /// an effect, and traps in a change of a stream, as `change[derived]` does.
  @_disfavoredOverload
  public func touches<Value>(_ derived: some DerivedLike<State, Value>) -> Bool {
    let reference = derived.asDerived.reference
    for ask in reference.formula.asks {
      guard let given, reference.place.appending(ask.place).isWhole else {
        reference.trapUngivenInChange()
      }
      let giver = given.givers.first { $0.gives(ask.type) }
      if giver.map({ touches($0.footprint) }) ?? false { return true }
    }
    return touches(derived.asDerived.footprint(in: part))
  }

  /// Whether a derived value differs from that of the state before; true on first delivery.
  ///
  /// It is computed of both states, if the commit touched an input. It needs
  /// `changes(buffering:keepingPrevious:)` with `keepingPrevious: true`, and traps without. What was given before the
  /// commit is not kept, so it traps for a value that asks for one: `Effect(whenChanged:)` compares that.
  @_disfavoredOverload
  public func didChange<Value: Equatable>(_ derived: some DerivedLike<State, Value>) -> Bool {
    let derived = derived.asDerived
    if !derived.reference.formula.asks.isEmpty { derived.reference.trapUncompared() }
    guard let former else {
      fatalError(
        """
        Lensed: didChange() compares \(derived.reference.formula.name) with its value before the change, and \
        that state was not kept. Ask for it where the changes are read: changes(keepingPrevious: true).
        """)
    }
    return isFirst
      || touches(derived) && !isSameValue(derived.value(in: former.value), self[derived])
  }
}

extension Derived {
  /// What the value depends on, in the state of a store that has the state that it knows at `part`.
  func footprint(in part: PartPath<State>) -> Footprint {
    reference.formula.footprint(in: StatePlace(part).appending(reference.place))
  }
}
