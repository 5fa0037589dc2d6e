internal import Synchronization

/// The wait-for graph of the process: it detects waits that could never end.
///
/// It holds only waits that are made inside an effect or a sequence. Such a wait can close a cycle: over
/// its own ancestors, over a queue that it occupies, or over another wait.
///
/// Two steps can close a cycle: a wait, and a job that joins a queue. Each first records itself, and then
/// searches what it depends on; so the last step of a cycle finds it.
///
/// The mutable state is `waits`, under its own lock, and `count`, an atomic that mirrors its size.
///
/// A job that joins a queue skips its search when `count` is zero. A cycle is found all the same:
///
/// 1. A wait increments `count` before it reads any queue. The waiting thread does both.
/// 2. A job joins its queue before it reads `count`. The joining thread does both.
/// 3. Both access the queue under the lock of that queue, so one access comes first.
/// 4. If the job comes first, the wait finds it in the queue.
/// 5. If the wait comes first, its increment precedes its release of that lock. The release happens
///    before the job's acquisition of the lock, and that precedes the job's read: the job reads a count
///    above zero, and searches.
///
/// The same holds for a wait that did not reach the queue because the job had yet to attach to its parent:
/// both access the parent under the lock of its state. So `count` itself needs no ordering.
///
/// What was looked at under the lock may have finished meanwhile, and a reference to it may be the last one: it is
/// released without the lock, since that may run a user's `deinit`.
enum WaitGraph {
  private static let waits = Locked(WaitTable())
  private static let count = Atomic(0)
  private static let lastID = Atomic<UInt64>(0)

  static func makeID() -> UInt64 {
    lastID.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Adds a wait, and breaks it if it closes a cycle.
  static func add(_ wait: PendingWait) {
    var search = DeadlockSearch()
    let isEndless = waits.withLock { waits in
      waits.add(wait)
      count.wrappingAdd(1, ordering: .relaxed)
      guard search.findStuck(from: [wait.target], backTo: wait.waiter, waits),
        search.isEndless(wait)
      else { return false }
      remove(wait, from: &waits)
      return true
    }
    withExtendedLifetime(search) {}
    WorkSleep.noteChange()
    if isEndless { wait.target.endWait(wait.id, with: .deadlocked) }
  }

  static func remove(_ wait: PendingWait) {
    waits.withLock { remove(wait, from: &$0) }
  }

  /// Breaks the waits that `work` has made endless by joining a queue: the youngest wait of each cycle.
  static func recheck(_ work: WorkNode) {
    if count.load(ordering: .relaxed) == 0 { return }
    while let endless = removeEndless(because: work) {
      endless.target.endWait(endless.id, with: .deadlocked)
    }
  }

  private static func removeEndless(because work: WorkNode) -> PendingWait? {
    var (search, above) = (DeadlockSearch(), [WorkNode]())
    let endless = waits.withLock { waits -> PendingWait? in
      // A job that no work waits for pays nothing for the waits of others.
      if !waits.mightWait(for: work, lookingAt: &above) { return nil }
      let blockers = work.queue?.blockers(of: work) ?? []
      guard search.findStuck(from: blockers, backTo: work, waits) else { return nil }
      let youngest = search.waits(in: waits).filter(search.isEndless).max { $0.id < $1.id }
      if let youngest { remove(youngest, from: &waits) }
      return youngest
    }
    withExtendedLifetime((search, above)) {}
    return endless
  }

  /// Whether the code of `work` waits for another work; a wait that is over is in the table until that code runs again.
  static func isWaiting(_ work: WorkNode) -> Bool {
    waits.withLock { waits in
      waits[work].contains { wait in
        wait.target.state.withLock { $0.machine.waits[wait.id] != nil }
      }
    }
  }

  private static func remove(_ wait: PendingWait, from waits: inout WaitTable) {
    if waits.remove(wait) { count.wrappingSubtract(1, ordering: .relaxed) }
  }
}

// MARK: The waits of a graph

/// One wait of a work for another.
struct PendingWait: Sendable {
  let id: UInt64
  let waiter: WorkNode
  let target: WorkNode
  let extent: WorkExtent

  fileprivate var isWide: Bool { target.queue?.hasParts ?? false }
}

/// The pending waits, by the work that waits.
private struct WaitTable: Sendable {
  private var waits: [ObjectIdentifier: [PendingWait]] = [:]
  /// How many waits are for each work.
  private var targets: [ObjectIdentifier: Int] = [:]
  /// How many of them are for a work that has parts beside its children, so for any work of a store.
  private var wideCount = 0

  subscript(waiter: WorkNode) -> [PendingWait] { waits[ObjectIdentifier(waiter)] ?? [] }

  mutating func add(_ wait: PendingWait) {
    waits[ObjectIdentifier(wait.waiter), default: []].append(wait)
    targets[ObjectIdentifier(wait.target), default: 0] += 1
    if wait.isWide { wideCount += 1 }
  }

  /// Removes a wait, and returns whether it was in the table.
  mutating func remove(_ wait: PendingWait) -> Bool {
    let key = ObjectIdentifier(wait.waiter)
    guard let index = waits[key]?.firstIndex(where: { $0.id == wait.id }) else { return false }
    waits[key]?.remove(at: index)
    if waits[key]?.isEmpty == true { waits[key] = nil }
    let target = ObjectIdentifier(wait.target)
    targets[target] = targets[target].flatMap { $0 == 1 ? nil : $0 - 1 }
    if wait.isWide { wideCount -= 1 }
    return true
  }

  /// Whether a wait might be for a work that has just joined a queue, and so blocks none yet: for it, for one above it,
  /// or for all of its store.
  ///
  /// The caller releases those above it.
  ///
  /// - Complexity: O(*n*) in the works above it.
  func mightWait(for work: WorkNode, lookingAt above: inout [WorkNode]) -> Bool {
    if wideCount > 0 || targets[ObjectIdentifier(work)] != nil { return true }
    // The parent of a work that ended early is the one that took over its children.
    while let next = (above.last ?? work).state.withLock({ $0.parent }) {
      above.append(next)
      if targets[ObjectIdentifier(next)] != nil { return true }
    }
    return false
  }
}

// MARK: The search

/// A search for works whose code can never end, given the present waits and queues.
///
/// The code of a work can end if it waits for nothing, or only for works that can end. A queued job can
/// begin if one of its blockers can end. The search presumes all reached works stuck, removes those that
/// can end until none is left to remove, and reports the rest.
///
/// It looks at each work once, and holds what it has found there: its holder releases it without the lock.
private struct DeadlockSearch {
  private struct Reached {
    let work: WorkNode
    /// The works that have to end before it does.
    let parts: [WorkNode]
    let blockers: [WorkNode]

    init(_ work: WorkNode) {
      self.work = work
      parts = work.children + (work.queue?.parts(of: work) ?? [])
      blockers = work.queue?.blockers(of: work) ?? []
    }
  }

  private var stuck: Set<ObjectIdentifier> = []
  private var reached: [ObjectIdentifier: Reached] = [:]

  /// The waits of all works that the search reached.
  func waits(in table: WaitTable) -> [PendingWait] { reached.values.flatMap { table[$0.work] } }

  /// Searches the works that `works` depend on.
  ///
  /// Returns false if they do not lead back to `origin`: no cycle goes through it then.
  ///
  /// - Complexity: O(*n*) in the works that `works` depend on, unless there may be a cycle.
  mutating func findStuck(
    from works: [WorkNode], backTo origin: WorkNode, _ table: WaitTable
  ) -> Bool {
    var pending = works
    while let next = pending.popLast() {
      guard stuck.insert(ObjectIdentifier(next)).inserted else { continue }
      let found = Reached(next)
      reached[ObjectIdentifier(next)] = found
      pending += found.parts + found.blockers + table[next].map(\.target)
    }
    guard isStuck(origin) else { return false }
    var isSettled = false
    while !isSettled {
      isSettled = true
      for found in reached.values where isStuck(found.work) && canEnd(found, table) {
        stuck.remove(ObjectIdentifier(found.work))
        isSettled = false
      }
    }
    return true
  }

  /// Whether a wait can never end.
  func isEndless(_ wait: PendingWait) -> Bool {
    wait.extent == .applied ? isStuck(wait.target) : isTreeStuck(wait.target)
  }

  private func isStuck(_ work: WorkNode) -> Bool { stuck.contains(ObjectIdentifier(work)) }

  private func isTreeStuck(_ work: WorkNode) -> Bool {
    var pending = [work]
    while let next = pending.popLast() {
      if isStuck(next) { return true }
      pending += reached[ObjectIdentifier(next)]?.parts ?? []
    }
    return false
  }

  private func canEnd(_ found: Reached, _ table: WaitTable) -> Bool {
    if !found.blockers.isEmpty && found.blockers.allSatisfy(isStuck) { return false }
    return !table[found.work].contains(where: isEndless)
  }
}

// MARK: What it finds

/// An error: a wait would never end, because its target cannot end before the waiter does.
public struct DispatchDeadlock: Error, Sendable, Hashable, CustomStringConvertible {
  /// The effect or sequence that waits.
  public let waiter: String
  /// The dispatch that it waits for; or the wait itself, if that is for a store to settle.
  public let awaited: String
  /// Whether it waits for a store to settle.
  private let isSettling: Bool

  init(_ waiter: WorkLabel, waitsFor awaited: WorkLabel) {
    (self.waiter, self.awaited) = ("\(waiter)", "\(awaited)")
    isSettling = if case .settling = awaited { true } else { false }
  }

  /// The cause and the remedy.
  public var description: String {
    if isSettling {
      return """
        Lensed: \(awaited) is made by \(waiter), which is under way in that store, or is waited for there: the \
        store cannot settle before \(waiter) has ended. Let \(waiter) return first, and wait where the store \
        was made.
        """
    }
    return """
      Lensed: \(waiter) waits for finish() of \(awaited), which cannot end before \(waiter) has. \
      Let \(waiter) return first, and wait where the dispatch was made, or wait with \
      finish(.applied) for the actions alone.
      """
  }
}
