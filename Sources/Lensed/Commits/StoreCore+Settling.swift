internal import Synchronization

// How a store finds out that nothing is under way: no root work that is registered, none that is counted because only
// its queue knows it, no commit whose delivery may start one, and no call that the deliverer has left to another
// thread, which is counted, too. All four change under the lock of the store, or are looked at again after a change:
//
// 1. A root is registered or counted in the commit that it comes from, and a sequence when it is dispatched.
// 2. When a work has finished, and a caller waits, the thread that finished it checks the store.
// 3. When a delivery is under way, a probe is queued behind it, which checks the store.
// 4. A deliverer counts a call before it gives the baton up; so the count is read after the baton. When the call was
//    made, and a caller waits, the thread that made it checks the store. Whoever releases a task whose error nobody has
//    seen counts a call, too: a caller that waits from then on waits for that.
//
// So a check that finds none of them, under the lock, finds a moment at which there was none.

extension StoreCore {
  /// Waits until nothing is under way; for rest, until nothing is that moves: what is left waits for its turn, for
  /// other works, or sleeps on something that a test controls.
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

  /// The root works: registered ones, and those that the queues of effects know.
  var rootWorks: [WorkNode] {
    withLock("looked at what is under way") { protected in
      protected.works.members + protected.listeners.works
    }
  }

  func checkSettling(asDeliverer isDeliverer: Bool = false) {
    let step = withLock("ended what a dispatch had started") { protected in
      settlingStep(&protected, isDeliverer)
    }
    for wait in step.ended { endWait(wait) }
    if let delivery = step.delivery { deliver(delivery) }
    if step.mayRest { checkRest(isDeliverer) }
  }

  func endSettling(_ wait: WorkNode) {
    withLock("waited for the store") { protected in
      protected.settling.remove(wait)
      if protected.settling.isEmpty { workCount.endAwait() }
    }
    endWait(wait)
  }

  private struct Step: Sendable {
    var ended: [WorkNode] = []
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

  /// Ends the waits for rest, if nothing moves: the works are looked at one after another, without the store's lock,
  /// and again if one moved meanwhile.
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

extension WorkNode {
  /// Whether the code of some of these works, or of their children, moves; what has ended, and is still in the tree,
  /// counts as moving: the tree is about to change, and `workChanged` is called then.
  fileprivate static func isAnyMoving(_ works: [WorkNode]) -> Bool {
    var pending = works
    while let work = pending.popLast() {
      if work.state.withLock({ $0.machine.hasEnded }) || work.activity == .running { return true }
      pending += work.children
    }
    return false
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

  func endWait(_ wait: WorkNode) {
    if !isOver.exchange(true, ordering: .acquiringAndReleasing) { wait.endClaim() }
  }
}

// MARK: The waits

extension WorkNode: Identifiable {}

/// Waits in the order in which they began, of which any may be removed, however many there are.
struct Settling: Sendable {
  /// Each has a claim, which ends when nothing is under way.
  private var waits = Entities<WorkNode>()
  /// Each has a claim, which ends when nothing is under way that moves.
  private var restWaits = Entities<WorkNode>()
  /// Whether a delivery is queued that will check the store again.
  var isProbed = false

  var isEmpty: Bool { waits.isEmpty && restWaits.isEmpty }
  var hasRestWaits: Bool { !restWaits.isEmpty }

  mutating func add(_ wait: WorkNode, forRest isForRest: Bool) {
    if isForRest { restWaits.append(wait) } else { waits.append(wait) }
  }

  mutating func remove(_ wait: WorkNode) {
    waits.remove(id: wait.id)
    restWaits.remove(id: wait.id)
  }

  /// Removes all waits: nothing is under way.
  mutating func removeAll() -> [WorkNode] { exchange(&waits, with: []) + removeRestWaits() }

  /// Removes the waits that are over because nothing moves.
  mutating func removeRestWaits() -> [WorkNode] { Array(exchange(&restWaits, with: [])) }
}

// MARK: What is counted

/// How many root works a store has that it does not register, because their queues know them; and how many calls of
/// observers wait for another thread than the deliverer.
///
/// The number, and whether a caller waits for the works of the store, are one word:
/// 1. *Writers.* `add` is called under the lock of the store; or by the deliverer, for a call, before it gives the
///    baton up. `remove` is called without it, when such a work has finished. `beginAwait` sets the mark under the lock.
/// 2. *No end is missed.* `beginAwait` and `remove` modify one word, so one comes first. If `remove` comes first,
///    `beginAwait` returns the lower number. If `beginAwait` comes first, the one that removes reads the mark, and checks
///    the store.
/// 3. *A work that changes otherwise* reads the mark after it has changed under its own lock. A caller that
///    waits sets the mark, and then looks at the work under that lock: so it sees the change, or the work the
///    mark.
struct WorkCount: ~Copyable, Sendable {
  private static let mark = 1
  private static let one = 2

  /// The number, shifted by one bit, and the mark in the lowest one.
  private let word = Atomic(0)

  func add() {
    word.wrappingAdd(Self.one, ordering: .relaxed)
  }

  func remove() {
    word.wrappingSubtract(Self.one, ordering: .acquiringAndReleasing)
  }

  /// Notes that a caller waits; returns the number of works.
  func beginAwait() -> Int {
    word.bitwiseOr(Self.mark, ordering: .acquiringAndReleasing).newValue / Self.one
  }

  func endAwait() {
    word.bitwiseAnd(~Self.mark, ordering: .releasing)
  }

  var isAwaited: Bool { word.load(ordering: .acquiring) & Self.mark != 0 }
}
