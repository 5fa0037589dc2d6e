/// The seats of an effect: one in what is always there, or one for each child in which something is under way.
///
/// The cycle of the seat of a child, which the lock of the store guards:
///
/// 1. In the commit of an action for the child, the child is looked for, and its seat is found or made. So a seat stands
///    for that child, and not for another that takes its place.
/// 2. A job is admitted there. A decision that is left to the thread that delivers holds the seat until it is taken.
/// 3. Each later commit that touches the container of the children asks `stopGone`. Where the child has another identity
///    than before, its seat is closed and its jobs are revoked. They are dropped once the lock is released.
/// 4. Otherwise the seat goes with its last job, in one turn at the lock.
///
/// No clock is asked under the lock. What is removed is released after it: a seat keeps the child as it was, whose objects
/// may be the user's. While no seat exists, a commit asks nothing.
final class EffectSeats<Root: Sendable, State: Sendable>: Sendable {
  /// Makes the runs of a seat; `onEmpty` is to be called without a lock when the last job of the seat has ended.
  typealias MakeRuns =
    @Sendable (_ ids: [AnyID], _ onEmpty: (@Sendable () -> Void)?) -> EffectRuns

  private struct Entry: Sendable {
    let seat: EffectSeat<State>
    /// How many decisions are yet to be taken that the seat was found for.
    var holds = 0
  }

  private struct Table: Sendable {
    var entries: [[AnyID]: Entry] = [:]
    /// The count at which seats are looked for whose silence is over.
    var limit = 16
    var isClosed = false
  }

  /// The seat of what is always there; nil in children.
  let sole: EffectSeat<State>?
  private let path: ChildPath<Root, State>
  private let view: StoreView<Root>
  private let ties: [EffectTie<Root>]
  private let throttle: ThrottleClock?
  /// What the feature is given.
  private let givers: [Giver]
  private let makeRuns: MakeRuns
  private let table = Locked(Table())

  init(
    _ path: ChildPath<Root, State>, in view: StoreView<Root>, tiedTo ties: [EffectTie<Root>] = [],
    throttle: ThrottleClock? = nil, givers: [Giver] = [], _ makeRuns: @escaping MakeRuns
  ) {
    (self.path, self.view, self.ties, self.makeRuns) = (path, view, ties, makeRuns)
    (self.throttle, self.givers) = (throttle, givers)
    sole = path.lens.map { lens in
      EffectSeat(
        home: EffectHome(path, lens, in: view, givenBy: givers), ties: ties.map { $0.makeWatch() },
        runs: makeRuns([], nil))
    }
  }

  // MARK: Under the lock of the store

  /// Finds a child, and its seat; nil if the child is not there, or nothing begins any more.
  func find(
    _ ids: [AnyID], in state: StateAddress
  ) -> EffectSeat<State>? {
    if let sole { return sole }
    guard let (child, identity) = path.find(state, ids) else { return nil }
    let (known, isClosed) = table.withLock { ($0.entries[ids]?.seat, $0.isClosed) }
    if isClosed || known != nil { return isClosed ? nil : known }
    let end = SharedFlag()
    let seat = EffectSeat(
      ids: ids, identity: identity,
      home: EffectHome(path, ids, child, end, in: view, givenBy: givers),
      ties: ties.map { $0.makeWatch() }, end: end,
      runs: makeRuns(ids) { [weak self] in self?.tidy(ids) })
    table.withLock { $0.entries[ids] = Entry(seat: seat) }
    return seat
  }

  /// Keeps a seat for a decision that is yet to be taken.
  func hold(_ seat: EffectSeat<State>) {
    if sole != nil { return }
    table.withLock { table in
      if table.entries[seat.ids]?.seat === seat { table.entries[seat.ids]?.holds += 1 }
    }
  }

  /// Ends a hold.
  ///
  /// - Returns: Whether something may still begin there.
  func endHold(_ seat: EffectSeat<State>) -> Bool {
    if sole != nil { return true }
    table.withLock { table in
      if table.entries[seat.ids]?.seat === seat { table.entries[seat.ids]?.holds -= 1 }
    }
    return !seat.end.isSet && !table.withLock { $0.isClosed }
  }

  /// Removes a seat if nothing is under way there; after each decision, because it may have begun nothing.
  ///
  /// `now` is the time of the throttle, where it is known. Then the seats whose silence is over go too, once there are many.
  func tidy(_ seat: EffectSeat<State>, at now: Duration?, into decisions: inout JobDecisions) {
    if sole != nil { return }
    if let removed = remove(seat.ids, at: now) { decisions.keep(removed) }
    guard let now else { return }
    let silent = table.withLock { table -> [EffectSeat<State>] in
      if table.entries.count < table.limit { return [] }
      let idle = table.entries.values.filter { $0.holds == 0 && $0.seat.runs.isIdle(at: now) }
      for entry in idle { table.entries[entry.seat.ids] = nil }
      table.limit = 2 * table.entries.count + 16
      return idle.map(\.seat)
    }
    if !silent.isEmpty { decisions.keep(silent) }
  }

  private func remove(_ ids: [AnyID], at now: Duration?) -> EffectSeat<State>? {
    table.withLock { table in
      guard let index = table.entries.index(forKey: ids), table.entries.values[index].holds == 0,
        table.entries.values[index].seat.runs.isIdle(at: now)
      else { return nil }
      return table.entries.remove(at: index).value.seat
    }
  }

  /// The works that run, and those that wait.
  var works: [WorkNode] { all.flatMap(\.runs.works) }

  /// The one seat, or those of a child and of the children in it.
  func all(in ids: [AnyID]) -> [EffectSeat<State>] {
    if let sole { return [sole] }
    return all.filter { $0.ids.starts(with: ids) }
  }

  /// Makes no more seats, and begins nothing more in those that there are.
  ///
  /// - Returns: What is to be stopped; if it is retiring, only what is yet to begin: the rest goes on.
  func close(retiring isRetiring: Bool = false) -> [WorkNode] {
    table.withLock { $0.isClosed = true }
    return all.flatMap { seat in
      if !isRetiring { seat.end.set() }
      return seat.runs.close(retiring: isRetiring)
    }
  }

  // MARK: Without it

  /// Lets the triggers that wait for a lull begin.
  func flush() {
    for seat in all { seat.runs.flush() }
  }

  /// Removes the seat of a child if nothing is under way there.
  private func tidy(_ ids: [AnyID]) {
    // The clock of a user is asked without a lock.
    let now = throttle?.now
    let removed = view.core.withLock("ended a run of an effect") { _ in remove(ids, at: now) }
    withExtendedLifetime(removed) {}
  }

  private var all: [EffectSeat<State>] {
    if let sole { return [sole] }
    return table.withLock { $0.entries.values.map(\.seat) }
  }
}

// MARK: Children that go

extension EffectSeats: ChildGuard {
  /// Ends the runs in a child in the commit that dismisses it.
  var listeners: [CommitListener] {
    sole == nil ? [CommitListener(selection: .guarding(path.container, self))] : []
  }

  var isNeeded: Bool { !table.withLock { $0.entries.isEmpty } }

  func stopGone(in state: StateAddress, by names: ElementNames, into gone: inout GoneChildren) {
    for seat in touched(in: state, by: names) where path.identity(state, seat.ids) != seat.identity
    {
      seat.end.set()
      table.withLock { table in
        if table.entries[seat.ids]?.seat === seat { table.entries[seat.ids] = nil }
      }
      let jobs = seat.runs.close()
      for job in jobs { job.note(.gone) }
      if let store = jobs.first?.store {
        gone.trash.append(WorkNode.revokeCommits(of: jobs, in: store))
      }
      gone.jobs += jobs
      gone.trash.append(seat)
    }
  }
  /// The seats of the children that a commit may have touched.
  private func touched(in state: StateAddress, by names: ElementNames) -> [EffectSeat<State>] {
    // An element that is not there after the commit may have another id, and be one that no action names.
    guard let named = path.namedChildren(by: names),
      named.allSatisfy({ path.hasElements(state, $0) })
    else { return all }
    return table.withLock { table in named.compactMap { table.entries[$0]?.seat } }
  }
}

// MARK: One seat

/// The runs of an effect in one feature: in the state itself, or in one child.
///
/// A seat of a child is made in the commit of the action that is for it, and goes when nothing is under way.
final class EffectSeat<State: Sendable>: Sendable {
  let ids: [AnyID]
  /// The identity of the child; nil for what is always there.
  let identity: ChildIdentity?
  let home: EffectHome<State>
  let ties: [EffectTie<State>.Watch]
  /// Set under the lock of the store when the child goes.
  let end: SharedFlag
  let runs: EffectRuns

  init(
    ids: [AnyID] = [], identity: ChildIdentity? = nil, home: EffectHome<State>,
    ties: [EffectTie<State>.Watch], end: SharedFlag = SharedFlag(), runs: EffectRuns
  ) {
    (self.ids, self.identity, self.home) = (ids, identity, home)
    (self.ties, self.end, self.runs) = (ties, end, runs)
  }
}

extension AnyID {
  /// What a trigger without a key counts under: equal to no key of a user, because none has its type.
  fileprivate static let unkeyed = AnyID(NoKey())

  private struct NoKey: Hashable, Sendable {}
}

/// The runs that an effect counts together, or one such group for each key.
///
/// The groups are guarded by the lock of the store: under it they are looked up and made, and an idle one is removed. So
/// keys are hashed and compared under that lock.
final class EffectRuns: Sendable {
  /// Runs that count together.
  final class Group: Sendable {
    let jobs: JobQueue
    /// Triggers wait here for a pause; a newer one replaces the one that waits.
    let waits: JobQueue?
    let throttle: ThrottleClock?
    /// The wait for a lull that is under way; guarded by the lock of the store.
    private let lull = Locked(Lull())

    /// The lull that a new trigger waits for: that of the one it replaces, or a new one.
    func nextLull() -> Lull {
      let isUnderWay = waits?.allJobs.contains { !$0.isStopped } ?? false
      return lull.withLock { lull in
        if !isUnderWay { lull = Lull() }
        return lull
      }
    }

    fileprivate init(
      _ policy: EffectPolicy, _ options: EffectOptions, _ label: WorkLabel,
      onEmpty: (@Sendable () -> Void)?
    ) {
      throttle = options.throttle
      jobs = JobQueue(
        policy, of: label, at: options.site, silence: throttle?.silence, onEmpty: onEmpty)
      waits =
        options.pause == nil && throttle?.keepsLatest != true
        ? nil : JobQueue(.latest, at: options.site, holdsLulls: true, onEmpty: onEmpty)
    }

    /// Whether nothing is under way, and no silence lasts; `now` is the time of the throttle.
    fileprivate func isIdle(at now: Duration?) -> Bool {
      guard jobs.isEmpty && waits?.isEmpty != false else { return false }
      guard throttle != nil else { return true }
      return now.map { !jobs.isSilent(at: $0) } ?? false
    }

    /// The works that wait for a lull, and then those that run or wait for their turn.
    fileprivate var works: [WorkNode] { (waits?.allJobs ?? []) + jobs.allJobs }
  }

  private struct Groups: Sendable {
    var groups: [AnyID: Group] = [:]
    /// The count at which groups are looked for whose silence is over.
    var limit = 16
  }

  let label: WorkLabel
  /// The one group, where there is no key.
  let only: Group?
  private let policy: EffectPolicy
  private let options: EffectOptions
  private let core: StoreCore
  private let groups = Locked(Groups())
  private let closed = SharedFlag()
  private let onEmpty: (@Sendable () -> Void)?

  /// Runs, or groups of them; `onEmpty` is called without a lock when the last job of a group has ended.
  init(
    _ policy: EffectPolicy, _ options: EffectOptions = EffectOptions(),
    _ label: WorkLabel = .effect(""), isKeyed: Bool = false, in core: StoreCore,
    onEmpty: (@Sendable () -> Void)?
  ) {
    (self.policy, self.options, self.label, self.core) = (policy, options, label, core)
    self.onEmpty = onEmpty
    only = isKeyed ? nil : Group(policy, options, label, onEmpty: onEmpty)
  }

  /// Whether nothing is under way, and no silence lasts.
  func isIdle(at now: Duration?) -> Bool {
    if let only { return only.isIdle(at: now) }
    return groups.withLock { $0.groups.values.allSatisfy { $0.isIdle(at: now) } }
  }

  /// The group of a key, or of the triggers without one; nil once all is closed.
  ///
  /// Called under the lock of the store.
  func group(of key: AnyID?, at now: Duration?, into decisions: inout JobDecisions) -> Group? {
    if let only { return only }
    if closed.isSet { return nil }
    let key = key ?? .unkeyed
    return groups.withLock { groups in
      if let group = groups.groups[key] { return group }
      if let now, groups.groups.count >= groups.limit {
        let idle = groups.groups.filter { $0.value.isIdle(at: now) }
        for key in idle.keys { groups.groups[key] = nil }
        groups.limit = 2 * groups.groups.count + 16
        decisions.keep(idle)
      }
      let group = Group(policy, options, label) { [weak self] in self?.tidy(key) }
      groups.groups[key] = group
      return group
    }
  }

  /// Removes the group of a key if it is idle.
  private func tidy(_ key: AnyID) {
    // The clock of a user is asked without a lock.
    let now = options.throttle?.now
    let removed = core.withLock("ended a run of an effect") { _ in
      groups.withLock { groups -> (AnyID, Group)? in
        guard let index = groups.groups.index(forKey: key),
          groups.groups.values[index].isIdle(at: now)
        else { return nil }
        return groups.groups.remove(at: index)
      }
    }
    withExtendedLifetime(removed) {}
    onEmpty?()
  }

  private var all: [Group] {
    only.map { [$0] } ?? groups.withLock { Array($0.groups.values) }
  }

  /// The works that run, and those that wait; an order to end them in.
  var works: [WorkNode] { all.flatMap(\.works) }

  /// Lets the triggers that wait for a lull begin.
  func flush() {
    for group in all { group.waits?.endPauses() }
  }

  /// Refuses every job from now on; returns those to be stopped, or only those that are yet to begin.
  func close(retiring isRetiring: Bool = false) -> [WorkNode] {
    closed.set()
    return all.flatMap { group in
      (group.waits?.close() ?? []) + group.jobs.close(retiring: isRetiring)
    }
  }
}
