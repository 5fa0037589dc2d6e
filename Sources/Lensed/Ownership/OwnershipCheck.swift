// How ownership is proved:
//
// 1. Footprints are compared in pairs (`Footprint.overlap`). Equal or intersecting bytes conflict, and so do paths of which
//    one begins with the other. The pairs that might overlap are found by an index (`FootprintIndex`).
// 2. `CoverageCheck` reflects a state. It finds the stored properties that no footprint claims, and which property each
//    path means. By that the owners are compared once more, because a property may be claimed by two names.
// 3. Whether a part has two owners, and whether a property has none, is asked together, on two occasions: before the
//    first commit of a store whose coverage is not proved, and when a feature has its first child (`ChildProof`).
//    `register` asks about names alone, of a copy of the state and without the lock, and again if the owners have
//    changed meanwhile.
// 4. All faults go into one `RegistrationError`. No runtime metadata is read by hand.

/// Finds the parts of a state that have more than one owner, or none.
struct OwnershipCheck {
  /// Whether the footprint of every lens has to be known.
  let coverage: Coverage
  /// What messages call the child whose parts are checked; nothing for a store.
  private let place: String

  init(coverage: Coverage, inside place: String = "") {
    (self.coverage, self.place) = (coverage, place)
  }

  /// What messages call a part.
  private func name(_ footprint: Footprint) -> String { footprint.name.property(of: place) }

  /// The faults of `new`, their conflicts with `known` and with each other, and `others`, the faults of the
  /// parts that come with them.
  ///
  /// - Complexity: O(*n*) in the number of new parts, where each has a path.
  func faults(
    adding new: [Owner], to known: OwnerIndex = OwnerIndex(),
    besides others: [FoundFault] = []
  ) -> [FoundFault] {
    var faults: [FoundFault] = []
    // An index of their own: the known one is shared, and adding to it would copy it.
    var before = OwnerIndex()
    for owner in new {
      faults += self.faults(in: owner)
      if let children = owner.children {
        // Whether everything in a child is claimed shows in a child.
        faults += OwnershipCheck(
          coverage: coverage, inside: name(owner.footprint) + children.way.text()
        ).faults(adding: children.owners)
      }
      for other in known.near(owner.footprint) + before.near(owner.footprint) {
        if let fault = conflict(owner, other) { faults.append(fault) }
      }
      if new.count > 1 { before.insert(owner) }
    }
    return FoundFault.merging(faults + others)
  }

  private func faults(in owner: Owner) -> [FoundFault] {
    let name = name(owner.footprint)
    var faults: [FoundFault] = []
    if owner.footprint.isUndecided && coverage == .complete {
      faults.append(
        FoundFault(.unnamedLens(valueType: owner.footprint.typeName), at: [owner.site]))
    }
    for answer in owner.cases {
      // Other faults of children are found among their own owners.
      if owner.children != nil && answer.fault != .everyActionOverElements { continue }
      let site = answer.site ?? owner.site
      if let type = answer.type, Routability(of: type) == .object {
        let place = site.map { " at \($0)" } ?? ""
        fatalError(
          """
          Lensed: the reducer of \(code: name)\(place) handles \(code: ActionForm(of: type).innermost), which is a \
          class. Actions are routed by their exact type, and an object of a subclass would never arrive: make the \
          action a struct or an enum.
          """)
      }
      if let fault = answer.fault {
        faults.append(FoundFault(RegistrationError.Fault(fault, of: name), at: [site]))
      }
    }
    return faults
  }

  /// The faults of owners that only a value of their state shows: properties without an owner, and those that two
  /// owners call by different names.
  func faults(of owners: [Owner], in state: Any) -> [FoundFault] {
    let shown = CoverageCheck(of: owners, in: state)
    return conflicts(of: owners, from: 0, shown)
      + shown.missing.map { FoundFault(.noReducer(property: $0.property(of: place))) }
  }

  /// The conflicts of `new` with `known` and with each other that only a value of their state shows.
  func conflicts(
    of new: [Owner], with known: [Owner], in state: Any
  ) -> [FoundFault] {
    let owners = known + new
    return conflicts(of: owners, from: known.count, CoverageCheck(of: owners, in: state))
  }

  /// The conflicts of owners, of those from `first` on, that call one property by different names.
  ///
  /// Footprints without bytes are told apart by their names alone, and a property may have two.
  private func conflicts(
    of owners: [Owner], from first: Int, _ shown: CoverageCheck
  ) -> [FoundFault] {
    // Where each property has the name that its owner says, all of them were compared before.
    let areNamedAnew = owners.indices.contains { index in
      shown.paths[index].map { $0 != owners[index].footprint.path } ?? false
    }
    if !areNamedAnew { return [] }
    var faults: [FoundFault] = []
    var before = OwnerIndex()
    var byIdentity: [UInt64: Owner] = [:]
    for (index, owner) in owners.enumerated() {
      guard let path = shown.paths[index] else { continue }
      var renamed = owner
      renamed.footprint = owner.footprint.named(path)
      for other in index < first ? [] : before.near(renamed.footprint) {
        // Those that have one name were compared before.
        guard let known = byIdentity[other.identity], conflict(owner, known) == nil,
          let fault = conflict(renamed, other),
          !faults.contains(where: { $0.fault == fault.fault })
        else { continue }
        faults.append(fault)
      }
      before.insert(renamed)
      byIdentity[owner.identity] = owner
    }
    return faults
  }

  private func conflict(_ owner: Owner, _ other: Owner) -> FoundFault? {
    fault(of: owner, beside: other).map { FoundFault($0, at: [other.site, owner.site]) }
  }

  private func fault(of owner: Owner, beside other: Owner) -> RegistrationError.Fault? {
    let (one, two) = (other.footprint, owner.footprint)
    // The owner of a part decides which children there are in it, however deep they lie.
    func besideChildren(_ part: Owner, _ children: Owner) -> RegistrationError.Fault? {
      part.isConstant ? .constantChildren(property: name(children.footprint)) : nil
    }
    switch one.overlap(with: two) {
    case .none:
      return nil
    case .same:
      switch (other.children, owner.children) {
      case (nil, nil):
        let isConstant = owner.isConstant || other.isConstant
        return isConstant
          ? .constantPart(property: name(one)) : .twoReducers(property: name(one))
      case (nil, _?): return besideChildren(other, owner)
      case (_?, nil): return besideChildren(owner, other)
      case (let first?, let second?):
        return first.isApart(from: second) ? nil : .twoFeatures(property: name(one))
      }
    case .partial:
      switch (other.children, owner.children) {
      case (nil, _?) where one.covers(two): return besideChildren(other, owner)
      case (_?, nil) where two.covers(one): return besideChildren(owner, other)
      default: break
      }
      return .overlap(property: name(one), other: name(two))
    case .unknown:
      // Where coverage is complete, the undecided one is a fault of its own.
      guard coverage == .partial, one.isUndecided, two.isUndecided, one.typeName == two.typeName
      else { return nil }
      return .indistinctLenses(valueType: one.typeName)
    }
  }
}

extension RegistrationError.Fault {
  /// The fault of the reducer of a property.
  init(_ fault: ReducerFault, of property: String) {
    self =
      switch fault {
      case .list(let action): .listReducer(property: property, action: action)
      case .everyActionOverElements: .everyActionOverElements(property: property)
      case .prism(let wide, let narrow):
        .unmatchedPrism(property: property, wide: wide, narrow: narrow)
      }
  }
}

// MARK: Proving

extension OwnershipCheck {
  /// Proves that the parts of a store fit together, and that none is missing.
  func prove<State>(
    _ owners: [Owner], besides others: [FoundFault], in initialState: State
  ) throws(RegistrationError) {
    var faults = faults(adding: owners, besides: others)
    if coverage == .complete {
      faults += self.faults(of: owners, in: initialState)
      faults += StateAddress.reading(initialState, as: State.self) { state in
        owners.compactMap(ChildProof.init).flatMap { $0.faults(in: state) }
      }
    }
    guard faults.isEmpty else { throw RegistrationError(faults) }
  }
}

// MARK: What is proved

/// The owners of a new store, with all that follows from them: made once for each blueprint.
struct ProvenParts: Sendable {
  /// The owners, with the numbers that their sub-states get in a new store.
  let owners: [Owner]
  let ownership: OwnershipMap
  let footprints: OwnerIndex
  /// The proofs of the children, of which none was seen yet.
  let proofs: [ChildProof]

  init(_ owners: [Owner]) {
    var footprints = OwnerIndex()
    self.owners = owners.enumerated().map { slot, owner in
      var owner = owner
      owner.slot = slot
      owner.footprint = owner.footprint.resolved
      footprints.insert(owner)
      return owner
    }
    self.footprints = footprints
    proofs = self.owners.compactMap(ChildProof.init)
    ownership = OwnershipMap(self.owners)
  }
}
