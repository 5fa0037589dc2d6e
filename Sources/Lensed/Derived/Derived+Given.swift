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
  /// effect knows that; a scope does where one lift alone leads to its part, and else traps and names the lifts. Without
  /// a store there is nobody to give it.
  public static func given(
    _ type: Value.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Derived where Value: Equatable {
    given(at: CallSite(fileID: fileID, function: "a derived value", line: line)) {
      isSameValue(Boxed<Value>.known($0).value, Boxed<Value>.known($1).value)
    }
  }

  /// The value of this type that the feature of the state is given; values of this type cannot be compared.
  @_disfavoredOverload
  public static func given(
    _ type: Value.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Derived {
    given(at: CallSite(fileID: fileID, function: "a derived value", line: line), areEqual: nil)
  }

  private static func given(
    at site: CallSite, areEqual: (@Sendable (ValueBox, ValueBox) -> Bool)?
  ) -> Derived {
    let formula = DerivedFormula(
      [.part(DerivedPart(PartPath(Lens<Value, Value>.identity)))], of: Value.self, at: site,
      areEqual: areEqual, isGiven: true
    ) { inputs, _ in inputs[0] }
    return Derived(DerivedReference(identity: DerivedIdentity(formula), place: .whole))
  }
}

extension DerivedInput {
  /// The value of a type that the feature of the state is given, as an input: `Derived(\Row.price, .given(Settings.self))`.
  public static func given<Root, Given: Equatable>(
    _ type: Given.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Root, Given> where Self == Derived<Root, Given> {
    Derived<Root, Given>.given(type, fileID: fileID, line: line)
  }

  /// The value of a type that the feature of the state is given; values of this type cannot be compared.
  @_disfavoredOverload
  public static func given<Root, Given>(
    _ type: Given.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Root, Given> where Self == Derived<Root, Given> {
    Derived<Root, Given>.given(type, fileID: fileID, line: line)
  }
}

extension DerivedProtocol {
  /// The value of a type that the feature of the state is given: `Effect(whenChanged: .given(Settings.self))`.
  public static func given<Whole, Given: Equatable>(
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
        return StatePlace(giver, ids: givers.ids, steps: [.function(makeUniqueNumber())])
      }
      return findGiver(of: ask.type, at: outer.appending(asked).labels.all, core)
    }
  }

  /// Where a value lies that one lift alone gives to the part that some labels lead to.
  private func findGiver(
    of type: any Any.Type, at labels: [LensLabel], _ core: StoreCore
  ) -> StatePlace {
    let way = FeatureUse.way(labels)
    let gifts = core.withLock("looked up who gives a value") { $0.uses.gifts(of: type, on: way) }
    let rows = labels.compactMap { label -> RowLabel? in
      if case .row(let row) = label { row } else { nil }
    }
    guard gifts.count == 1, let gift = gifts.first, rows.count >= gift.giver.depth else {
      trapUngiven(
        of: type, LensLabel.path(labels).map(LensLabel.text) ?? "an unnamed part", gifts)
    }
    let own = rows.prefix(gift.giver.depth)
    return StatePlace(
      gift.giver, ids: own.map(\.id), steps: [.giver(gift.number)] + own.map { .row($0) })
  }

  private func trapUngiven(
    of type: any Any.Type, _ place: String, _ gifts: [Gift]
  ) -> Never {
    let part = place.isEmpty ? "the state of the store" : "`\(place)`"
    if gifts.isEmpty {
      fatalError(
        """
        Lensed: \(formula.name) asks for a given `\(type)` and was asked for in \(part), and no feature gives one there. \
        Give it where the feature is lifted, `lifted(\\.part, giving: \\.value)`, or ask for the value in the feature's own \
        part, reached by key paths, ids and prisms.
        """)
    }
    let sites = gifts.map { "\($0.site)" }.joined(separator: ", ")
    fatalError(
      """
      Lensed: \(formula.name) asks for a given `\(type)` and was asked for in \(part), and several lifts give one there: \
      \(sites). A scope cannot tell which of them is meant: ask for the value in an effect of the feature, or give one of \
      them another type.
      """)
  }

  /// Traps, because what gave a value has gone.
  func trapGone() -> Never {
    fatalError(
      """
      Lensed: \(formula.name) was asked for in the scope of a child that has gone, and what gave it a value has gone, too. \
      Ask for it while the child is there.
      """)
  }

  /// Traps, because a change has nothing but the state of its part.
  func trapUngivenInChange() -> Never {
    fatalError(
      """
      Lensed: \(formula.name) is computed of what a feature is given, and was asked of a change, which has the state of \
      its own part alone. Ask the scope of that part, `scope[derived]`, or the change of an effect that is in the feature.
      """)
  }

  /// Traps, because no change has what was given before its commit.
  func trapUncompared() -> Never {
    fatalError(
      """
      Lensed: didChange() was asked of \(formula.name), which is computed of what a feature is given; what was given \
      before the commit is not kept. Write `Effect(whenChanged: derived)` in the feature, or observe \
      `scope.states(derived)`.
      """)
  }

  /// Traps, because there is no store with somebody to give a value.
  func trapUngiven() -> Never {
    fatalError(
      """
      Lensed: \(formula.name) is given to a feature in a store, and was asked for without one. Ask the context of an \
      effect, or a scope, for what is derived from it.
      """)
  }
}
