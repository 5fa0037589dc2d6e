/// The seats of an effect: one in what is always there, or one for each child in which something is under way.
///
/// The cycle of the seat of a child, which the lock of the store guards:
///
/// 1. In the commit of an action for the child, the child is looked for, and its seat is found or made. So a seat stands
///    for that child, and not for another that takes its place.
/// 2. A job is admitted there. A decision that is left to the thread that delivers holds the seat until it is taken.
/// 3. Each later commit that touches the container of the children asks `stopGone`. Where the child has another identity
///    than before, its seat is closed and its jobs are revoked. They are dropped once the lock is released.
/// 4. Otherwise the seat goes with its last job, in one turn at the lock. From then on nobody watches the child for its
///    home, which compares its identity.
///
/// No clock is asked under the lock. What is removed is released after it: a seat keeps the child as it was, whose objects
/// may be the user's. While no seat exists, a commit asks nothing.
final class EffectsPerChild<Root: Sendable, State: Sendable>: Sendable {
  /// Makes the runs of a seat; `onEmpty` is to be called without a lock when the last job of the seat has ended.
  typealias MakeRuns =
    @Sendable (_ ids: [AnyID], _ onEmpty: (@Sendable () -> Void)?) -> EffectRuns

  /// The seat of what is always there; nil in children.
  let sole: EffectSeat<State>?
  /// In a box, which the homes of the seats share.
  private let path: Boxed<Optic<Root, State>>
  private let view: StoreView<Root>
  private let ties: [EffectTie<Root>]
  private let isTied: Bool
  private let throttle: Throttle?
  /// What the feature is given.
  private let givers: [Giver]
  private let makeRuns: MakeRuns
  /// The decisions that are left to deliverers.
  let deferrals = EffectDeferrals()
  private let table = SeatTable()

  init(
    _ path: Optic<Root, State>, in view: StoreView<Root>, tiedTo ties: [EffectTie<Root>] = [],
    throttle: Throttle? = nil, givers: [Giver] = [], _ makeRuns: @escaping MakeRuns
  ) {
    (self.path, self.view, self.ties, self.makeRuns) = (Boxed(path), view, ties, makeRuns)
    isTied = !ties.isEmpty
    (self.throttle, self.givers) = (throttle, givers)
    sole = path.lens.map { lens in
      EffectSeat(
        home: EffectHome(path, lens, in: view, givenBy: givers), ties: ties.map { $0.makeWatch() },
        runs: makeRuns([], nil))
    }
  }

  // MARK: Under the lock of the store

  /// Finds a child, and its seat; nil if the child is not there.
  ///
  /// A seat that is made once nothing begins any more is closed, and in no table.
  func find(
    _ ids: [AnyID], in state: StateAddress
  ) -> EffectSeat<State>? {
    if let sole { return sole }
    var found: ChildIdentity? = ChildIdentity()
    guard let child = path.value.read(state, ids, &found), let identity = found else { return nil }
    if let seat = table.find(ids) { return known(seat, as: EffectSeat<State>.self) }
    let seat = makeSeat(ids, of: child, identity)
    let entry = SeatTable.Entry(
      seat: seat, ids: ids, identity: identity, presence: seat.presence, runs: seat.runs)
    if !table.add(entry) {
      seat.presence.endWatch()
      _ = seat.runs.close()
    }
    return seat
  }

  /// The seat of a child as it was after the commit that is decided about; where it has gone since, one in no table, or
  /// nil, if nobody asks how its runs end.
  func find(
    _ ids: [AnyID], asOf decisions: CommitDecisions, askingForEnds: Bool
  ) -> EffectSeat<State>? {
    if let sole { return sole }
    let report = decisions.report
    if let seat = closedSeat(deferrals.closedSeat(of: ids, since: decisions.place), report) {
      return seat
    }
    let former = report.read { path.value.identity($0, ids) }
    if path.value.identity(decisions.state, ids) == former {
      return find(ids, in: decisions.state)
    }
    if !askingForEnds { return nil }
    return closedSeat(table.find(ids), report) ?? makeSeat(ofGone: ids, after: report)
  }

  /// A seat that was closed, if it is of the child that was there after a commit.
  private func closedSeat(
    _ seat: (any AnyObject & Sendable)?, _ report: any CommitReport
  ) -> EffectSeat<State>? {
    guard let seat else { return nil }
    let own = known(seat, as: EffectSeat<State>.self)
    return own.home.wasThere(after: report) ? own : nil
  }

  private func makeSeat(ofGone ids: [AnyID], after report: any CommitReport) -> EffectSeat<State>? {
    report.read { state in
      var found: ChildIdentity? = ChildIdentity()
      guard let child = path.value.read(state, ids, &found), let identity = found else {
        return nil
      }
      let seat = makeSeat(ids, of: child, identity)
      seat.presence.noteGone()
      return seat
    }
  }

  private func makeSeat(
    _ ids: [AnyID], of child: State, _ identity: ChildIdentity
  ) -> EffectSeat<State> {
    let presence = ChildPresence()
    return EffectSeat(
      ids: ids, home: EffectHome(path, ids, identity, child, presence, in: view, givenBy: givers),
      ties: isTied ? ties.map { $0.makeWatch() } : [], presence: presence,
      runs: makeRuns(ids) { [weak self] in self?.tidy(ids) })
  }

  /// Whether nothing begins any more.
  var isClosed: Bool { sole?.runs.isClosed ?? table.isClosed }

  /// Removes a seat if nothing is under way there; after each decision, because it may have begun nothing.
  ///
  /// `now` is the time of the throttle, where it is known. Then the seats whose silence is over go too, once there are many.
  func tidy(_ seat: EffectSeat<State>, at now: Duration?, into decisions: inout JobDecisions) {
    if sole == nil { table.tidy(seat.ids, at: now, into: &decisions) }
  }

  /// The works that run, and those that wait.
  var works: [WorkNode] { allRuns.flatMap { $0.works } }

  /// The one seat, or those of a child and of the children in it.
  func all(in ids: [AnyID]) -> [EffectSeat<State>] {
    if let sole { return [sole] }
    let entries =
      ids.count == path.value.depth
      ? table.entries(of: [ids]) : table.all.filter { $0.ids.starts(with: ids) }
    return entries.map { known($0.seat, as: EffectSeat<State>.self) }
  }

  /// The one seat, or those of the children that a commit may have touched.
  func touched(by decisions: CommitDecisions) -> [EffectSeat<State>] {
    if let sole { return [sole] }
    let (actions, depth) = decisions.named
    return touched(in: decisions.state, by: actions, depth).map {
      known($0.seat, as: EffectSeat<State>.self)
    }
  }

  /// Makes no more seats, and begins nothing more in those that there are.
  ///
  /// - Returns: What is to be stopped; if it is retiring, only what is yet to begin: the rest goes on.
  func close(retiring isRetiring: Bool = false) -> [WorkNode] {
    deferrals.noteClosed()
    return table.close(retiring: isRetiring) + (sole?.close(retiring: isRetiring) ?? [])
  }

  // MARK: Without it

  /// Lets the triggers that wait for a lull begin.
  func flush() {
    for runs in allRuns { runs.flush() }
  }

  /// Removes the seat of a child if nothing is under way there.
  private func tidy(_ ids: [AnyID]) {
    // The clock of a user is asked without a lock.
    let now = throttle?.clock.now
    view.core.tidy(table, ids, at: now)
  }

  private var allRuns: [EffectRuns] {
    if let sole { return [sole.runs] }
    return table.all.map(\.runs)
  }
}

// MARK: Children that go

extension EffectsPerChild: ChildGuard {
  /// Ends the runs in a child in the commit that dismisses it.
  var listeners: [CommitListener] {
    sole == nil ? [CommitListener(selection: .guarding(path.value.container, self))] : []
  }

  var isNeeded: Bool { !table.isEmpty }

  func stopGone(
    in state: StateAddress, after revision: UInt64, by actions: CommittedActions,
    depth: ElementDepth, into decisions: inout JobDecisions
  ) {
    for entry in touched(in: state, by: actions, depth)
    where path.value.identity(state, entry.ids) != entry.identity {
      deferrals.note(
        EffectDeferrals.Note(
          ids: entry.ids, place: CommitPlace(revision: revision, member: -1),
          end: (.gone, decisions.ender), seat: entry.seat))
      table.close(entry, into: &decisions)
    }
  }

  /// The seats of the children that a commit may have touched.
  private func touched(
    in state: StateAddress, by actions: CommittedActions, _ depth: ElementDepth
  ) -> [SeatTable.Entry] {
    let named = path.value.namedChildren(in: state, by: actions, depth)
    return named.map { table.entries(of: $0) } ?? table.all
  }
}

// MARK: Values that are yet to be compared

// Which values of children a commit has changed is known when it is delivered. So a child has no seat for that by which
// its end would be noted: it is compared with the commit before, if values of that are yet to be compared too.

extension EffectsPerChild {
  /// Defers the values of a commit, and notes what the commit has ended of those that were deferred before.
  func deferValues(_ decisions: inout CommitDecisions) {
    if sole != nil { return deferrals.add() }
    let report = decisions.report
    guard let former = deferrals.add(report) else { return }
    // Who delivers it may be done by now, and this the last to hold its state.
    decisions.jobs.keep(former)
    let place = CommitPlace(revision: decisions.place.revision, member: -1)
    let end: EffectDeferrals.Ending = (.gone, decisions.jobs.ender)
    let (path, (actions, depth)) = (path.value, decisions.named)
    let named =
      path.depth == 0 ? [[]] : path.namedChildren(in: decisions.state, by: actions, depth)
    guard let named else {
      return deferrals.note(
        EffectDeferrals.Note(
          ids: [], place: place, end: end, isSuspect: true, suspect: report))
    }
    for ids in named where hasEnded(ids, between: former, and: report, &decisions.jobs) {
      deferrals.note(EffectDeferrals.Note(ids: ids, place: place, end: end))
    }
  }

  /// How what was deferred in a feature was first ended since its commit, and by what; nil if it was not.
  func end(in ids: [AnyID], _ decisions: inout CommitDecisions) -> EffectDeferrals.Ending? {
    let report = decisions.report
    return deferrals.end(in: ids, since: decisions.place) { later in
      hasEnded(ids, between: report, and: later, &decisions.jobs)
    }
  }

  /// Whether a child that was there after one commit, or what it was tied to, is another after a later one.
  private func hasEnded(
    _ ids: [AnyID], between former: any CommitReport, and later: any CommitReport,
    _ jobs: inout JobDecisions
  ) -> Bool {
    guard let identity = former.read({ path.value.identity($0, ids) }) else { return false }
    if later.read({ path.value.identity($0, ids) }) != identity { return true }
    return ties.contains { tie in
      let watch = tie.makeWatch()
      defer { jobs.keep(watch) }
      return former.read { watch($0, ids[...], &jobs) } == .same
        && later.read { watch($0, ids[...], &jobs) } != .same
    }
  }
}

// MARK: The seats of children

/// The seats of the children of an effect, by the ids of the child.
///
/// It knows no type of a child: code that is generic over that looks up the types of the table at run time, which took a
/// fifth of an effect in a row.
private final class SeatTable: Sendable {
  struct Entry: Sendable {
    /// The `EffectSeat`, and of what it holds that which is asked here.
    let seat: any AnyObject & Sendable
    let ids: [AnyID]
    let identity: ChildIdentity
    let presence: ChildPresence
    let runs: EffectRuns

    func isIdle(at now: Duration?) -> Bool { !presence.isHeld && runs.isIdle(at: now) }
  }

  private struct Content: Sendable {
    var seats = TidyTable<[AnyID], Entry>()
    var isClosed = false
  }

  private let content = Locked(Content())

  var isEmpty: Bool { content.withLock { $0.seats.entries.isEmpty } }

  var isClosed: Bool { content.withLock { $0.isClosed } }

  var all: [Entry] { content.withLock { Array($0.seats.entries.values) } }

  func entries(of children: [[AnyID]]) -> [Entry] {
    content.withLock { content in children.compactMap { content.seats.entries[$0] } }
  }

  func find(_ ids: [AnyID]) -> (any AnyObject & Sendable)? {
    content.withLock { $0.seats.entries[ids]?.seat }
  }

  /// Adds a seat, unless nothing begins any more; returns whether.
  func add(_ entry: Entry) -> Bool {
    content.withLock { content in
      if !content.isClosed { content.seats.entries[entry.ids] = entry }
      return !content.isClosed
    }
  }

  func remove(_ ids: [AnyID], at now: Duration?) -> Entry? {
    let removed = content.withLock { $0.seats.remove(ids) { $0.isIdle(at: now) } }?.value
    removed?.presence.endWatch()
    return removed
  }

  func tidy(_ ids: [AnyID], at now: Duration?, into decisions: inout JobDecisions) {
    if let removed = remove(ids, at: now) { decisions.keep(removed.seat) }
    guard let now else { return }
    let silent = content.withLock { $0.seats.removeIdle { $0.isIdle(at: now) } }
    guard let silent else { return }
    for entry in silent.values { entry.presence.endWatch() }
    decisions.keep(silent)
  }

  func close(retiring isRetiring: Bool) -> [WorkNode] {
    content.withLock { $0.isClosed = true }
    return all.flatMap { entry in
      if !isRetiring { entry.presence.noteGone() }
      return entry.runs.close(retiring: isRetiring)
    }
  }

  /// Closes the seat of a child that has gone.
  func close(_ entry: Entry, into decisions: inout JobDecisions) {
    entry.presence.noteGone()
    content.withLock { content in
      if content.seats.entries[entry.ids]?.seat === entry.seat {
        content.seats.entries[entry.ids] = nil
      }
    }
    decisions.end(entry.runs.close(), as: .gone)
    decisions.keep(entry.seat)
  }
}

extension StoreCore {
  /// Removes the seat of a child if nothing is under way there; what it holds is released without the lock.
  fileprivate func tidy(_ table: SeatTable, _ ids: [AnyID], at now: Duration?) {
    let removed = withLock("ended a run of an effect") { _ in table.remove(ids, at: now) }
    withExtendedLifetime(removed) {}
  }
}

// MARK: One seat

/// The runs of an effect in one feature: in the state itself, or in one child.
///
/// A seat of a child is made in the commit of the action that is for it, and goes when nothing is under way.
final class EffectSeat<State: Sendable>: Sendable {
  let ids: [AnyID]
  let home: EffectHome<State>
  let ties: [EffectTie<State>.Watch]
  /// Told under the lock of the store when the child goes.
  let presence: ChildPresence
  let runs: EffectRuns

  init(
    ids: [AnyID] = [], home: EffectHome<State>, ties: [EffectTie<State>.Watch],
    presence: ChildPresence = ChildPresence(), runs: EffectRuns
  ) {
    (self.ids, self.home) = (ids, home)
    (self.ties, self.presence, self.runs) = (ties, presence, runs)
  }

  /// Begins nothing more; returns what is to be stopped.
  func close(retiring isRetiring: Bool) -> [WorkNode] {
    if !isRetiring { presence.noteGone() }
    return runs.close(retiring: isRetiring)
  }
}

// MARK: Which children a commit names

extension Optic {
  /// The children that the actions of a commit name, or the one that the result of an asynchronous reducer is in; nil if
  /// the commit may have touched others.
  func namedChildren(
    in root: StateAddress, by actions: CommittedActions, _ named: ElementDepth
  ) -> [[AnyID]]? {
    let depth = depth
    if depth == 0 || !named.covers(elements) { return nil }
    var found: [[AnyID]] = []
    if case .result(let ids) = actions { found.append(Array(ids.prefix(depth))) }
    for action in actions.members {
      let ids = ActionRoute.ids(of: action, through: steps)
      if ids.count != depth { return nil }
      found.append(ids)
    }
    // An action may give its element another id. Then the element with the id in the action is not there after the
    // commit, and one may have come, or been replaced, that no action names.
    return found.allSatisfy { hasElements(root, $0) } ? found : nil
  }

  /// The children that a commit may have touched; and all that there are, where it may have touched any.
  func touchedChildren(
    of report: any CommitReport, orAll wantsAll: Bool = false
  ) -> (ids: [[AnyID]], all: Set<[AnyID]>?) {
    report.read { root in
      if !wantsAll, let named = namedChildren(in: root, by: report.actions, report.elementDepth) {
        return (named, nil)
      }
      var (all, seen): ([[AnyID]], Set<[AnyID]>) = ([], [])
      _ = forEach(root, []) { ids, _ in
        if seen.insert(ids).inserted { all.append(ids) }
        return true
      }
      return (all, seen)
    }
  }

  /// Whether the elements on the way to a child are there, whatever is in them.
  private func hasElements(_ root: StateAddress, _ ids: [AnyID]) -> Bool {
    guard case .missing(let missing) = outcome(root, ids[...]) else { return true }
    return !ChildPlace(missing, on: way, ids: ids).isElement
  }
}
