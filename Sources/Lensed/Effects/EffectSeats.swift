/// The seats of an effect in the children in which something of it is under way.
///
/// A child is looked for under the lock of the store alone. So a seat stands for one child and not for another
/// that takes its place: the commit that dismisses the child ends the seat, before another can be found.
final class EffectSeats<Root: Sendable, State: Sendable>: Sendable {
  private let path: ChildPath<Root, State>
  private let seats = KeyedTable<EffectSeat<State>>()
  /// Makes the seat of a child; `onEmpty` is to be called when the last job of the seat has ended.
  typealias Make =
    @Sendable (
      _ ids: [AnyID], _ hash: Int, _ identity: ChildIdentity, _ child: State, _ end: SharedFlag,
      _ onEmpty: @escaping @Sendable () -> Void
    ) -> EffectSeat<State>

  private let make: Make
  /// The seats of notifications to come, in their order, each with the action in the child's terms; each is held.
  private let prepared = Locked(RingBuffer<PreparedSeat?>())

  /// Without the type of the seat: for a generic one, the types of the queue are looked up at each use.
  private typealias PreparedSeat = (seat: any KeyedEntry, action: any Action)
  private let closed = Locked(false)

  init(_ path: ChildPath<Root, State>, make: @escaping Make) {
    (self.path, self.make) = (path, make)
  }

  /// Ends the runs in a child in the commit that dismisses it.
  var listener: CommitListener {
    CommitListener(selection: .guarding(path.container, self))
  }

  /// Finds a child under the lock of the store, for the notification that is to come of an action for it.
  func prepareNotification(_ inner: ActionRoute.ChildAction?, in state: StateAddress) {
    var entry: PreparedSeat?
    if let inner, let seat = find(inner.ids, in: state) { entry = (seat, inner.action) }
    prepared.withLock { $0.append(entry) }
  }

  /// Lends the seat that was prepared for this notification, if the child was there and still is.
  func withPrepared(_ body: (_ seat: EffectSeat<State>, _ action: any Action) -> Void) {
    guard let entry = prepared.withLock({ $0.popFirst() }) ?? nil else { return }
    let seat = seats.known(entry.seat)
    if !seat.end.isSet { body(seat, entry.action) }
    release(seat)
  }

  /// Finds a child under the lock of the store, and holds its seat; nil if it is not there.
  func find(_ ids: [AnyID], in state: StateAddress) -> EffectSeat<State>? {
    guard let (child, identity) = path.find(state, ids) else { return nil }
    if closed.withLock({ $0 }) { return nil }
    let hash = ids.hashValue
    let seat = seats.hold(
      hash, where: { $0.ids == ids },
      orMake: { make(ids, hash, identity, child, SharedFlag(), $0) })
    // What closes the seats stores that first: a seat that it did not find is found out here.
    if !closed.withLock({ $0 }) { return seat }
    release(seat)
    return nil
  }

  /// Ends the use of a seat.
  func release(_ seat: EffectSeat<State>) {
    seats.release(seat)
  }

  /// The seats of a child, and of the children in it.
  func all(in ids: [AnyID] = []) -> [EffectSeat<State>] {
    ids.isEmpty ? seats.all : seats.all.filter { $0.ids.starts(with: ids) }
  }

  /// Makes no more seats, and begins nothing more in those that there are.
  ///
  /// - Returns: What is to be stopped; if it is retiring, only what is yet to begin: the rest goes on.
  func close(retiring isRetiring: Bool = false) -> [WorkNode] {
    closed.withLock { $0 = true }
    return seats.all.flatMap { seat in
      if !isRetiring { seat.end.set() }
      return seat.runs.close(retiring: isRetiring)
    }
  }
}

extension EffectSeats: ChildGuard {
  var isNeeded: Bool { !seats.isEmpty }

  func stopGone(in state: StateAddress, into gone: inout GoneChildren) {
    for seat in seats.all where path.identity(state, seat.ids) != seat.identity {
      seat.end.set()
      seats.remove(seat)
      let jobs = seat.runs.close()
      if let store = jobs.first?.store {
        gone.trash.append(WorkNode.revokeCommits(of: jobs, in: store))
      }
      gone.jobs += jobs
      gone.trash.append(seat)
    }
  }
}
