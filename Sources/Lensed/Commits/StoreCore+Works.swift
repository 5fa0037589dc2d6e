internal import Synchronization

extension StoreCore {
  /// The work that the listeners of a commit start, with a claim on it; under the lock.
  func makeWork(
    _ label: WorkLabel, under parent: Parent, setOffBy cause: UInt64? = nil,
    _ protected: inout Protected
  ) -> WorkNode {
    assertLocked()
    switch parent {
    case .part(let work):
      work.addClaim()
      return work
    case .child(let parent):
      let work = WorkNode(
        label, in: self, under: parent, hasClaim: true, hasHandle: true, setOffBy: cause)
      // What has ended can hold nothing: an effect's context may be used for longer than the effect.
      if case .refused = work.attach(to: parent) { registerWork(work, &protected) }
      return work
    case .root:
      let index = protected.works.reserve()
      let work = WorkNode(
        label, in: self, hasClaim: true, registryIndex: index, setOffBy: cause)
      protected.works.fill(index, with: work)
      return work
    }
  }

  /// Keeps work alive that has begun and that nothing else keeps; does nothing, if something does.
  func registerWork(_ work: WorkNode, _ protected: inout Protected) {
    let index = protected.works.reserve()
    protected.works.fill(index, with: work)
    let (isSet, wasCounted) = work.setRegistryIndex(index)
    if !isSet { _ = protected.works.vacate(index) }
    if wasCounted { workCount.remove() }
  }

  /// Work whose actions come over time; nil when the store has gone.
  func openWork(from site: CallSite, under parent: Parent) -> WorkNode? {
    let work = WorkNode(
      .sequence(site), in: self, under: parent.node, relation: .owned, isApplied: false,
      hasHandle: true, setOffBy: parent.node == nil ? baton.mark.own?.revision : nil)
    return withLock("dispatched an asynchronous sequence at \(site)") { protected in
      if protected.table.isClosed || !parent.mayCommit { return nil }
      if case .refused = work.attachToParent() { registerWork(work, &protected) }
      return work
    }
  }

  /// Starts the task that applies the actions of some work, after those that were dispatched with it as `first`.
  func start(
    _ work: WorkNode, after first: DispatchTask = DispatchTask(),
    _ operation: @escaping @Sendable () async throws -> Void
  ) -> DispatchTask {
    // The task inherits this value alone, and not the work of another store.
    let task = WorkNode.$current.withValue(work) {
      WorkNode.Running.start(on: taskExecutor) {
        var failure: (any Error)?
        do {
          try await operation()
        } catch {
          failure = self.isClosed ? nil : error
        }
        work.markApplied(failure: failure)
      }
    }
    work.setTask(task)
    return DispatchTask(work, hasHandle: true, commit: first.commit)
  }

  /// Keeps a job alive that its queue is not going to keep, until all of it has ended.
  func keepAlive(_ job: WorkNode) {
    let isOpen = withLock("ended what a dispatch had started") { protected in
      if protected.table.isClosed { return false }
      registerWork(job, &protected)
      return true
    }
    if !isOpen { job.abandon() }
    workChanged()
  }
}

extension StoreCore: WorkStore {
  func unregisterWork(at index: Int) {
    _ = withLock("ended what a dispatch had started") { $0.works.vacate(index) }
  }

  func uncountWork() { workCount.remove() }

  @usableFromInline
  func noteCallLeft() { workCount.add() }

  @usableFromInline
  func noteCallMade() {
    workCount.remove()
    workChanged()
  }

  func workChanged() {
    if workCount.isAwaited {
      WorkSleep.noteChange()
      checkSettling()
    }
  }

  func whileRevoking(_ body: () -> Void) {
    revocation.withLock { _ in body() }
  }

  func awaitCommit() {
    // A reducer that cancels is inside of the one commit there is.
    lock.withLock(as: ThreadIdentity.current) {
    } reentry: {
    }
  }

  func numberRun() -> (number: UInt64, time: Duration)? {
    runs.number().map { ($0, clock.elapsed) }
  }

  func recordRun(_ make: (_ time: Duration) -> RecordedRun?) {
    runs.record(at: { clock.elapsed }, make)
  }

  func report(_ error: any Error, of work: WorkNode) {
    if isClosed { return }
    onEffectError(
      EffectError(
        effect: "\(work.label)", action: nil, underlying: error, causes: work.causes))
  }
}

// MARK: Running a batch

extension ActionBatch {
  /// Runs the reducers of a route for one action after another.
  ///
  /// - Returns: The flags of all that.
  func run(_ route: Route, _ revision: UInt64) -> CommitFlags {
    if count == 1 { return route.run(first, revision) }
    if route.canRunInBulk { return route.runAll(first, count: count, stride: stride, revision) }
    return takeTurns(route, revision)
  }

  private func takeTurns(_ route: Route, _ revision: UInt64) -> CommitFlags {
    var (action, flags) = (first, CommitFlags())
    for _ in 0..<count {
      flags.formUnion(route.run(action, revision))
      action = action.advanced(by: stride)
    }
    return flags
  }

  /// One of the actions, as a batch of its own.
  func single(_ number: Int) -> ActionBatch {
    ActionBatch(type, first.advanced(by: number * stride))
  }

  /// Whether the actions stand for others, which are routed by their own types.
  var isList: Bool { Routability(of: type) == .list }
}

// MARK: Starting jobs

/// A listener that starts at most one job for each action.
///
/// If it alone listens to an action, the work of the dispatch is that job.
protocol JobStarter: AnyObject, Sendable {
  /// The queue of its jobs.
  var queue: any WorkQueue { get }

  /// Admits `work`, which has a claim, as the one job of a commit; under the lock.
  ///
  /// - Returns: Whether the caller is to start it once the lock is released. Otherwise the decisions have it.
  func admit(
    _ work: WorkNode, for report: any CommitReport, into decisions: inout CommitDecisions
  ) -> Bool

  /// Starts the job that was admitted.
  func startJob(as work: WorkNode, for report: consuming any CommitReport)
}

// MARK: What work belongs to

/// The work that a commit belongs to.
@usableFromInline
enum Parent: Sendable {
  /// None: what the commit starts is a tree of its own.
  case root
  /// What the commit starts can be waited for on its own, and is part of this work too.
  case child(of: WorkNode)
  /// What the commit starts is directly part of this work.
  case part(of: WorkNode)

  var node: WorkNode? {
    switch self {
    case .root: nil
    case .child(let work), .part(let work): work
    }
  }

  /// Whether such a commit may begin; to be asked under the lock of the store.
  var mayCommit: Bool { node?.mayCommit ?? true }

  /// Whether such a commit has a work of its own inside of another.
  var isChild: Bool {
    if case .child = self { true } else { false }
  }
}

// MARK: Settling

// How a store finds out that nothing is under way.
//
// Four things are under way: root works that are registered, root works that are counted because only their
// queues know them, commits whose delivery may start more of them, and calls of observers that the deliverer has
// left to another thread, which are counted too. All four change under the lock of the store, or are looked at
// again when they have changed:
//
// 1. A root is registered or counted in the commit that it comes from, and a sequence when it is dispatched.
// 2. When a work has finished, and a caller waits, the thread that finished it checks the store.
// 3. When a delivery is under way, a probe is queued behind it, which checks the store.
// 4. A deliverer counts a call before it gives the baton up. So the count is read after the baton. When such a call
//    was made, and a caller waits, the thread that made it checks the store.
//
// So a check that finds none of them, under the lock, finds a moment at which there was none.

extension StoreCore {
  /// Waits until nothing is under way.
  ///
  /// For rest it waits until nothing is under way that moves: what is left waits for its turn, for other works, or
  /// sleeps on something that a test controls.
  nonisolated(nonsending) func settle(
    from site: CallSite, forRest isForRest: Bool = false
  ) async throws {
    let wait = try makeWait(from: site)
    let isOpen = withLock("waited for the store") { protected in
      if protected.table.isClosed { return false }
      protected.settling.add(wait, forRest: isForRest)
      return true
    }
    guard isOpen else { return }
    defer { endSettling(wait) }
    checkSettling()
    try await wait.wait(for: .everything)
  }

  /// Lets what waits for a lull begin, and waits until nothing is under way.
  nonisolated(nonsending) func flush(from site: CallSite) async throws {
    let wait = try makeWait(from: site)
    // A commit that another thread delivers may have yet to begin a wait for a lull.
    let probe = DeliveryProbe { self.endWait(wait) }
    let step = withLock("flushed the store") { protected in
      protected.table.notifyWhenDelivered(probe)
    }
    if step.isQueued {
      if let delivery = step.delivery { deliver(delivery) }
      defer { endWait(wait) }
      try await wait.wait(for: .everything)
    }
    for flush in withLock("flushed the store", { $0.listeners.flushes }) { flush() }
    try await settle(from: site)
  }

  /// The root works: those that are registered, and those that the queues of effects know.
  var rootWorks: [WorkNode] {
    withLock("looked at what is under way") { protected in
      protected.works.members + protected.listeners.works
    }
  }

  /// Ends the waits whose condition holds now.
  func checkSettling(asDeliverer isDeliverer: Bool = false) {
    let step = withLock("ended what a dispatch had started") { protected in
      settlingStep(&protected, isDeliverer)
    }
    for wait in step.ended { endWait(wait) }
    if let delivery = step.delivery { deliver(delivery) }
    if step.mayRest { checkRest(isDeliverer) }
  }

  /// Ends a wait, because it was cancelled or is over.
  func endSettling(_ wait: WorkNode) {
    withLock("waited for the store") { protected in
      protected.settling.remove(wait)
      if protected.settling.isEmpty { workCount.endAwait() }
    }
    endWait(wait)
  }
}

extension StoreCore {
  private struct Step: Sendable {
    var ended: [WorkNode] = []
    /// A delivery that the caller is to make.
    var delivery: Delivery?
    /// Whether all commits were delivered, something is under way, and a caller waits for it to rest.
    var mayRest = false
  }

  private func makeWait(from site: CallSite) throws -> WorkNode {
    let label = WorkLabel.settling(site)
    if let caller = WorkNode.current, caller.store === self, caller.hasOwnCode {
      throw DispatchDeadlock(caller.waitLabel, waitsFor: label)
    }
    return WorkNode(label, in: self, queue: SettlingQueue(self), hasClaim: true)
  }

  private func endWait(_ wait: WorkNode) {
    (wait.queue as? SettlingQueue)?.endWait(wait)
  }

  private func settlingStep(_ protected: inout Protected, _ isDeliverer: Bool) -> Step {
    if isDeliverer { protected.settling.isProbed = false }
    if protected.settling.isEmpty { return Step() }
    var isIdle = workCount.beginAwait() == 0 && protected.works.isEmpty
    if !isIdle && !protected.settling.hasRestWaits || protected.settling.isProbed { return Step() }
    if !protected.table.isDelivered(to: isDeliverer) {
      let probe = DeliveryProbe { self.checkSettling(asDeliverer: true) }
      let queued = protected.table.notifyWhenDelivered(probe)
      protected.settling.isProbed = queued.isQueued
      if queued.isQueued { return Step(delivery: queued.delivery) }
    }
    isIdle = isIdle && workCount.beginAwait() == 0
    if !isIdle { return Step(mayRest: true) }
    workCount.endAwait()
    return Step(ended: protected.settling.removeAll())
  }

  /// Ends the waits for rest, if nothing moves.
  ///
  /// The works are looked at one after another, without the lock of the store. If one moved meanwhile, they
  /// are looked at again.
  private func checkRest(_ isDeliverer: Bool) {
    while true {
      let epoch = WorkSleep.epoch.load(ordering: .acquiring)
      let found = withLock("looked at what is under way") {
        protected -> (works: [WorkNode], count: Int)? in
        guard protected.settling.hasRestWaits, protected.table.isDelivered(to: isDeliverer) else {
          return nil
        }
        return (protected.works.members + protected.listeners.works, workCount.beginAwait())
      }
      // A work that is counted, and in no queue, is about to be registered, or to finish: that checks the
      // store again.
      guard let found, found.works.count(where: \.isCounted) == found.count,
        !WorkNode.isAnyMoving(found.works)
      else { return }
      let ended = withLock("looked at what is under way") { protected -> [WorkNode]? in
        guard WorkSleep.epoch.load(ordering: .acquiring) == epoch else { return nil }
        defer { if protected.settling.isEmpty { workCount.endAwait() } }
        return protected.settling.removeRestWaits()
      }
      if let ended {
        for wait in ended { endWait(wait) }
        return
      }
    }
  }
}

/// Where a wait for a store is entered, so that it can be cancelled, and its cycles are found.
private final class SettlingQueue: WorkQueue {
  private let core: StoreCore
  private let isOver = Atomic(false)

  init(_ core: StoreCore) {
    self.core = core
  }

  var label: WorkLabel? { nil }

  func blockers(of work: WorkNode) -> [WorkNode] { [] }

  func parts(of work: WorkNode) -> [WorkNode] { core.rootWorks }
  var hasParts: Bool { true }

  func withdraw(_ work: WorkNode) { core.endSettling(work) }

  /// Ends the claim of a wait, once.
  func endWait(_ wait: WorkNode) {
    if !isOver.exchange(true, ordering: .acquiringAndReleasing) { wait.endClaim() }
  }
}

/// Calls back once the commits before it were delivered.
final class DeliveryProbe: CommitNotification {
  private let callBack: @Sendable () -> Void

  init(_ callBack: @escaping @Sendable () -> Void) {
    self.callBack = callBack
  }

  func notifyBeforeObservers() {}
  func notifyAfterObservers() { callBack() }
  func willBeQueued() {}
}

// MARK: The waits

/// The waits for a store to settle, or to come to rest: a plain value, guarded by the lock of the store.
struct Settling: Sendable {
  /// Each has a claim, which ends when nothing is under way.
  private var waits = Waits()
  /// Each has a claim, which ends when nothing is under way that moves.
  private var restWaits = Waits()
  /// Whether a delivery is queued that will check the store again.
  var isProbed = false

  var isEmpty: Bool { waits.isEmpty && restWaits.isEmpty }
  var hasRestWaits: Bool { !restWaits.isEmpty }

  mutating func add(_ wait: WorkNode, forRest isForRest: Bool) {
    if isForRest { restWaits.add(wait) } else { waits.add(wait) }
  }

  mutating func remove(_ wait: WorkNode) {
    waits.remove(wait)
    restWaits.remove(wait)
  }

  /// Removes all waits, in the order in which they began: nothing is under way.
  mutating func removeAll() -> [WorkNode] { waits.removeAll() + restWaits.removeAll() }

  /// Removes the waits that are over because nothing moves, in the order in which they began.
  mutating func removeRestWaits() -> [WorkNode] { restWaits.removeAll() }
}

/// Waits, of which any may be removed at the same cost, however many there are.
private struct Waits: Sendable {
  private var nodes: [ObjectIdentifier: (number: UInt64, node: WorkNode)] = [:]
  private var lastNumber: UInt64 = 0

  var isEmpty: Bool { nodes.isEmpty }

  mutating func add(_ wait: WorkNode) {
    lastNumber += 1
    nodes[ObjectIdentifier(wait)] = (lastNumber, wait)
  }

  mutating func remove(_ wait: WorkNode) { nodes[ObjectIdentifier(wait)] = nil }

  mutating func removeAll() -> [WorkNode] {
    exchange(&nodes, with: [:]).values.sorted { $0.number < $1.number }.map(\.node)
  }
}

// MARK: Closing

extension StoreCore {
  /// Ends streams, releases observers, cancels tasks.
  func close() {
    hasClosed.store(true, ordering: .releasing)
    var afterCommit = AfterCommit()
    var queued: [WorkNode] = []
    let (works, attachments, log, recorders) = withLock("let go of the last reference to the store")
    {
      protected in
      if warnings != nil { queued = protected.listeners.works }
      let waits = protected.settling.removeAll()
      protected.table.close(into: &afterCommit)
      protected.table.deferRelease(protected.router.clear(), into: &afterCommit)
      protected.table.invalidateRoutes(into: &afterCommit)
      // All that holds owners, and with them what their reducers have captured.
      afterCommit.trash.append(exchange(&protected.owners, with: []))
      afterCommit.trash.append(exchange(&protected.unproved, with: []))
      afterCommit.trash.append(exchange(&protected.ownership, with: .empty))
      afterCommit.trash.append(exchange(&protected.footprints, with: OwnerIndex()))
      afterCommit.trash.append(protected.memos.removeAll())
      return (
        exchange(&protected.works, with: SlotMap()).members + waits,
        protected.listeners.removeAll(), protected.log.close(), runs.set([])
      )
    }
    withExtendedLifetime(recorders) {}
    let lost = queued.compactMap(\.lullWarning)
    for work in works { work.abandon() }
    // Nothing can wait for the jobs of a store that was released.
    for job in attachments.flatMap({ $0.close() }) { job.abandon() }
    for buffer in log { buffer.end() }
    finishDetaching(attachments)
    perform(afterCommit)
    for warning in lost { warnings?.report(warning) }
  }
}

extension WorkNode {
  /// The warning that the work was waiting for a lull, and never begins; nil if it did not wait for one.
  fileprivate var lullWarning: StoreWarning? {
    guard let queue = queue as? JobQueue, queue.holdsLulls, hasOwnCode, let name = label.effect
    else { return nil }
    var warning = StoreWarning(.lostEffect)
    warning.effect = name
    return warning.about(self)
  }
}
