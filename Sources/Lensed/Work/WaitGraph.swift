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
enum WaitGraph {
  private static let waits = Locked(WaitTable())
  private static let count = Atomic(0)
  private static let lastID = Atomic<UInt64>(0)

  static func makeID() -> UInt64 {
    lastID.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Adds a wait, and breaks it if it closes a cycle.
  static func add(_ wait: PendingWait) {
    let isEndless = waits.withLock { waits in
      waits.add(wait)
      count.wrappingAdd(1, ordering: .relaxed)
      guard let search = DeadlockSearch(from: [wait.target], backTo: wait.waiter, waits),
        search.isEndless(wait)
      else { return false }
      remove(wait, from: &waits)
      return true
    }
    WorkSleep.noteChange()
    if isEndless { wait.target.endWait(wait.id, with: .deadlocked) }
  }

  static func remove(_ wait: PendingWait) {
    waits.withLock { remove(wait, from: &$0) }
  }

  /// Breaks the waits that `work` has made endless by joining a queue: the youngest wait of each cycle.
  static func recheck(_ work: WorkNode) {
    if count.load(ordering: .relaxed) == 0 { return }
    while let endless = waits.withLock({ waits -> PendingWait? in
      // What others wait for costs a job nothing that nobody waits for.
      if !waits.mightWait(for: work) { return nil }
      let blockers = work.queue?.blockers(of: work) ?? []
      guard let search = DeadlockSearch(from: blockers, backTo: work, waits) else { return nil }
      let youngest = search.waits.filter(search.isEndless).max { $0.id < $1.id }
      if let youngest { remove(youngest, from: &waits) }
      return youngest
    }) {
      endless.target.endWait(endless.id, with: .deadlocked)
    }
  }

  /// Whether the code of `work` waits for another work.
  ///
  /// A wait that is over is still in the table, until the code that waited runs again.
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
