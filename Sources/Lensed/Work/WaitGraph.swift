internal import Synchronization

/// Who waits for whom, to find out that a wait could never end.
///
/// Only waits that are made inside an effect or a sequence are in it; such a wait can close a circle,
/// over its own ancestors, over a queue that it occupies, or over another wait. Each step that may
/// close one (a wait, and something that joins a queue) looks for it after it was noted, so
/// whichever comes last finds it. It looks at what the step depends on, and at nothing else.
///
/// Why a job that joins a queue may skip its look when `count` is zero:
///
/// 1. A wait is counted before it looks at any queue, by the thread that waits.
/// 2. A job joins its queue before it reads the count, by the thread that joins.
/// 3. Both touch the queue under the lock of that queue, so one of them comes first there.
/// 4. If the job does, the wait finds it in the queue.
/// 5. If the wait does, its release of that lock, after the count, happens before the job's taking of
///    it, before the read: the job reads a count that is not zero, and looks.
///
/// The same holds for a wait that has not reached the queue, because the job had yet to join its parent:
/// both touch the parent under the lock of its desk. No ordering of the count itself is needed.
enum WaitGraph {
  struct Wait: Sendable {
    let id: UInt64
    let waiter: WorkNode
    let target: WorkNode
    let extent: WorkExtent
  }

  private static let waits = Locked(WaitTable())
  private static let count = Atomic(0)
  private static let lastID = Atomic<UInt64>(0)

  static func makeID() -> UInt64 {
    lastID.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Notes a wait, and breaks it if it closes a circle.
  static func enter(_ wait: Wait) {
    let isEndless = waits.withLock { waits in
      waits.add(wait)
      count.wrappingAdd(1, ordering: .relaxed)
      guard let stuck = StuckWork(reachedFrom: [wait.target], backTo: wait.waiter, waits),
        stuck.holdsUp(wait)
      else { return false }
      remove(wait, from: &waits)
      return true
    }
    if isEndless { wait.target.breakWait(wait.id) }
  }

  static func leave(_ wait: Wait) {
    waits.withLock { remove(wait, from: &$0) }
  }

  /// Breaks the waits that `work`, which has just joined a queue, makes endless, the youngest of each
  /// circle.
  static func recheck(_ work: WorkNode) {
    if count.load(ordering: .relaxed) == 0 { return }
    while let endless = waits.withLock({ waits -> Wait? in
      let blockers = work.line?.blockers(of: work) ?? []
      guard let stuck = StuckWork(reachedFrom: blockers, backTo: work, waits) else { return nil }
      let youngest = stuck.waits.filter(stuck.holdsUp).max { $0.id < $1.id }
      if let youngest { remove(youngest, from: &waits) }
      return youngest
    }) {
      endless.target.breakWait(endless.id)
    }
  }

  private static func remove(_ wait: Wait, from waits: inout WaitTable) {
    if waits.remove(wait) { count.wrappingSubtract(1, ordering: .relaxed) }
  }
}

/// The waits, by who makes them.
private struct WaitTable: Sendable {
  private var waits: [ObjectIdentifier: [WaitGraph.Wait]] = [:]

  subscript(waiter: WorkNode) -> [WaitGraph.Wait] { waits[ObjectIdentifier(waiter)] ?? [] }

  mutating func add(_ wait: WaitGraph.Wait) {
    waits[ObjectIdentifier(wait.waiter), default: []].append(wait)
  }

  /// Removes a wait; gives whether it was there.
  mutating func remove(_ wait: WaitGraph.Wait) -> Bool {
    let key = ObjectIdentifier(wait.waiter)
    guard let index = waits[key]?.firstIndex(where: { $0.id == wait.id }) else { return false }
    waits[key]?.remove(at: index)
    if waits[key]?.isEmpty == true { waits[key] = nil }
    return true
  }
}

/// The work whose code can never come to its end, as things stand.
///
/// Code can end when it waits for nothing, or for what can end; a queued job begins when one of those
/// before it can end. What is left when all that can end has been taken away is stuck.
private struct StuckWork {
  private let table: WaitTable
  private var stuck: Set<ObjectIdentifier> = []
  private var reached: [WorkNode] = []

  /// The waits of all the work that was looked at.
  var waits: [WaitGraph.Wait] { reached.flatMap { table[$0] } }

  /// Looks at what `works` depend on; nil when that does not lead back to `origin`, so that no circle
  /// goes through it.
  ///
  /// - Complexity: O(what they depend on), unless there may be a circle.
  init?(reachedFrom works: [WorkNode], backTo origin: WorkNode, _ table: WaitTable) {
    self.table = table
    var pending = works
    while let next = pending.popLast() {
      guard stuck.insert(ObjectIdentifier(next)).inserted else { continue }
      reached.append(next)
      pending += next.children + blockers(of: next) + table[next].map(\.target)
    }
    guard isStuck(origin) else { return nil }
    // All of it is presumed stuck so far.
    var isSettled = false
    while !isSettled {
      isSettled = true
      for work in reached where isStuck(work) && canEnd(work) {
        stuck.remove(ObjectIdentifier(work))
        isSettled = false
      }
    }
  }

  /// Whether a wait is for something stuck.
  func holdsUp(_ wait: WaitGraph.Wait) -> Bool {
    wait.extent == .applied ? isStuck(wait.target) : isTreeStuck(wait.target)
  }

  private func isStuck(_ work: WorkNode) -> Bool { stuck.contains(ObjectIdentifier(work)) }

  private func isTreeStuck(_ work: WorkNode) -> Bool {
    var pending = [work]
    while let next = pending.popLast() {
      if isStuck(next) { return true }
      pending += next.children
    }
    return false
  }

  private func canEnd(_ work: WorkNode) -> Bool {
    let blockers = blockers(of: work)
    if !blockers.isEmpty && blockers.allSatisfy(isStuck) { return false }
    return !table[work].contains(where: holdsUp)
  }

  private func blockers(of work: WorkNode) -> [WorkNode] { work.line?.blockers(of: work) ?? [] }
}
