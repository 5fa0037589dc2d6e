/// The seats of an effect: one in what is always there, or one for each child in which something is under way.
///
/// A child is looked for under the lock of the store alone. So a seat stands for one child and not for another
/// that takes its place: the commit that dismisses the child ends the seat, before another can be found.
final class EffectSeats<Root: Sendable, State: Sendable>: Sendable {
  /// Makes the runs of a seat; `onEmpty` is to be called when the last job of the seat has ended.
  typealias MakeRuns =
    @Sendable (_ ids: [AnyID], _ onEmpty: (@Sendable () -> Void)?) -> EffectRuns

  /// The seat of what is always there; nil in children.
  let sole: EffectSeat<State>?
  private let path: ChildPath<Root, State>
  private let view: StoreView<Root>
  private let ties: [EffectTie<Root>]
  private let makeRuns: MakeRuns
  /// The seats of children.
  private let table = KeyedTable<EffectSeat<State>>()
  /// The seats of notifications to come, in their order, each with the action in the child's terms; each is held.
  private let prepared = Locked(RingBuffer<PreparedSeat?>())

  /// Without the type of the seat: for a generic one, the types of the queue are looked up at each use.
  private typealias PreparedSeat = (seat: any KeyedEntry, action: any Action)
  private let closed = Locked(false)

  init(
    _ path: ChildPath<Root, State>, in view: StoreView<Root>, tiedTo ties: [EffectTie<Root>] = [],
    _ makeRuns: @escaping MakeRuns
  ) {
    (self.path, self.view, self.ties, self.makeRuns) = (path, view, ties, makeRuns)
    sole = path.lens.map { lens in
      EffectSeat(
        home: EffectHome(path, lens, in: view), ties: ties.map { $0.makeWatch() },
        runs: makeRuns([], nil))
    }
  }

  /// Finds a child under the lock of the store, and holds its seat, for `use`; nil if it is not there.
  func find(_ ids: [AnyID], in state: StateAddress) -> EffectSeat<State>? {
    guard let (child, identity) = path.find(state, ids) else { return nil }
    if closed.withLock({ $0 }) { return nil }
    let hash = ids.hashValue
    return table.hold(hash, where: { $0.ids == ids }) { onEmpty in
      let end = SharedFlag()
      return EffectSeat(
        ids: ids, hash: hash, identity: identity,
        home: EffectHome(path, ids, child, end, in: view), ties: ties.map { $0.makeWatch() },
        end: end, runs: makeRuns(ids, onEmpty))
    }
  }

  /// Lends a seat that was found, without the lock of the store, unless its child is gone; ends its hold.
  func use(_ seat: EffectSeat<State>, _ body: () -> Void) {
    // What closes the seats stores that first: a seat that it did not find is found out here.
    if !seat.end.isSet && !closed.withLock({ $0 }) { body() }
    table.release(seat)
  }

  /// The works that run, and those that wait; asked for under the lock of the store.
  var works: [WorkNode] {
    if let sole { return sole.runs.works }
    var works: [WorkNode] = []
    table.inspect { works += $0.runs.works }
    return works
  }

  /// Hands out the one seat, or those of a child and of the children in it; not under the lock of the store.
  func forEach(in ids: [AnyID] = [], _ body: (EffectSeat<State>) -> Void) {
    if let sole { return body(sole) }
    for seat in table.all where seat.ids.starts(with: ids) { body(seat) }
  }

  /// Makes no more seats, and begins nothing more in those that there are.
  ///
  /// - Returns: What is to be stopped; if it is retiring, only what is yet to begin: the rest goes on.
  func close(retiring isRetiring: Bool = false) -> [WorkNode] {
    if let sole { return sole.runs.close(retiring: isRetiring) }
    closed.withLock { $0 = true }
    var jobs: [WorkNode] = []
    table.inspect { seat in
      if !isRetiring { seat.end.set() }
      jobs += seat.runs.close(retiring: isRetiring)
    }
    return jobs
  }
}

// MARK: Listening

extension EffectSeats {
  /// Is given an action in the terms of a seat, and the changes that are kept since its commit.
  typealias Handle =
    @Sendable (
      _ action: any Action, _ seat: EffectSeat<State>, _ report: any CommitReport,
      _ backlog: ChangeBacklog?, _ work: WorkNode?
    ) -> Void

  /// Ends the runs in a child in the commit that dismisses it.
  var listeners: [CommitListener] {
    if sole != nil { return [] }
    return [CommitListener(selection: .guarding(path.container, self))]
  }

  /// Has the actions of a type, or of every type, handled in the seats that they are for.
  func listener(
    of type: (any Action.Type)?, keepingChanges backlogs: PreparedBacklogs? = nil,
    _ handle: @escaping Handle
  ) -> CommitListener {
    let steps = path.steps
    let route = type.map { ActionRoute($0, through: steps) }
    let inner: @Sendable (any Action) -> ActionRoute.ChildAction? = { action in
      if let route { return route.inner(of: action) }
      return ActionRoute.inner(of: action, through: steps)
    }
    var listener = CommitListener(
      selection: route.map { .actions($0.type) } ?? .everyAction,
      notify: { [self] report, action, work in
        let backlog = backlogs?.popFirst()
        if let sole {
          guard let action, let own = inner(action)?.action else { return }
          handle(own, sole, report, backlog, work)
        } else {
          withPrepared { handle($1, $0, report, backlog, work) }
        }
      })
    if sole == nil {
      listener.child = path.locator { action in
        route.map { $0.ids(of: action) } ?? inner(action)?.ids
      }
      listener.prepareNotification = { [self] state, action in
        prepareNotification(action.flatMap(inner), in: state)
        backlogs?.prepareNotification()
      }
    } else if let backlogs {
      listener.prepareNotification = { _, _ in backlogs.prepareNotification() }
    }
    return listener
  }

  /// Finds a child under the lock of the store, for the notification that is to come of an action for it.
  private func prepareNotification(_ inner: ActionRoute.ChildAction?, in state: StateAddress) {
    var entry: PreparedSeat?
    if let inner, let seat = find(inner.ids, in: state) { entry = (seat, inner.action) }
    prepared.withLock { $0.append(entry) }
  }

  /// Lends the seat that was prepared for this notification, if the child was there and still is.
  private func withPrepared(_ body: (_ seat: EffectSeat<State>, _ action: any Action) -> Void) {
    guard let entry = prepared.withLock({ $0.popFirst() }) ?? nil else { return }
    let seat = table.known(entry.seat)
    use(seat) { body(seat, entry.action) }
  }
}

extension EffectSeats: ChildGuard {
  var isNeeded: Bool { !table.isEmpty }

  func stopGone(in state: StateAddress, into gone: inout GoneChildren) {
    let isSweepDue = table.forEach { seat in
      if path.identity(state, seat.ids) == seat.identity { return }
      seat.end.set()
      table.remove(seat)
      let jobs = seat.runs.close()
      if let store = jobs.first?.store {
        gone.trash.append(WorkNode.revokeCommits(of: jobs, in: store))
      }
      gone.jobs += jobs
      gone.trash.append(seat)
    }
    if isSweepDue { gone.sweeps.append { [table] in table.sweep() } }
  }
}
