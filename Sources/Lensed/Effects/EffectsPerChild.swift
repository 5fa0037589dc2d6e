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
final class EffectsPerChild<Root: Sendable, State: Sendable>: Sendable {
  /// Makes the runs of a seat; `onEmpty` is to be called without a lock when the last job of the seat has ended.
  typealias MakeRuns =
    @Sendable (_ ids: [AnyID], _ onEmpty: (@Sendable () -> Void)?) -> EffectRuns

  private struct Entry: Sendable {
    let seat: EffectSeat<State>
    /// How many decisions are yet to be taken that the seat was found for.
    var holds = 0

    func isIdle(at now: Duration?) -> Bool { holds == 0 && seat.runs.isIdle(at: now) }
  }

  private struct Table: Sendable {
    var seats = TidyTable<[AnyID], Entry>()
    var isClosed = false
  }

  /// The seat of what is always there; nil in children.
  let sole: EffectSeat<State>?
  private let path: Optic<Root, State>
  private let view: StoreView<Root>
  private let ties: [EffectTie<Root>]
  private let throttle: Throttle?
  /// What the feature is given.
  private let givers: [Giver]
  private let makeRuns: MakeRuns
  private let table = Locked(Table())

  init(
    _ path: Optic<Root, State>, in view: StoreView<Root>, tiedTo ties: [EffectTie<Root>] = [],
    throttle: Throttle? = nil, givers: [Giver] = [], _ makeRuns: @escaping MakeRuns
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
    let (known, isClosed) = table.withLock { ($0.seats.entries[ids]?.seat, $0.isClosed) }
    if isClosed || known != nil { return isClosed ? nil : known }
    let end = SharedFlag()
    let seat = EffectSeat(
      ids: ids, identity: identity,
      home: EffectHome(path, ids, child, end, in: view, givenBy: givers),
      ties: ties.map { $0.makeWatch() }, end: end,
      runs: makeRuns(ids) { [weak self] in self?.tidy(ids) })
    table.withLock { $0.seats.entries[ids] = Entry(seat: seat) }
    return seat
  }

  /// Keeps a seat for a decision that is yet to be taken.
  func hold(_ seat: EffectSeat<State>) {
    if sole != nil { return }
    table.withLock { table in
      if table.seats.entries[seat.ids]?.seat === seat { table.seats.entries[seat.ids]?.holds += 1 }
    }
  }

  /// Ends a hold.
  ///
  /// - Returns: Whether something may still begin there.
  func endHold(_ seat: EffectSeat<State>) -> Bool {
    if sole != nil { return true }
    table.withLock { table in
      if table.seats.entries[seat.ids]?.seat === seat { table.seats.entries[seat.ids]?.holds -= 1 }
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
    let silent = table.withLock { $0.seats.removeIdle { $0.isIdle(at: now) } }
    if let silent { decisions.keep(silent) }
  }

  private func remove(_ ids: [AnyID], at now: Duration?) -> EffectSeat<State>? {
    table.withLock { $0.seats.remove(ids) { $0.isIdle(at: now) } }?.value.seat
  }

  /// The works that run, and those that wait.
  var works: [WorkNode] { all.flatMap { $0.runs.works } }

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
    let now = throttle?.clock.now
    let removed = view.core.withLock("ended a run of an effect") { _ in remove(ids, at: now) }
    withExtendedLifetime(removed) {}
  }

  private var all: [EffectSeat<State>] {
    if let sole { return [sole] }
    return table.withLock { $0.seats.entries.values.map { $0.seat } }
  }
}

// MARK: Children that go

extension EffectsPerChild: ChildGuard {
  /// Ends the runs in a child in the commit that dismisses it.
  var listeners: [CommitListener] {
    sole == nil ? [CommitListener(selection: .guarding(path.container, self))] : []
  }

  var isNeeded: Bool { !table.withLock { $0.seats.entries.isEmpty } }

  func stopGone(in state: StateAddress, by names: ElementNames, into gone: inout GoneChildren) {
    for seat in touched(in: state, by: names) where path.identity(state, seat.ids) != seat.identity
    {
      seat.end.set()
      table.withLock { table in
        if table.seats.entries[seat.ids]?.seat === seat { table.seats.entries[seat.ids] = nil }
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
    return table.withLock { table in named.compactMap { table.seats.entries[$0]?.seat } }
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

// MARK: Which children a commit names

// The children that the actions of a commit name.
//
// An action may give its element another id. Then the element with the id in the action is not there after the
// commit, and one may have come, or been replaced, that no action names.

extension Optic {
  /// The ids of the children that the actions of a commit name, if its reducers touched only the elements on the way to
  /// these; nil if they may have touched any.
  func namedChildren(of report: any CommitReport) -> [[AnyID]]? {
    if report.isInstallation || report.elementDepth < depth { return nil }
    return namedChildren(by: ElementNames(depth: report.elementDepth, actions: report.members))
  }

  /// The same while the commit is being made.
  func namedChildren(by names: ElementNames) -> [[AnyID]]? {
    if depth == 0 || names.depth < depth { return nil }
    var found: [[AnyID]] = []
    for action in names.actions {
      let ids = ActionRoute.ids(of: action, through: steps)
      if ids.count != depth { return nil }
      found.append(ids)
    }
    return found
  }

  /// Whether the elements on the way to a child are there, whatever is in them.
  func hasElements(_ root: StateAddress, _ ids: [AnyID]) -> Bool {
    guard let missing = outcome(root, ids[...]).missingChild else { return true }
    return !ChildPlace(missing, on: way, ids: ids).isElement
  }
}
