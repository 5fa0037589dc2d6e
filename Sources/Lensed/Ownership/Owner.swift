/// One sub-state and the cases of its reducer, as the store keeps them.
struct Owner: Sendable {
  var footprint: Footprint
  private(set) var cases: [ReducerCase]
  /// Whether the sub-state is deliberately constant.
  private(set) var isConstant = false
  /// Where its mutator is written; nil for what is constant, and for children.
  private(set) var site: CallSite?
  /// The children in the sub-state, where it is they that are owned and not the sub-state itself.
  var children: ChildClaim?
  /// The numbers of what was registered, unique even for one sub-state, because its reducers can differ.
  ///
  /// There are several where the parts of a feature became one owner. After its own come those of the features that
  /// it is in, for what belongs to the whole of one.
  var identities = [makeUniqueNumber()]
  /// How often other reducers have taken the place of its own.
  private(set) var replacements = 0
  /// What its reducers are given, the nearest of each type; reducers that take their place may ask for it, too.
  var givers: [Giver] = []
  /// The number of the sub-state in the table of observers; none until it is registered.
  var slot = -1

  /// Takes the reducers of another owner, and stays what it is otherwise: its place, its features, its observers.
  mutating func take(_ other: Owner) {
    (cases, isConstant, site) = (other.cases, other.isConstant, other.site)
    replacements += 1
  }

  /// This owner, with what gives its reducers a value that they ask for.
  func given(by giver: Giver) -> Owner {
    var owner = self
    if !givers.contains(where: { $0.gives(giver.type) }) { owner.givers.append(giver) }
    if cases.contains(where: { $0.need != nil }) {
      owner.cases = cases.map { $0.given(by: giver) }
    }
    return owner
  }

  /// Whether it owns, or has the children of, exactly what a footprint covers.
  func covers(exactly other: Footprint) -> Bool {
    switch footprint.overlap(with: other) {
    case .same: true
    case .none: footprint == other
    case .partial: false
    case .unknown: footprint.isUndecided && footprint == other
    }
  }

  /// The number of the owner among all that there were.
  var identity: UInt64 { identities[0] }

  /// The order in which the owners handle an action: that of registration, but for the owners of children, which go
  /// before the owner of what holds the children.
  ///
  /// The other way round, an owner that dismisses a child would keep the action from it.
  static func childrenFirst(_ owners: [Owner]) -> [Owner] {
    guard owners.contains(where: { $0.children != nil }) else { return owners }
    var (rest, ordered) = (owners, [Owner]())
    while !rest.isEmpty {
      let next = rest.removeFirst()
      if next.children == nil {
        ordered += rest.filter { $0.isOfChildren(in: next) }
        rest.removeAll { $0.isOfChildren(in: next) }
      }
      ordered.append(next)
    }
    return ordered
  }

  /// Whether it owns children of a part that lies in what another owns.
  private func isOfChildren(in holder: Owner) -> Bool {
    guard children != nil else { return false }
    return holder.footprint.covers(footprint) || holder.footprint == footprint
  }

  /// This owner under other numbers.
  func renumbered(_ number: (UInt64) -> UInt64) -> Owner {
    changed(self) { $0.identities = identities.map(number) }
  }
}

/// The ownership of the children in a sub-state: of an optional, of a case of an enum, of the elements.
///
/// It stands beside the owner of the sub-state itself, or of a larger part around it, which decides which children there
/// are. So two owners may have the same footprint, and one may lie in another. The parts of a child have owners of their
/// own, in terms of the child.
struct ChildClaim: Sendable {
  /// Lends each child of a state with the ids that lead to it, until `body` returns false; returns whether it
  /// never did.
  typealias ForEach =
    @Sendable (
      _ state: StateAddress, _ body: (_ ids: [AnyID], _ child: StateAddress) -> Bool
    ) -> Bool

  /// The owners of the parts of a child.
  let owners: [Owner]
  /// The way from the sub-state to a child.
  let way: Way
  let forEach: ForEach
  /// A copy of a child, to be reflected.
  let copy: @Sendable (_ child: StateAddress) -> Any

  /// The identity of the prism, where the children are those that one matches.
  var prism: PrismID? { way.prism }
}

// MARK: Owners by footprint

/// The registered owners by their footprints, so that a new one is compared with few of them.
struct OwnerIndex: Sendable {
  /// By numbers that rise.
  private var owners: [Int: Owner] = [:]
  private var next = 0
  /// The footprints by the same numbers: those of the sub-states, where no owner was removed.
  private(set) var footprints = FootprintIndex()

  mutating func insert(_ owner: Owner) {
    owners[next] = owner
    footprints.insert(owner.footprint, next, ofChildren: owner.children != nil)
    next += 1
  }

  mutating func remove(_ owner: Owner) {
    guard let found = owners.first(where: { $0.value.identity == owner.identity }) else { return }
    owners[found.key] = nil
    footprints.remove(found.value.footprint, found.key)
  }

  /// The registered owners that may share something with a footprint, in the order of their places.
  func near(_ footprint: Footprint) -> [Owner] {
    footprints.numbers(near: footprint).compactMap { owners[$0] }
  }
}

// MARK: Owners by slot

/// Which owner had which sub-state when a commit was made.
final class OwnershipMap: Sendable {
  private let owners: [Owner]
  /// Made when it is first asked for: parts that are registered one by one would each make it anew.
  private let known = Locked<[Int: Owner]?>(nil)

  static let empty = OwnershipMap([])

  init(_ owners: [Owner]) {
    self.owners = owners
  }

  /// The owners, by the numbers of their sub-states.
  var bySlot: [Int: Owner] {
    known.withLock { known in
      if let known { return known }
      let bySlot = Dictionary(owners.map { ($0.slot, $0) }) { first, _ in first }
      known = bySlot
      return bySlot
    }
  }
}

// MARK: What a commit touched

/// The sub-states whose reducers ran in a commit, and the owners at that time.
final class TouchedParts: Sendable {
  let slots: [Int]
  /// The sub-states whose reducers handle the action; those of `slots` ran.
  private let candidates: [Int]
  let ownership: OwnershipMap
  /// Whether an action gave an element another id.
  ///
  /// Another element may have the former id, and is found in its place after the commit.
  let changesID: Bool

  init(
    _ slots: [Int], _ ownership: OwnershipMap, of candidates: [Int]? = nil,
    changesID: Bool = false
  ) {
    self.slots = slots
    self.candidates = candidates ?? slots
    self.ownership = ownership
    self.changesID = changesID
  }

  /// The properties whose reducers handle the type of the action, whether they ran or not.
  var properties: [String] {
    let owners = ownership.bySlot
    return candidates.compactMap { owners[$0]?.footprint.name }
  }

  /// The same, where some of the sub-states were touched, or all of them.
  func filter(changesID: Bool, _ isTouched: (_ slot: Int) -> Bool) -> TouchedParts {
    !changesID && slots.allSatisfy(isTouched)
      ? self
      : TouchedParts(slots.filter(isTouched), ownership, of: candidates, changesID: changesID)
  }

  /// The cases of each reducer that ran and owns a part of the footprint.
  func cases(of footprint: Footprint) -> [[ReducerCase]] {
    let owners = ownership.bySlot
    return slots.compactMap { slot in
      owners[slot].flatMap { $0.footprint.isTouching(footprint) ? $0.cases : nil }
    }
  }

  /// Whether a reducer ran that owns a part of the footprint.
  func touches(_ footprint: Footprint) -> Bool {
    let owners = ownership.bySlot
    return slots.contains { owners[$0]?.footprint.isTouching(footprint) ?? false }
  }
}

// MARK: What no reducer owns

/// A property that no action changes, deliberately.
///
/// A store with complete coverage requires a reducer for every property; this stands for one that has
/// none. `replaceState` still replaces it.
///
/// ```swift
/// let store = try Store(initialState: AppState()) {
///   counterMutator
///   Constant(\.configuration)
/// }
/// ```
public struct Constant<State: Sendable>: Sendable {
  let footprint: Footprint

  /// The property at a key path, a constant one too, stays as it is.
  public init<Value>(_ keyPath: any KeyPath<State, Value> & Sendable) {
    footprint = PartPath(keyPath).footprint
  }

  /// What a lens focuses on stays as it is.
  public init<Value>(_ lens: some LensLike<State, Value>) {
    footprint = lens.asLens.footprint
  }
}

/// The former name of `Constant`.
@available(*, deprecated, renamed: "Constant")
public typealias Unreduced<State: Sendable> = Constant<State>
