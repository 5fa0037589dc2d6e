// What a feature gives to what is in it, and what that asks for. A giver is bound at the place that has the value: to
// each reducer that asks, by its case; to each effect, in its list of givers. Lifts then carry both, as they carry all
// else that a part knows of its state.

extension Gift {
  /// The gift in what holds the state.
  func lifted<Root, Part>(by lift: Lift<Root, Part>) -> Gift {
    var gift = self
    gift.giver = giver.lifted(by: lift.path)
    gift.use = lift.lifted(use)
    gift.number = makeUniqueNumber()
    return gift
  }

  /// The warning that nothing asks for it.
  var warning: StoreWarning {
    var warning = StoreWarning(.unneededGiven, at: site)
    warning.property = use.name.isEmpty ? "the state" : "`\(use.name)`"
    warning.given = "\(giver.type)"
    return warning
  }
}

extension Giver {
  /// The same in what holds the state.
  func lifted<Root, Part>(by path: ChildPath<Root, Part>) -> Giver {
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
  mutating func lift<Part>(_ gifts: [Gift], _ needs: [GivenNeed], by lift: Lift<State, Part>) {
    self.gifts = gifts.map { $0.lifted(by: lift) }
    self.needs = needs
  }

  /// All that it is known to ask for, and nothing has given yet.
  var allNeeds: [GivenNeed] {
    needs + (installed?.needs ?? []) + (owner?.cases.compactMap(\.need) ?? [])
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

  /// The warnings of what some parts give, and nothing asks for.
  static func warnings(of parts: [StorePart]) -> [StoreWarning] {
    parts.flatMap(\.gifts).filter(\.isUnneeded).map(\.warning)
  }

  /// This part, with a value that it may ask for.
  func given(by giver: Giver) -> StorePart {
    var part = self
    part.take(owner?.given(by: giver), installed?.given(by: giver))
    part.needs.removeAll { giver.gives($0.type) }
    return part
  }
}

extension RegistrationError.Fault {
  /// The fault of who asks for a value that nothing gives.
  init(_ need: GivenNeed) {
    self = .notGiven(type: "\(need.type)", asker: need.askerName, site: "\(need.site)")
  }
}
