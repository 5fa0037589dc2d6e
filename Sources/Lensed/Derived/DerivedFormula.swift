internal import Synchronization

/// How one derived value is computed; it knows no type: the boxes are of the types that `Derived` was made with.
final class DerivedFormula: Sendable {
  /// A value that is asked for by its type, and the part of the formula's state that is given it.
  typealias Ask = (type: any Any.Type, place: StatePlace)

  typealias Computed = (inputs: [ValueBox], value: ValueBox)

  enum Input: Sendable {
    case part(DerivedPart)
    case derived(DerivedReference)
  }

  let inputs: [Input]
  /// Whether it is a given value: then it reads what lies where that is given, and not the state that it is seen from.
  let isGiven: Bool
  /// The given values that it is computed of, each once.
  let asks: [Ask]
  /// The indices of what each of its derived inputs asks for, in the order of that.
  private let inputAsks: [[Int]]
  /// Computes the value; `former` is what an earlier call came to, or nil, and may be of any commit.
  let compute: @Sendable (_ inputs: [ValueBox], _ former: Computed?) -> ValueBox
  /// Whether it follows rows: then it is computed of what has changed since an earlier call.
  let followsRows: Bool
  /// Nil where the values cannot be compared, so that each result counts as a change.
  let areEqual: (@Sendable (_ former: ValueBox, _ next: ValueBox) -> Bool)?
  let site: CallSite
  /// How many derived values lie upon each other, from this one down.
  private let depth: Int
  let valueType: any Any.Type
  /// Whether no caller can ask for it any more; set once, by its identity.
  let isAbandoned = Atomic(false)
  /// The limit of the family that it is a member of, once that is asked in turn for more keys than it holds; else 0.
  let crowdedLimit = Atomic(0)

  init<Value: Sendable>(
    _ inputs: [Input], of valueType: Value.Type, at site: CallSite,
    followsRows: Bool = false, isGiven: Bool = false,
    compute: @escaping @Sendable (_ inputs: [ValueBox], _ former: Computed?) -> ValueBox
  ) {
    (self.inputs, self.isGiven, self.followsRows) = (inputs, isGiven, followsRows)
    (self.valueType, self.site, self.compute) = (valueType, site, compute)
    areEqual = comparison(of: valueType)
    var (asks, inputAsks): ([Ask], [[Int]]) = (isGiven ? [(valueType, .whole)] : [], [])
    for case .derived(let inner) in inputs {
      let indices = inner.formula.asks.map { ask in
        let place = inner.place.appending(ask.place)
        let known = asks.firstIndex { $0.type == ask.type && $0.place.isSame(as: place) }
        if known == nil { asks.append((ask.type, place)) }
        return known ?? asks.count - 1
      }
      inputAsks.append(indices)
    }
    (self.asks, self.inputAsks) = (asks, inputAsks)
    let depths = inputs.map { input in
      if case .derived(let inner) = input { inner.formula.depth } else { 0 }
    }
    depth = 1 + (depths.max() ?? 0)
    // Each layer takes some of the stack, both when the value is computed and when it is released.
    if depth > 100 {
      fatalError(
        """
        Lensed: \(name) is derived through more than 100 layers of other derived values. Compute several of them \
        in one function.
        """)
    }
  }

  /// Those of its inputs that are derived, in order, with what each asks for of what the formula does.
  var derivedInputs: [(input: DerivedReference, asks: [Int])] {
    let inputs = inputs.compactMap { if case .derived(let inner) = $0 { inner } else { nil } }
    return Array(zip(inputs, inputAsks))
  }

  /// Reads the parts of the state that the function reads itself, in order, of the state that the formula knows.
  func readParts(of state: StateAddress) -> [ValueBox] {
    var values: [ValueBox] = []
    values.reserveCapacity(inputs.count)
    for case .part(let part) in inputs { values.append(part.read(state)) }
    return values
  }

  var name: String { "the derived \(code: valueType) made at \(site)" }

  /// The parts of the state that the function reads itself.
  func ownFootprints(in place: StatePlace) -> [Footprint] {
    if isGiven { return place.givenFootprint.map { [$0.value] } ?? [] }
    return inputs.compactMap { input in
      if case .part(let part) = input { part.footprint(in: place) } else { nil }
    }
  }

  /// What the value depends on where the formula's state lies at `place`, without what it is given.
  func footprint(in place: StatePlace) -> Footprint {
    var (parts, seen): ([Footprint], Set<MemoKey>) = ([], [])
    addParts(in: place, to: &parts, &seen)
    return Footprint(ofAll: parts)
  }

  /// Adds what the value depends on, unless it was seen.
  private func addParts(
    in place: StatePlace, to parts: inout [Footprint], _ seen: inout Set<MemoKey>
  ) {
    if isGiven || !seen.insert(MemoKey(object: ObjectIdentifier(self), place: place.key)).inserted {
      return
    }
    for input in inputs {
      switch input {
      case .part(let part): parts.append(part.footprint(in: place))
      case .derived(let inner):
        inner.formula.addParts(in: place.appending(inner.place), to: &parts, &seen)
      }
    }
  }

  var crowding: StoreWarning? {
    let limit = crowdedLimit.load(ordering: .relaxed)
    if limit == 0 { return nil }
    var warning = StoreWarning(.crowdedFamily, at: site)
    (warning.derived, warning.limit) = (name, limit)
    return warning
  }

  var uselessness: StoreWarning {
    var warning = StoreWarning(.uselessDerived, at: site)
    warning.derived = name
    return warning
  }
}

/// Compares two boxes of a type; nil where its values cannot be compared.
private func comparison<Value: Sendable>(
  of type: Value.Type
) -> (@Sendable (ValueBox, ValueBox) -> Bool)? {
  func make<Known: Equatable & Sendable>(
    _ type: Known.Type
  ) -> @Sendable (ValueBox, ValueBox) -> Bool {
    { isSameValue(Boxed<Known>.known($0).value, Boxed<Known>.known($1).value) }
  }
  return (type as? any (Equatable & Sendable).Type).map { make($0) }
}

/// Says, by its life, whether a caller can ask for a derived value.
///
/// Stores keep the formula alone. Once the identity is released, the formula is *abandoned*, and its nodes are
/// released.
final class DerivedIdentity: Sendable {
  let formula: DerivedFormula

  init(_ formula: DerivedFormula) { self.formula = formula }

  deinit {
    formula.isAbandoned.store(true, ordering: .relaxed)
  }
}

/// A derived value, and the part of the state that it is derived from; both without their types.
struct DerivedReference: Sendable {
  let identity: DerivedIdentity
  let place: StatePlace
  /// Where the values lie in the store that the formula asks for, in order; empty where they are not known, or none is.
  var givers: [StatePlace] = []

  var formula: DerivedFormula { identity.formula }

  var key: MemoKey {
    let object = ObjectIdentifier(formula)
    if formula.isGiven { return MemoKey(object: object, place: readPlace.key) }
    return MemoKey(object: object, place: place.key.given(givers.map(\.key)))
  }

  var readPlace: StatePlace { formula.isGiven ? givers.first ?? place : place }

  /// Those of its inputs that are derived, in order.
  var inputs: [DerivedReference] {
    formula.derivedInputs.map { input, asks in
      var placed = input.placed(in: place)
      placed.givers = givers.isEmpty ? [] : asks.map { givers[$0] }
      return placed
    }
  }

  /// The same, seen from a larger state.
  func placed(in outer: StatePlace) -> DerivedReference {
    DerivedReference(identity: identity, place: outer.appending(place), givers: givers)
  }
}

/// A part of the state that is an input of a derived value, with its type erased.
struct DerivedPart: Sendable {
  private let footprint: Footprint
  /// Reads the part of the state that the formula knows; under the lock of the store, or of a copy.
  let read: @Sendable (_ state: StateAddress) -> ValueBox

  init<Value: Sendable>(_ path: PartPath<Value>) {
    footprint = path.footprint
    read = { Boxed(path.read($0)) }
  }

  /// What the part covers of the state that has the formula's state at `place`.
  func footprint(in place: StatePlace) -> Footprint {
    footprint.lifted(along: place.way, at: place.offset)
  }
}
