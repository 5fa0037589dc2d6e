/// The proof that the properties of children have one owner each: of which owners of children one was seen.
///
/// A child is seen in the initial state, or when it is first reduced. Children have children; the first element of a
/// collection might have none where another one has. So it goes through all elements, until each owner of children
/// has shown one.
struct ChildProof: Sendable {
  let owner: Owner
  private let children: ChildClaim
  /// The types of the actions that reach the children, and theirs, without the events of asynchronous reducers;
  /// nil if all actions do.
  private let types: Set<ObjectIdentifier>?
  private var isSeen = false
  /// Whether one is looked for now.
  private var isSought = false
  /// The proofs of what the children have.
  private var inner: [ChildProof] = []
  /// How many commits pass before a child is looked for again that was not there.
  private var pause = 0

  /// So many children are looked through after each commit.
  private static let few = 16

  /// The proof for the owner of a store; nil, if it has no children.
  init?(_ owner: Owner) { self.init(owner, owner.cases[...]) }

  /// `cases` are those of the owner, as the store knows them.
  private init?(_ owner: Owner, _ cases: ArraySlice<ReducerCase>) {
    guard let children = owner.children else { return nil }
    (self.owner, self.children) = (owner, children)
    let known = cases.compactMap(\.type).map { ObjectIdentifier($0) }
    types = known.count == cases.count ? Set(known) : nil
    // A lift keeps the number and the order of the cases, which lie in the order in which the owners handle an action.
    var rest = cases
    for part in Owner.childrenFirst(children.owners) {
      if let proof = ChildProof(part, rest.prefix(part.cases.count)) { inner.append(proof) }
      rest = rest.dropFirst(part.cases.count)
    }
  }

  /// Whether a child of each owner was seen.
  var isComplete: Bool { isSeen && inner.allSatisfy(\.isComplete) }

  /// Whether `look` might find a child after a commit that has reduced actions of a type.
  func mayFind(after type: ObjectIdentifier) -> Bool {
    (!isSeen && (types?.contains(type) ?? true)) || inner.contains { $0.mayFind(after: type) }
  }

  /// The faults of the owners in the first child of each that the child shows.
  func faults(in state: StateAddress) -> [FoundFault] {
    var (proof, count, faults) = (self, 0, [FoundFault]())
    proof.seek(isAnyReached: true) { _ in true }
    proof.search(state, &count, owner.footprint.name) { claim, child, name in
      faults += OwnershipCheck(coverage: .complete, inside: name)
        .faults(of: claim.owners, in: claim.copy(child))
    }
    return faults
  }

  /// Looks for children that were not seen before, after a commit that has reduced actions; under the lock of the
  /// store.
  ///
  /// Where an action reaches other owners too, all elements may be searched in vain. If they are many, as many
  /// commits then pass as there were elements, so that looking costs a commit a constant. The result of an asynchronous
  /// reducer might have reached any child; other commits reach those whose types of actions were reduced.
  ///
  /// - Returns: Whether it has found any.
  mutating func look(
    in state: StateAddress, isAnyReached: Bool, after isReduced: (ObjectIdentifier) -> Bool
  ) -> Bool {
    seek(isAnyReached: isAnyReached, isReduced)
    if !isSeeking { return false }
    var (isFound, count) = (false, 0)
    search(state, &count, "") { _, _, _ in isFound = true }
    rest(count)
    return isFound
  }

  private var isSeeking: Bool { isSought || inner.contains(where: \.isSeeking) }

  /// Notes which children are to be looked for: those that were not seen, and that some action has reached.
  private mutating func seek(isAnyReached: Bool, _ isReduced: (ObjectIdentifier) -> Bool) {
    let isReached = isAnyReached || (types?.contains(where: isReduced) ?? true)
    isSought = isReached && !isSeen && pause == 0
    if isReached && pause > 0 { pause -= 1 }
    for index in inner.indices { inner[index].seek(isAnyReached: isAnyReached, isReduced) }
  }

  /// Lets commits pass before those are looked for again that were not there.
  private mutating func rest(_ count: Int) {
    if isSought && count > Self.few { pause = count }
    isSought = false
    for index in inner.indices { inner[index].rest(count) }
  }

  /// Hands the first child of each owner to `found` that is looked for, and counts the children on the way.
  private mutating func search(
    _ state: StateAddress, _ count: inout Int, _ place: @autoclosure () -> String,
    _ found: (_ claim: ChildClaim, _ child: StateAddress, _ name: String) -> Void
  ) {
    _ = children.forEach(state) { ids, child in
      count += 1
      func name() -> String { place() + children.way.text(ids) }
      if isSought {
        (isSeen, isSought) = (true, false)
        found(children, child, name())
      }
      for index in inner.indices where inner[index].isSeeking {
        let footprint = inner[index].owner.footprint
        inner[index].search(
          child, &count, footprint.isWhole ? name() : "\(name()).\(footprint.name)", found)
      }
      return isSeeking
    }
  }
}

// MARK: Coverage

extension ChildClaim {
  /// Whether a child, and all that is in it, is of one claim at most.
  ///
  /// What a composition of prisms leads to lies within what the first of them lead to.
  func isApart(from other: ChildClaim) -> Bool {
    guard let prism, let further = other.prism else { return false }
    return !prism.starts(with: further) && !further.starts(with: prism)
  }

  /// The same children in a larger state.
  func lifted<Root, Value>(_ lens: Lens<Root, Value>) -> ChildClaim {
    let (forEach, lend) = (forEach, PartPath(lens).lend)
    return ChildClaim(
      owners: owners, way: way,
      forEach: { root, body in
        var isThrough = true
        _ = lend(root) { isThrough = forEach($0, body) }
        return isThrough
      }, copy: copy)
  }
}

extension Owner {
  /// This owner for a larger state, of which the feature's state is one part.
  func lifted<Root, Value>(
    _ lens: Lens<Root, Value>, cases: ([ReducerCase]) -> [ReducerCase]
  ) -> Owner {
    Owner(
      footprint: footprint.lifted(lens), cases: cases(self.cases), isConstant: isConstant,
      site: site, children: children?.lifted(lens), identities: identities)
  }
}

extension RegistrationError.Fault {
  /// The same fault, of a property of the children that are called `name`: of those faults that are found before it is
  /// known what holds the property.
  func inChildren(of name: String) -> RegistrationError.Fault {
    switch self {
    case .listReducer(let property, let action):
      .listReducer(property: property.property(of: name), action: action)
    case .classReducer(let property, let action):
      .classReducer(property: property.property(of: name), action: action)
    case .unmatchedPrism(let property, let wide, let narrow):
      .unmatchedPrism(property: property.property(of: name), wide: wide, narrow: narrow)
    default: self
    }
  }
}

extension String {
  /// The name of a property of what another name is of.
  func property(of holder: String) -> String {
    if holder.isEmpty { return self }
    if self == "\\.self" { return holder }
    // An element stands right behind its collection.
    return holder + (hasPrefix("[") ? "" : ".") + self
  }
}
