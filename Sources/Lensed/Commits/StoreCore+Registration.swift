// What comes and goes while a store is open, each in one turn at the lock:
//
// 1. *Parts* are registered once no fault is found: overlaps and gaps (`OwnershipCheck`). Names are compared
//    without the lock, by a copy of the state, and again if the owners have changed meanwhile. What comes with them,
//    such as effects, is attached in the turn that adds them.
// 2. *Routes* follow from the owners and the listeners. Whatever comes or goes invalidates all of them, and each is made anew
//    by the next action of its type.
// 3. *Listeners* are attached, retired and detached. Detaching revokes the jobs in that turn: no commit of theirs begins
//    once the lock is released. They are dropped after it, and then `onRemove` is called.
// 4. *Coverage* that could not be proved before is proved before the first commit (`proveCoverage`).

extension StoreCore {
  /// Adds all parts and what comes with them, in one turn at the lock, or throws and adds none: where one of them has
  /// faults.
  ///
  /// `others` is given the features of effects alone that are known, and returns the faults of what comes with the
  /// parts; `make` makes what comes with them. Both are called under the lock.
  func register(
    _ new: [Owner], _ uses: FeatureUses,
    besides others: (_ known: FeatureUses) -> [FoundFault],
    attaching make: (_ protected: borrowing Protected) -> [Attachment]
  ) throws(RegistrationError) -> Attached {
    let check = OwnershipCheck(coverage: coverage)
    var work = AfterCommit()
    var attached = Attached()
    var faults: [FoundFault] = []
    var shared: [(FeatureUse, FeatureUse)] = []
    /// The owners with which the new ones were compared by name.
    var compared: [UInt64]?
    while true {
      let pending = withLock("registered a mutator") {
        protected -> (state: any Sendable, owners: [Owner])? in
        faults = check.faults(
          adding: new, to: protected.footprints, besides: others(protected.uses))
        if !faults.isEmpty { return nil }
        if coverage == .complete && isByName(new, protected)
          && compared != protected.owners.map(\.identity)
        {
          return (protected.witness.copy(state), protected.owners)
        }
        addOwners(new, &protected, into: &work)
        shared = add(uses, to: &protected)
        attached = attach(make(protected), &protected)
        return nil
      }
      // Without the lock, because it reflects the state. Others may register meanwhile: then it is done again.
      guard let pending else { break }
      faults = check.conflicts(of: new, with: pending.owners, in: pending.state)
      if !faults.isEmpty { break }
      compared = pending.owners.map(\.identity)
    }
    perform(work)
    if !faults.isEmpty { throw RegistrationError(faults, .registering) }
    finishAttaching(attached)
    warn(ofShared: shared)
    return attached
  }

  /// Whether new owners have to be compared with others by name: where both have bytes, these decide.
  private func isByName(_ new: [Owner], _ protected: borrowing Protected) -> Bool {
    func isUnplaced(_ owner: Owner) -> Bool { owner.footprint.bytes == nil }
    return !new.isEmpty
      && (new.contains(where: isUnplaced) || protected.owners.contains(where: isUnplaced))
  }

  /// Adds the first parts, which were proved to fit elsewhere.
  func addProven(_ parts: ProvenParts, isCovered: Bool) {
    withLock("registered a mutator") { protected in
      protected.table.reserveSlots(parts.owners.count)
      protected.table.addSlots(
        parts.owners.lazy.map(\.footprint), parts.footprints.footprints)
      (protected.owners, protected.ownership) = (parts.owners, parts.ownership)
      protected.footprints = parts.footprints
      protected.isCovered = protected.isCovered || isCovered
      if coverage == .complete {
        protected.unproved = parts.proofs
      }
    }
  }

  func addUses(_ uses: FeatureUses) {
    warn(ofShared: withLock("registered a feature") { add(uses, to: &$0) })
  }

  /// Notes features; returns the places whose actions are handled at another place, too.
  private func add(
    _ uses: FeatureUses, to protected: inout Protected
  ) -> [(FeatureUse, FeatureUse)] {
    let shared = warnings == nil ? [] : protected.uses.shared(with: uses)
    protected.uses.formUnion(uses)
    return shared
  }

  private func warn(ofShared places: [(FeatureUse, FeatureUse)]) {
    for (first, second) in places {
      var warning = StoreWarning(.sharedFeature)
      warning.property = [first, second].map { $0.name.isEmpty ? "the state" : "\(code: $0.name)" }
        .joined(separator: ", ")
      warnings?.report(warning)
    }
  }

  /// Removes the part whose lens covers what `footprint` does; returns whether there was one.
  func unregister(_ footprint: Footprint) -> Bool {
    detaching("unregistered a mutator") { protected, work in
      guard let index = protected.owners.firstIndex(where: { $0.covers(exactly: footprint) }) else {
        return nil
      }
      var left: [Attachment] = []
      // With the sub-state itself leave the features of its children.
      let leaving = protected.owners[index].footprint
      func isLeaving(_ owner: Owner) -> Bool {
        owner.covers(exactly: leaving) || (owner.children != nil && leaving.covers(owner.footprint))
      }
      for index in protected.owners.indices.reversed() where isLeaving(protected.owners[index]) {
        let owner = protected.owners.remove(at: index)
        protected.footprints.remove(owner)
        work.trash.append(owner)
        left += protected.listeners.remove(slot: owner.slot, from: protected.table.rows)
        protected.table.removeSlot(owner.slot)
        protected.endPlaceholders { $0.epoch.slot == owner.slot }
      }
      protected.uses.removeAll(without: protected.owners)
      protected.unproved.removeAll { isLeaving($0.owner) }
      rebuild(&protected, into: &work)
      return left
    }
  }

  /// Puts reducers in the place of those that own the part of a footprint, or throws and changes nothing.
  ///
  /// `make` is called under the lock. It makes the owner, with what that place is given; what keeps it out of the store,
  /// beside its faults; and, for asynchronous reducers, what acts in its place.
  func replaceReducers(
    of footprint: Footprint,
    by make: (_ givers: [Giver]) -> (
      owner: Owner, faults: [FoundFault], attachment: (OwnershipEpoch) -> Attachment?
    )
  ) throws(RegistrationError) {
    var faults: [FoundFault] = []
    detaching("replaced a mutator") { protected, work in
      let index = protected.owners.firstIndex {
        $0.children == nil && $0.covers(exactly: footprint)
      }
      let (new, others, makeAttachment) = make(index.map { protected.owners[$0].givers } ?? [])
      faults = OwnershipCheck(coverage: coverage).faults(adding: [new], besides: others)
      if let fault = faultOfReplacing(index, by: new, protected) { faults.append(fault) }
      guard faults.isEmpty, let index else { return nil }
      // Released first: otherwise the list that it shares would be copied.
      protected.ownership = .empty
      let former = protected.owners[index]
      protected.footprints.remove(former)
      protected.owners[index].take(new)
      protected.footprints.insert(protected.owners[index])
      protected.ownership = OwnershipMap(protected.owners)
      work.trash.append(former)
      let left = protected.listeners.removeReducer(
        slot: former.slot, from: protected.table.rows)
      protected.table.rows.releaseDiscarded(into: &work)
      protected.endPlaceholders { $0.epoch.slot == former.slot }
      if let attachment = makeAttachment(protected.table.epoch(of: former.slot)) {
        _ = add(attachment, &protected)
      }
      invalidateRoutes(&protected, into: &work)
      return left
    }
    if !faults.isEmpty { throw RegistrationError(faults, .replacing) }
  }

  private func faultOfReplacing(
    _ index: Int?, by new: Owner, _ protected: borrowing Protected
  ) -> FoundFault? {
    let (owners, footprint) = (protected.owners, new.footprint)
    if let index {
      let (owned, given) = (owners[index].footprint.typeName, footprint.typeName)
      if owned == given { return nil }
      return FoundFault(
        .otherType(property: footprint.name, owned: owned, given: given),
        at: [owners[index].site, new.site])
    }
    let isInChildren = owners.contains { $0.children != nil && $0.footprint.covers(footprint) }
    return FoundFault(
      isInChildren
        ? .childrenPart(property: footprint.name) : .noOwner(property: footprint.name),
      at: [new.site])
  }

  private func addOwners(
    _ new: [Owner], _ protected: inout Protected, into work: inout AfterCommit
  ) {
    // Released first: otherwise the list that it shares would be copied.
    protected.ownership = .empty
    for var owner in new {
      owner.footprint = owner.footprint.resolved
      owner.slot = protected.table.addSlot(
        owner.footprint, ofChildren: owner.children != nil)
      protected.footprints.insert(owner)
      protected.owners.append(owner)
      if coverage == .complete, let proof = ChildProof(owner) { protected.unproved.append(proof) }
    }
    rebuild(&protected, into: &work)
  }

  private func rebuild(_ protected: inout Protected, into work: inout AfterCommit) {
    protected.ownership = OwnershipMap(protected.owners)
    let changed = protected.table.ownershipChanged(into: &work)
    protected.listeners.ownershipChanged(changed, in: protected.table)
    protected.table.rows.releaseDiscarded(into: &work)
    invalidateRoutes(&protected, into: &work)
  }

  /// Proves, before the first commit, that each property has one owner, where coverage is complete.
  func proveCoverage(before action: any Action, at site: CallSite?) {
    let place = { site.map { " at \($0)" } ?? "" }
    let intrusion = { "dispatched \(code: Swift.type(of: action))\(place())" }
    let pending = withLock(intrusion()) { protected -> (state: any Sendable, owners: [Owner])? in
      if protected.isCovered || protected.table.isClosed { return nil }
      return (protected.witness.copy(self.state), protected.owners)
    }
    guard let pending else { return }
    let faults = OwnershipCheck(coverage: coverage).faults(of: pending.owners, in: pending.state)
    if !faults.isEmpty {
      RegistrationError(faults).trap(
        """
        \(code: Swift.type(of: action)) was dispatched\(place()) to a store whose parts do not fit its state
        """)
    }
    withLock(intrusion()) { $0.isCovered = true }
  }
}

// MARK: Children that appear

extension StoreCore.Protected {
  /// Whether no action of a route can reach a child that is yet to be proved; under the lock.
  func areProved(on route: Unretained<Route>) -> Bool {
    if unproved.isEmpty { return true }
    let (slots, type) = (route.lend(\.slots), ObjectIdentifier(route.lend(\.type)))
    return !unproved.contains { slots.contains($0.owner.slot) && $0.mayFind(after: type) }
  }

  /// Finds the owners of which a commit reduced the first child; under the lock.
  ///
  /// A child that was there when the store was made was proved then.
  ///
  /// - Returns: What traps if such a child has properties without an owner, or with two; nil where there is none. It is
  ///   called without the lock, because it reflects a copy of the state.
  mutating func takeUnproved(
    touchedBy revision: UInt64, on routes: InlineList<Int>, in state: StateAddress
  ) -> (@Sendable () -> Void)? {
    var found: [Owner] = []
    for index in unproved.indices.reversed()
    where table.slotRecord(unproved[index].owner.slot).value.revision == revision {
      // The result of an asynchronous reducer has no route.
      let isFound = unproved[index].look(in: state, isAnyReached: routes.isEmpty) { type in
        var isReduced = false
        routes.forEach {
          if ObjectIdentifier(router.route($0).lend(\.type)) == type { isReduced = true }
        }
        return isReduced
      }
      if !isFound { continue }
      found.insert(unproved[index].owner, at: 0)
      if unproved[index].isComplete { unproved.remove(at: index) }
    }
    if found.isEmpty { return nil }
    return { [found, witness, state = witness.box(state)] in
      var faults: [FoundFault] = []
      witness.settle(state, []) { state in
        faults = found.compactMap(ChildProof.init).flatMap { $0.faults(in: state) }
      }
      if !faults.isEmpty {
        RegistrationError(faults).trap("a child appeared that its feature does not fit")
      }
    }
  }
}

// MARK: Routes

extension StoreCore {
  func isRouted(_ type: any Action.Type, _ protected: inout Protected) -> Bool {
    let key = ObjectIdentifier(type)
    return cache.entry(of: key) != nil || protected.router.index(of: key) != nil
  }

  func areRouted(_ actions: [any Action], _ protected: inout Protected) -> Bool {
    var areRouted = true
    actions.lendRuns { areRouted = areRouted && isRouted($0.type, &protected) }
    return areRouted
  }

  /// The number of the route of a type; the route is made if there is none yet.
  func routeIndex(of type: any Action.Type, _ protected: inout Protected) -> Int {
    let key = ObjectIdentifier(type)
    if let cached = cache.entry(of: key) {
      return cached.lend(RouteCacheEntry.self) { $0.index }
    }
    let index = protected.router.index(of: key) ?? addRoute(of: type, &protected)
    if let place = cache.place(for: key) { protected.router.copyEntry(index, into: place) }
    return index
  }

  private func addRoute(of type: any Action.Type, _ protected: inout Protected) -> Int {
    assertLocked()
    let noting = running.place.advanced(
      by: ReducerCase.requiredOffset(of: \RunningReducer.running))
    let route = Route(
      type, protected.owners, protected.ownership, in: state, noting: noting,
      rows: protected.table.rows.sink
    ) { protected.table.slotRecord($0).place }
    let fastPath = protected.listeners.addRoute(of: type, through: route.slots)
    return protected.router.add(route, fastPath, cache)
  }
}

// MARK: Listeners

extension StoreCore {
  func attach(_ attachment: Attachment) -> UInt64? {
    attach(attachment.purpose) { _ in [attachment] }.ids[0]
  }

  /// Attaches what `make` makes under the lock, in one step; `call` is made before anything of it is called.
  func attach(
    _ purpose: String, _ make: (_ protected: borrowing Protected) -> [Attachment],
    before call: () -> Void = {}
  ) -> Attached {
    let attached = withLock(purpose) { protected in attach(make(protected), &protected) }
    call()
    finishAttaching(attached)
    return attached
  }

  /// What was attached in one step, and what that leaves to do without the lock.
  struct Attached: Sendable {
    fileprivate(set) var attachments: [Attachment] = []
    /// For each a number, or nil when the store has gone, or all owners that it belongs to.
    fileprivate(set) var ids: [UInt64?] = []
    fileprivate var work = AfterCommit()
    fileprivate var installations: [Unretained<AfterCommitCell>] = []

    /// Calls those that are told of it once all of them are attached.
    func didInstall() {
      for (attachment, id) in zip(attachments, ids) where id != nil { attachment.didInstall?() }
    }
  }

  private func attach(_ attachments: [Attachment], _ protected: inout Protected) -> Attached {
    var attached = Attached(attachments: attachments)
    attached.ids = attachments.map { addPresent($0, &protected, into: &attached.work) }
    guard attached.ids.contains(where: { $0 != nil }) else { return attached }
    invalidateRoutes(&protected, into: &attached.work)
    for (attachment, id) in zip(attachments, attached.ids) where id != nil {
      for listener in attachment.listeners where listener.startsAtOnce {
        if let installation = announceInstallation(of: listener, &protected) {
          attached.installations.append(installation)
        }
      }
    }
    return attached
  }

  private func finishAttaching(_ attached: Attached) {
    perform(attached.work)
    for installation in attached.installations { perform(installation) }
    for (attachment, id) in zip(attached.attachments, attached.ids) where id != nil {
      for listener in attachment.listeners { listener.didAttach?() }
    }
  }

  private func addPresent(
    _ attachment: Attachment, _ protected: inout Protected, into work: inout AfterCommit
  ) -> UInt64? {
    if protected.table.isClosed { return nil }
    var attachment = attachment
    if !attachment.epochs.isEmpty {
      attachment.epochs.removeAll { protected.table.epoch(of: $0.slot) != $0 }
      if attachment.epochs.isEmpty { return nil }
    }
    let id = add(attachment, &protected)
    let revision = protected.table.revision
    for listener in attachment.listeners {
      if listener.needsHome && protected.home == nil { protected.home = StoreHome(self) }
      listener.onAttach?(revision, state)
      if case .recording(let recorder) = listener.selection {
        work.trash += recorder.begin(presentRecord(protected))
      }
    }
    return id
  }

  /// Adds listeners under the lock; the caller invalidates the routes.
  func add(_ attachment: Attachment, _ protected: inout Protected) -> UInt64 {
    assertLocked()
    let id = protected.table.makeID()
    protected.listeners.add(attachment, id: id, to: protected.table)
    if attachment.recordsRuns { _ = runs.set(protected.listeners.runRecorders) }
    return id
  }

  /// Notifies a listener of the state in which it was attached, before any commit.
  private func announceInstallation(
    of listener: CommitListener, _ protected: inout Protected
  ) -> Unretained<AfterCommitCell>? {
    let record = presentRecord(protected, isInstallation: true)
    let work = makeWork(.effect("that was installed"), under: .root, &protected)
    let report = protected.witness.makeReport(state, of: record, previous: nil)
    var decisions = CommitDecisions(
      state, at: CommitPlace(revision: record.revision, member: -1), record.cause, of: report,
      under: work)
    let alone = ActionListeners([listener])
    // An installation ends nothing, and its deliverer decides what it begins.
    alone.decide(&decisions, of: nil)
    protected.log.add(decisions.backlogs)
    updateRecording(&protected)
    var listeners = NotifiedListeners()
    listeners.add(ofParts: alone)
    report.setListeners(
      .all(
        early: ListenerTable.noListeners, decisions: decisions.later, late: listeners, work: work))
    return protected.table.announce(slots: [], flags: [], notification: report)
  }

  /// Attaches a recorder; nil when the store has gone.
  func attach(
    _ recorder: CommitRecorder, purpose: String = "attached middleware",
    onRemove: @escaping @Sendable () -> Void = {}
  ) -> UInt64? {
    attach(
      Attachment(
        listeners: [CommitListener(selection: .recording(recorder))], purpose: purpose,
        onRemove: onRemove))
  }

  /// The present state, as if it came from a commit; under the lock.
  private func presentRecord(
    _ protected: borrowing Protected, isInstallation: Bool = false
  ) -> CommitRecord {
    CommitRecord(
      state: state, actions: .none, site: nil, cause: .replacement,
      revision: protected.table.revision, isHandled: false,
      touched: TouchedParts([], protected.ownership), isInstallation: isInstallation,
      placeholders: protected.placeholders, time: isInstallation ? nil : clock.elapsed)
  }

  func detach(_ id: UInt64) { detach([id]) }

  /// Detaches listeners in one step, and stops what they started.
  func detach(_ ids: [UInt64]) {
    detaching("detached a listener of commits") { protected, work in
      let rows = protected.table.rows
      let removed = ids.compactMap { protected.listeners.remove($0, from: rows) }
      if removed.isEmpty { return nil }
      rows.releaseDiscarded(into: &work)
      // The attachments hold what they recorded with.
      if removed.contains(where: \.recordsRuns) {
        _ = runs.set(protected.listeners.runRecorders)
      }
      invalidateRoutes(&protected, into: &work)
      return removed
    }
  }

  /// Closes the attachments that `body` removes, in one turn at the lock, and stops what they started.
  ///
  /// No commit of that begins once the lock is released, whichever of several calls that end it returns first. Without
  /// the lock, the work is dropped, and then `onRemove` is called.
  ///
  /// - Returns: Whether `body` returned attachments, be it none.
  @discardableResult
  private func detaching(
    _ intrusion: String,
    _ body: (_ protected: inout Protected, _ work: inout AfterCommit) -> [Attachment]?
  ) -> Bool {
    var work = AfterCommit()
    let removed = withLock(intrusion) { protected in
      body(&protected, &work).map { removed in
        let jobs = removed.flatMap { $0.close() }
        return (attachments: removed, jobs, revoked: WorkNode.revokeCommits(of: jobs, in: self))
      }
    }
    perform(work)
    guard let (attachments, jobs, revoked) = removed else { return false }
    // No queue knows them any more.
    for job in jobs { keepAlive(job) }
    WorkNode.drop(jobs)
    for attachment in attachments { attachment.onRemove() }
    // What was revoked may run a user's `deinit`.
    withExtendedLifetime(revoked) {}
    return true
  }

  /// Lets listeners begin nothing more; what they started goes on.
  func retire(_ ids: [UInt64]) {
    var work = AfterCommit()
    let (retired, jobs, revoked) = withLock("retired an effect") { protected in
      let rows = protected.table.rows
      let retired = ids.compactMap { protected.listeners.retire($0, from: rows) }
      rows.releaseDiscarded(into: &work)
      if !retired.isEmpty { invalidateRoutes(&protected, into: &work) }
      let jobs = retired.flatMap { $0.retire() }
      return (retired, jobs, WorkNode.revokeCommits(of: jobs, in: self))
    }
    perform(work)
    WorkNode.drop(jobs)
    withExtendedLifetime((retired, revoked)) {}
  }

  /// The present ownership of the sub-states, by the identities of their owners; a look at all of them, for all that is
  /// attached in one step.
  static func epochs(in protected: borrowing Protected) -> [UInt64: [OwnershipEpoch]] {
    var epochs: [UInt64: [OwnershipEpoch]] = [:]
    for owner in protected.owners {
      let epoch = protected.table.epoch(of: owner.slot)
      for identity in owner.identities { epochs[identity, default: []].append(epoch) }
    }
    return epochs
  }

  /// Invalidates the routes, which are made anew when they are needed.
  func invalidateRoutes(_ protected: inout Protected, into work: inout AfterCommit) {
    assertLocked()
    if protected.router.isEmpty { return }
    protected.table.queue.deferRelease(protected.router.clear(), into: &work)
    protected.table.invalidateRoutes(into: &work)
    protected.listeners.invalidateRoutes()
  }
}
