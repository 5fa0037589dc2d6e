/// One use of a feature: which feature it is, and where it is given.
///
/// A feature of effects alone owns nothing, so that ownership does not prove that it is given once. Equal uses in one
/// store have each effect run twice. Uses of one feature under different tags, or in different parts of the state,
/// differ; so do features that were made apart. Uses in different parts and under no tags handle each action twice.
struct FeatureUse: Sendable, Hashable {
  /// What the feature has given to a store, told apart from its other parts.
  struct Part: Sendable, Hashable {
    let use: FeatureUse
    let index: Int
  }

  fileprivate let feature = makeUniqueNumber()
  /// The steps to the state of the feature, to be compared.
  private var place: [Way.Step] = []
  /// The steps to its actions.
  private var actions: [AnyID] = []

  init() {}

  /// The place, as messages call it: `rows[…].sheet`; empty for the state of the store.
  var name: String { Way(InlineList(place)).text() }

  /// Whether both are uses of one feature that handle the same actions, in parts that can be there together.
  func sharesActions(with other: FeatureUse) -> Bool {
    if feature != other.feature || actions != other.actions || place == other.place { return false }
    let first = zip(place, other.place).first { $0 != $1 }
    // Of the cases of one enum, only one is there.
    if case (.matching, .matching)? = first { return false }
    return true
  }

  /// Whether it is in the part of another use, or at the same place.
  func isInside(of other: FeatureUse) -> Bool { place.starts(with: other.place) }

  /// Whether another use comes first in a message.
  static func areInOrder(_ first: FeatureUse, _ second: FeatureUse) -> Bool {
    (first.place.count, first.name) < (second.place.count, second.name)
  }

  /// The same use of the feature in what holds its state; `actions` are the steps of its actions.
  func lifted(along way: Way, _ actions: [AnyID]) -> FeatureUse {
    changed(self) { use in
      use.place = way.distinctProperties + place
      use.actions = actions + use.actions
    }
  }
}

/// One use of a giver: the feature to which it gives, and where that is written.
struct Gift: Sendable {
  /// What gives, in terms of the state of the store.
  var giver: Giver
  /// The feature to which it gives.
  var use: FeatureUse
  let site: CallSite
  /// Whether nothing in the feature can ask for it.
  let isUnneeded: Bool
  /// A number that it has alone, at each place that it is lifted to.
  var number = makeUniqueNumber()
}

extension FeatureUse {
  /// How many steps of a scope lead to the place of the feature, if its state is, or has, what these lead to.
  ///
  /// A scope of an optional has no step of its own.
  func depth(on steps: [Way.Step]) -> Int? {
    let own = place.filter { $0 != .optional }
    guard own.count <= steps.count else { return nil }
    let isOnWay = zip(own, steps).allSatisfy { own, step in
      if case (.element, .element) = (own, step) { return true }
      return own == step
    }
    return isOnWay ? own.count : nil
  }

  /// The steps to the part of a scope, as far as they can be seen.
  static func steps(toScope way: Way) -> [Way.Step] {
    var steps: [Way.Step] = []
    for step in way.steps.all {
      switch step {
      case .keyPath, .property, .function:
        guard let names = step.names else { return steps }
        steps += Way.properties(names)
      case .row: steps.append(.element(byOffset: false))
      case .matching(let prisms): steps += Way.prisms(prisms)
      case .unnamed, .optional, .element, .elements: return steps
      }
    }
    return steps
  }
}

/// The features that a store was given, each with the owners that it belongs to.
struct FeatureUses: Sendable {
  /// The numbers of the owners of features of effects alone, or of the feature that these are in; none for a use that
  /// stays as long as the store.
  private var owners: [FeatureUse.Part: [UInt64]] = [:]
  /// The places of the features that handle actions, and the numbers of their owners.
  private var places: [FeatureUse: [UInt64]] = [:]
  /// What features are given, and the numbers of their owners.
  private var gifts: [(gift: Gift, owners: [UInt64])] = []

  var isEmpty: Bool { owners.isEmpty && places.isEmpty && gifts.isEmpty }

  /// Adds what a feature is given.
  mutating func insert(_ gift: Gift, of identities: [UInt64]) {
    gifts.append((gift, identities))
  }

  /// The gifts of a type to the innermost feature on the way to a part: none, one, or several, of which none is nearer
  /// than the others.
  func gifts(of type: any Any.Type, on way: Way) -> [Gift] {
    let steps = FeatureUse.steps(toScope: way)
    var (nearest, found) = (-1, [Gift]())
    for (gift, _) in gifts where gift.giver.gives(type) {
      guard let depth = gift.use.depth(on: steps), depth >= nearest else { continue }
      found = depth > nearest ? [gift] : found + [gift]
      nearest = depth
    }
    return found
  }

  /// Adds a use that belongs to owners; false if it is there already.
  mutating func insert(_ use: FeatureUse.Part, of identities: [UInt64]) -> Bool {
    if owners[use] != nil { return false }
    owners[use] = identities
    return true
  }

  /// Adds the place of a feature that handles actions.
  mutating func insert(_ place: FeatureUse, of identities: [UInt64]) {
    places[place] = identities
  }

  /// The places of `others`, each with one here or among `others` at which its actions are handled, too.
  ///
  /// What is inside of two such places is not named for itself.
  ///
  /// - Complexity: O(*n*) in the number of places, if few are of one feature.
  func shared(with others: FeatureUses) -> [(FeatureUse, FeatureUse)] {
    var known = Dictionary(grouping: places.keys, by: \.feature)
    var found: [(FeatureUse, FeatureUse)] = []
    for place in others.places.keys.sorted(by: FeatureUse.areInOrder) {
      let other = known[place.feature, default: []].first {
        place.sharesActions(with: $0) && !isInside(found, $0, place)
      }
      if let other { found.append((other, place)) }
      known[place.feature, default: []].append(place)
    }
    return found
  }

  private func isInside(
    _ pairs: [(FeatureUse, FeatureUse)], _ first: FeatureUse, _ second: FeatureUse
  ) -> Bool {
    pairs.contains { first.isInside(of: $0) && second.isInside(of: $1) }
  }

  mutating func formUnion(_ others: FeatureUses) {
    owners.merge(others.owners) { known, _ in known }
    places.merge(others.places) { known, _ in known }
    gifts += others.gifts
  }

  /// Removes the uses that belonged to owners and belong to none of these.
  mutating func removeAll(without present: [Owner]) {
    if isEmpty { return }
    let known = Set(present.flatMap(\.identities))
    owners = owners.filter { $1.isEmpty || !known.isDisjoint(with: $1) }
    places = places.filter { $1.isEmpty || !known.isDisjoint(with: $1) }
    gifts.removeAll { !$0.owners.isEmpty && known.isDisjoint(with: $0.owners) }
  }
}
