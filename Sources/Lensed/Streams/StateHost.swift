/// What streams need of a store: its table of observers, under its lock.
@usableFromInline
protocol StateHost: AnyObject, Sendable {
  /// The executor that its tasks prefer; nil is the global one.
  var taskExecutor: (any TaskExecutor)? { get }

  /// Runs `body` under the lock of the store; traps when a reducer of that store is the caller.
  func withTable<Result: Sendable>(_ body: (inout ObserverTable) -> Result) -> Result

  /// Traps when a reducer of that store is the caller; takes no lock.
  func checkEntry(_ intrusion: @autoclosure () -> String)

  /// Is called once, without the lock, when more commits wait for their delivery than ought to.
  func noteOverdueDeliveries()

  /// Notes that the deliverer has left the call for a commit to another thread; before it delivers the next commit.
  func noteCallLeft()

  /// Notes that such a call was made, or dropped.
  func noteCallMade()
}

extension StateHost {
  /// Does, without the lock, what a commit left to do: wakes the readers, calls the observers.
  @inline(never)
  func perform(_ work: consuming AfterCommit) {
    for signal in work.wake { signal.raise() }
    if let delivery = work.delivery.take() { deliver(delivery) }
  }

  /// Does what a commit left to do: makes its calls, where that is all.
  @inline(__always)
  func perform(_ work: Unretained<AfterCommitCell>) {
    if let calls = work.lend({ $0.value.calls }) {
      calls.lend { deliver($0) }
    } else {
      performAll(work)
    }
  }

  /// Does what a commit left to do, and hands the means back for the next one.
  @inline(never)
  private func performAll(_ work: Unretained<AfterCommitCell>) {
    let delivery = work.lend { pooled in
      for signal in pooled.value.wake { signal.raise() }
      pooled.value.wake.removeAll(keepingCapacity: true)
      pooled.value.trash.removeAll()
      return pooled.value.delivery.take()
    }
    withTable { $0.reuse(work) }
    if let delivery { deliver(delivery) }
  }

  /// Makes the calls of a commit, and of those that wait behind it.
  func deliver(_ delivery: Delivery) {
    delivery.makeCalls()
    let own = delivery.deliverersCommit
    passOn(delivery.audience.baton, of: own, after: delivery.isOwn(since: own) ? 0 : 1)
  }

  /// Calls the observers of one commit after another, until none is waiting.
  private func deliver(_ audience: Audience) {
    let revision = audience.delivered.value
    audience.deliver(revision)
    passOn(audience.baton, of: revision)
  }

  /// Notifies the listeners of a commit, then calls the observers of one commit after another.
  func deliver(
    _ notification: some CommitNotification, of revision: UInt64, _ kind: DeliveryKind,
    _ baton: Baton
  ) {
    baton.mark.delivering(revision, kind) { notification.notify {} }
    passOn(baton, of: revision)
  }

  /// Ends the deliverer's turn, or goes on with what came meanwhile.
  @inline(__always)
  func passOn(_ baton: Baton, of own: UInt64, after count: Int = 0) {
    if !baton.passOn() { deliverOthers(of: own, after: count) }
  }

  /// Goes on with what came meanwhile, up to a thread's share; the rest goes to the next commit, or to a task.
  @inline(never)
  private func deliverOthers(of own: UInt64, after count: Int) {
    var count = count
    while count < Baton.share {
      let step = withTable { $0.nextStep() }
      if step.isOverdue { noteOverdueDeliveries() }
      guard let next = step.delivery else { return }
      next.makeCalls()
      // What an observer has dispatched on this thread is no less its own than what set it off.
      if !next.isOwn(since: own) { count += 1 }
    }
    if withTable({ $0.queue.endTurn() }).startsTask {
      Task.startDetached(on: taskExecutor) { [self] in
        if let delivery = withTable({ $0.takeUpDelivery() }).delivery { deliver(delivery) }
      }
    }
  }
}

// MARK: The memory of the state

/// The memory of a store's state, and what keeps it alive: for readers that lag behind a store that has gone.
@usableFromInline
struct StateStorage: Sendable {
  let owner: any AnyObject & Sendable
  @usableFromInline
  let place: StateAddress

  @usableFromInline
  init<State: Sendable>(_ state: UnsafeCell<State>) {
    owner = state
    place = state.place
  }
}
