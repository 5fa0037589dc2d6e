extension StoreCore {
  /// Adds parts, or none of them: not, if they have faults, or what comes with them has.
  @usableFromInline
  func register(
    _ new: [Owner], besides others: [RegistrationError.Fault] = []
  ) throws(RegistrationError) {
    var aftermath = Aftermath()
    let faults = withGuts("registered a mutator") { guts -> [RegistrationError.Fault] in
      let check = OwnershipCheck(coverage: coverage)
      let faults = check.faults(adding: new, to: guts.owners, besides: others)
      if faults.isEmpty { adopt(new, &guts, into: &aftermath) }
      return faults
    }
    finish(aftermath)
    if !faults.isEmpty { throw RegistrationError(faults: faults) }
  }

  /// Adds parts that were proved to fit elsewhere.
  @usableFromInline
  func adopt(_ new: [Owner], isCovered: Bool) {
    var aftermath = Aftermath()
    withGuts("registered a mutator") { guts in
      adopt(new, &guts, into: &aftermath)
      guts.isCovered = guts.isCovered || isCovered
    }
    finish(aftermath)
  }

  /// Removes the part whose lens covers what `footprint` does.
  ///
  /// - Returns: Whether there was one.
  @usableFromInline
  func unregister(_ footprint: Footprint) -> Bool {
    var aftermath = Aftermath()
    var left: [Attachment] = []
    let found = withGuts("unregistered a mutator") { guts in
      let index = guts.owners.firstIndex { owner in
        switch owner.footprint.overlap(with: footprint) {
        case .same: true
        case .none: owner.footprint == footprint
        case .partial: false
        case .unknown: owner.footprint.isUndecided && owner.footprint == footprint
        }
      }
      guard let index else { return false }
      let owner = guts.owners.remove(at: index)
      aftermath.trash.append(owner)
      left = guts.listeners.remove(slot: owner.slot)
      guts.table.removeSlot(owner.slot)
      names.value[owner.slot] = nil
      rebuild(&guts, into: &aftermath)
      return true
    }
    finish(aftermath)
    dismiss(left)
    return found
  }

  private func adopt(_ new: [Owner], _ guts: inout Guts, into aftermath: inout Aftermath) {
    for var owner in new {
      owner.slot = guts.table.addSlot(owner.footprint)
      names.value[owner.slot] = owner.footprint.name
      guts.owners.append(owner)
    }
    rebuild(&guts, into: &aftermath)
  }

  private func rebuild(_ guts: inout Guts, into aftermath: inout Aftermath) {
    guts.ownership = OwnershipMap(guts.owners)
    guts.table.ownershipChanged(into: &aftermath)
    redraw(&guts, into: &aftermath)
  }
}

extension StoreCore {
  /// Proves, before the first commit, that each property has an owner, where coverage is complete.
  func proveCoverage(before action: any Action, at site: CallSite?) {
    let place = { site.map { " at \($0)" } ?? "" }
    let intrusion = { "dispatched `\(Swift.type(of: action))`\(place())" }
    let pending = withGuts(intrusion()) { guts -> (state: any Sendable, owners: [Owner])? in
      if guts.isCovered || guts.table.isClosed { return nil }
      return (guts.type.copy(self.state), guts.owners)
    }
    guard let pending else { return }
    let missing = Self.missing(in: pending.state, owners: pending.owners)
    if !missing.isEmpty {
      let properties = missing.map { "`\($0)`" }.joined(separator: ", ")
      fatalError(
        """
        Lensed: `\(Swift.type(of: action))` was dispatched\(place()) before every property had a reducer. \
        Missing: \(properties). Register a `Mutator` for each, write `Unreduced` for those that are \
        constant, or make the store with `coverage: .partial`.
        """)
    }
    withGuts(intrusion()) { $0.isCovered = true }
  }

  /// The properties of `state` that none of `owners` answers for.
  static func missing(in state: Any, owners: [Owner]) -> [String] {
    CoverageCheck(footprints: owners.map(\.footprint)).missing(in: state)
  }
}
