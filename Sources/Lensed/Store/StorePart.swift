/// One part of a store: a sub-state and its reducers, or an effect that is installed with it.
///
/// Made by the store's builder of mutators, `Constant`, effects and features.
public struct StorePart<State: Sendable>: Sendable {
  private(set) var owner: Owner?
  /// What keeps it out of every store, beside the faults of its owner and of what it installs.
  private let ownFaults: [FoundFault]
  private(set) var installed: (any InstalledPart<State>)?
  /// The number of the owner that it belongs to, or that of its feature, which is among those of each owner there.
  private var identities: [UInt64]
  /// The feature of effects alone that it is given by.
  var use: FeatureUse.Part?
  /// The features that begin with it and handle actions, the innermost first.
  private var places: [FeatureUse] = []
  /// What its feature asks for, beside its reducers and what is installed, and nothing has given yet.
  var needs: [GivenNeed] = []
  /// What its feature gives, and where.
  var gifts: [Gift] = []

  init(
    owner: Owner? = nil, faults: [FoundFault] = [],
    installed: (any InstalledPart<State>)? = nil
  ) {
    self.owner = owner
    ownFaults = faults
    self.installed = installed
    identities = owner?.identities ?? []
  }

  /// The part that a mutator owns.
  public init<SubState>(_ mutator: Mutator<State, SubState>) {
    self.init(owner: Owner(mutator))
  }

  /// Whether a store attaches nothing for it, and says nothing of it: its owner, and its faults, are another matter.
  var attachesNothing: Bool {
    installed == nil && use == nil && places.isEmpty && gifts.isEmpty
  }

  /// What keeps it out of every store, beside the faults of its owner.
  var faults: [FoundFault] {
    ownFaults + (installed?.faults ?? []) + allNeeds.map { FoundFault(RegistrationError.Fault($0)) }
  }

  /// What attaches that which is installed with it; nil for none, and where all owners that it belongs to have gone.
  ///
  /// It is made under the lock of the store: so what is attached belongs to those who are the owners then.
  func attachment(
    in view: StoreView<State>, _ owned: [UInt64: [OwnershipEpoch]]
  ) -> Attachment? {
    guard let installed else { return nil }
    var (epochs, seen): ([OwnershipEpoch], Set<OwnershipEpoch>) = ([], [])
    for identity in identities {
      epochs += owned[identity, default: []].filter { seen.insert($0).inserted }
    }
    // What belongs to no owner stays.
    return identities.isEmpty || !epochs.isEmpty ? installed.attachment(in: view, of: epochs) : nil
  }

  func named(in feature: String) -> StorePart {
    changed(self) { $0.installed = installed?.named(in: feature) }
  }

  /// Whether what is installed with it goes with owners.
  var belongsToOwners: Bool { installed != nil && !identities.isEmpty }

  var handlesActions: Bool {
    owner?.cases.isEmpty == false || installed?.actionTypes.isEmpty == false
  }
}

extension StorePart {
  /// The part that is deliberately constant.
  public init(_ unreduced: Constant<State>) {
    self.init(owner: Owner(footprint: unreduced.footprint, cases: [], isConstant: true))
  }
}

extension Owner {
  init<State, Part>(_ mutator: Mutator<State, Part>) {
    self.init(footprint: mutator.lens.footprint, cases: mutator.cases, site: mutator.site)
  }
}

/// What a part of a store installs, whatever the feature is that it was written for: `Placed`.
protocol InstalledPart<State>: Sendable {
  associatedtype State: Sendable

  /// What messages call it: "the effect save".
  var title: String { get }
  /// What keeps it out of every store.
  var faults: [FoundFault] { get }
  var actionTypes: [any Action.Type] { get }

  /// Makes what attaches it; `epochs` are those of the owners that it belongs to.
  func attachment(in view: StoreView<State>, of epochs: [OwnershipEpoch]) -> Attachment
  /// The same for what holds the state.
  func lifted<Root: Sendable>(by optic: Optic<Root, State>) -> any InstalledPart<Root>
  /// The same in a feature that has a name.
  func named(in feature: String) -> any InstalledPart<State>

  /// What it is known to ask for, and nothing has given yet.
  var needs: [GivenNeed] { get }
  /// The same with a value that it may ask for; where that is of a type that it was given before, it is the same.
  func given(by giver: Giver) -> any InstalledPart<State>
  /// Whether it might ask for a value of a type that nothing has given it yet: what functions ask for is not known.
  func mayAsk(for type: any Any.Type) -> Bool
}

extension StorePart {
  /// This part for what holds the state, where the state is always there.
  private func lifted<Root: Sendable>(
    _ lens: Lens<Root, State>, by optic: Optic<Root, State>
  ) -> StorePart<Root> {
    var part = StorePart<Root>(
      owner: owner?.lifted(lens, cases: optic.cases), faults: faults(in: optic.way),
      installed: installed?.lifted(by: optic))
    part.owner?.givers = owner?.givers.map { $0.lifted(by: optic) } ?? []
    part.identities = identities
    part.places = places.map(optic.lifted)
    part.lift(gifts, needs, by: optic)
    return part
  }

  private func faults(in way: Way) -> [FoundFault] {
    let name = way.text()
    return name.isEmpty ? ownFaults : ownFaults.map { $0.inChildren(of: name) }
  }

  /// Parts for what holds the state; where that might not be there, one owner of the children, and what each installs.
  static func lifted<Root: Sendable>(
    _ parts: [StorePart], by optic: Optic<Root, State>
  ) -> [StorePart<Root>] {
    if let lens = optic.lens { return parts.map { $0.lifted(lens, by: optic) } }
    let owners = parts.compactMap { $0.owner }
    var lifted = parts.map {
      StorePart<Root>(faults: $0.faults(in: optic.way), installed: $0.installed?.lifted(by: optic))
    }
    for (index, part) in parts.enumerated() {
      lifted[index].lift(part.gifts, part.needs, by: optic)
    }
    if !lifted.isEmpty { lifted[0].places = parts.flatMap { $0.places }.map(optic.lifted) }
    if owners.isEmpty { return lifted }
    let claim = ChildClaim(
      owners: owners, way: optic.way,
      forEach: { root, body in optic.forEach(root, [], body) }, copy: { $0.read(State.self) })
    let owner = Owner(
      footprint: optic.container,
      cases: optic.cases(Owner.childrenFirst(owners).flatMap { $0.cases }),
      children: claim, identities: owners.flatMap { $0.identities })
    // Each part that installs something finds the owner by the identities that are its own.
    for index in parts.indices { lifted[index].identities = parts[index].identities }
    return [StorePart<Root>(owner: owner)] + lifted
  }

  /// The parts of a feature: what owns nothing belongs to all that owns something, or to its own feature's.
  static func together(_ parts: [StorePart]) -> [StorePart] {
    guard parts.contains(where: { $0.owner != nil }), parts.contains(where: { $0.belongsToNone })
    else {
      return parts
    }
    let feature = makeUniqueNumber()
    var parts = parts
    for index in parts.indices {
      parts[index].owner?.identities.append(feature)
      if parts[index].belongsToNone { parts[index].identities = [feature] }
    }
    return parts
  }

  private var belongsToNone: Bool { installed != nil && identities.isEmpty }

  /// The parts under new numbers: each instance of a feature has owners of its own.
  static func renumbered(_ parts: [StorePart]) -> [StorePart] {
    var numbers: [UInt64: UInt64] = [:]
    func number(_ former: UInt64) -> UInt64 {
      if let known = numbers[former] { return known }
      let new = makeUniqueNumber()
      numbers[former] = new
      return new
    }
    return parts.map { part in
      changed(part) {
        $0.owner = part.owner?.renumbered(number)
        $0.identities = part.identities.map(number)
      }
    }
  }

  /// The parts of a feature, told apart from those of others where they handle actions.
  static func placed(_ parts: [StorePart]) -> [StorePart] {
    if !parts.contains(where: \.handlesActions) { return parts }
    var parts = parts
    parts[0].places.append(FeatureUse())
    return parts
  }

  /// The parts, whose places are not compared with others any more.
  static func forgettingPlaces(_ parts: [StorePart]) -> [StorePart] {
    parts.map { changed($0) { $0.places = [] } }
  }

  /// The parts of a feature, as a store or another feature is given them.
  static func given(_ parts: [StorePart], by use: FeatureUse?) -> [StorePart] {
    guard let use else { return parts }
    var parts = parts
    for index in parts.indices { parts[index].use = FeatureUse.Part(use: use, index: index) }
    return parts
  }

  /// The parts, whose uses are not compared with others any more.
  static func forgettingUses(_ parts: [StorePart]) -> [StorePart] {
    parts.map { changed($0) { $0.use = nil } }
  }

  /// What keeps parts out of every store, beside the faults of their owners.
  static func faults(of parts: [StorePart]) -> [FoundFault] {
    parts.flatMap { $0.faults } + doubledFeatures(in: parts)
  }

  /// The features of effects alone that are given twice at one place.
  static func doubledFeatures(
    in parts: [StorePart], besides known: FeatureUses = FeatureUses()
  ) -> [FoundFault] {
    var seen = known
    var doubled: [(use: FeatureUse, effects: [String])] = []
    for part in parts {
      guard let own = part.use, !seen.insert(own, of: part.identities) else { continue }
      let names = part.installed.map { [$0.title] } ?? []
      if let known = doubled.firstIndex(where: { $0.use == own.use }) {
        doubled[known].effects += names.filter { !doubled[known].effects.contains($0) }
      } else {
        doubled.append((own.use, names))
      }
    }
    return doubled.map { use, effects in
      FoundFault(
        .doubledFeature(
          state: "\(State.self)", place: use.name, effects: effects.joined(separator: ", ")))
    }
  }

  static func uses(in parts: [StorePart]) -> FeatureUses {
    var uses = FeatureUses()
    for part in parts {
      if let use = part.use { _ = uses.insert(use, of: part.identities) }
      for place in part.places { uses.insert(place, of: part.identities) }
      for gift in part.gifts { uses.insert(gift, of: part.identities) }
    }
    return uses
  }
}

// MARK: What a feature gives

// A giver is bound at the place that has the value: to each reducer that asks, by its case; to each effect, in its list
// of givers. Lifts then carry both, as they carry all else that a part knows of its state.

extension Gift {
  func lifted<Root, Part>(by optic: Optic<Root, Part>) -> Gift {
    Gift(giver: giver.lifted(by: optic), use: optic.lifted(use), site: site, isUnneeded: isUnneeded)
  }

  var warning: StoreWarning {
    var warning = StoreWarning(.unneededGiven, at: site)
    warning.property = use.name.isEmpty ? "the state" : "\(code: use.name)"
    warning.given = "\(giver.type)"
    return warning
  }
}

extension Giver {
  func lifted<Root, Part>(by path: Optic<Root, Part>) -> Giver {
    var offset: Int?
    if let own = self.offset, case .stored(let distance)? = path.lens?.location {
      offset = distance + own
    }
    let (lend, count) = (lend, path.depth)
    return moved(
      footprint: footprint.parts.isEmpty ? footprint : path.footprint(of: footprint),
      offset: offset, depth: depth + count
    ) { root, ids, body in
      var (isThere, identity): (Bool, ChildIdentity?) = (false, nil)
      _ = path.lend(root, ids, &identity) { part, _ in
        isThere = lend(part, ids.dropFirst(count), body)
      }
      return isThere
    }
  }
}

extension StorePart {
  /// Takes over what a part gives and asks for, for what holds its state.
  mutating func lift<Part>(_ gifts: [Gift], _ needs: [GivenNeed], by optic: Optic<State, Part>) {
    self.gifts = gifts.map { $0.lifted(by: optic) }
    self.needs = needs
  }

  /// All that it is known to ask for, and nothing has given yet.
  var allNeeds: [GivenNeed] {
    needs + (installed?.needs ?? []) + (owner?.cases.compactMap { $0.need } ?? [])
  }

  /// The parts of a feature, with a value that they may ask for.
  static func given(
    _ parts: [StorePart], by giver: Giver, to feature: FeatureUse, at site: CallSite
  ) -> [StorePart] {
    let isNeeded = parts.contains { part in
      part.allNeeds.contains { giver.gives($0.type) }
        || part.installed?.mayAsk(for: giver.type) ?? false
    }
    var parts = parts.map { $0.given(by: giver) }
    // Where a feature has no part, nothing in it can ask.
    if parts.isEmpty { parts.append(StorePart()) }
    parts[0].gifts.append(
      Gift(giver: giver, use: feature, site: site, isUnneeded: !isNeeded))
    return parts
  }

  static func warnings(of parts: [StorePart]) -> [StoreWarning] {
    parts.flatMap { $0.gifts }.filter { $0.isUnneeded }.map { $0.warning }
  }

  func given(by giver: Giver) -> StorePart {
    changed(self) { part in
      part.owner = owner?.given(by: giver)
      part.installed = installed?.given(by: giver)
      part.needs.removeAll { giver.gives($0.type) }
    }
  }
}

extension RegistrationError.Fault {
  init(_ need: GivenNeed) {
    self = .notGiven(type: "\(need.type)", asker: need.askerName, site: "\(need.site)")
  }
}
