internal import Synchronization

/// Who waits for whom, to find out that a wait could never end.
///
/// Only waits that are made inside an effect or a sequence are in it; such a wait can close a circle,
/// over its own ancestors, over a queue that it occupies, or over another wait. Each step that may
/// close one (a wait, and something that joins a queue) looks for it after it was noted, so
/// whichever comes last finds it.
enum WaitGraph {
  struct Wait: Sendable {
    let id: UInt64
    let waiter: Work
    let target: Work
    let extent: WorkExtent
  }

  private static let waits = Guarded<[UInt64: Wait]>([:])
  private static let count = Atomic(0)
  private static let lastID = Atomic<UInt64>(0)

  static func makeID() -> UInt64 {
    lastID.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Notes a wait, and breaks it if it closes a circle.
  static func enter(_ wait: Wait) {
    let isCircle = waits.withLock { waits in
      waits[wait.id] = wait
      count.wrappingAdd(1, ordering: .sequentiallyConsistent)
      return Search(waits: waits, origin: wait.waiter).isStuck(wait)
    }
    if isCircle { wait.target.breakWait(wait.id) }
  }

  static func leave(_ id: UInt64) {
    let left = waits.withLock { waits in
      let left = waits.removeValue(forKey: id)
      if left != nil { count.wrappingSubtract(1, ordering: .relaxed) }
      return left
    }
    _ = left
  }

  /// Breaks the waits that something which has just joined a queue makes endless.
  static func recheck() {
    if count.load(ordering: .sequentiallyConsistent) == 0 { return }
    let stuck = waits.withLock { waits in
      waits.values.filter { Search(waits: waits, origin: $0.waiter).isStuck($0) }
    }
    for wait in stuck { wait.target.breakWait(wait.id) }
  }

  /// Looks whether something can only end after `origin` has.
  private struct Search {
    let waits: [UInt64: Wait]
    let origin: Work

    func isStuck(_ wait: Wait) -> Bool {
      var seen: Set<ObjectIdentifier> = []
      return isStuck(wait, &seen)
    }

    private func isStuck(_ wait: Wait, _ seen: inout Set<ObjectIdentifier>) -> Bool {
      wait.extent == .applied
        ? isRunStuck(wait.target, &seen) : isTreeStuck(wait.target, &seen)
    }

    private func isTreeStuck(_ work: Work, _ seen: inout Set<ObjectIdentifier>) -> Bool {
      if isRunStuck(work, &seen) { return true }
      return work.offspring.contains { isTreeStuck($0, &seen) }
    }

    /// Whether the code of the work itself can end.
    private func isRunStuck(_ work: Work, _ seen: inout Set<ObjectIdentifier>) -> Bool {
      if work === origin { return true }
      guard seen.insert(ObjectIdentifier(work)).inserted else { return false }
      let blockers = work.line?.blockers(of: work) ?? []
      if !blockers.isEmpty && blockers.allSatisfy({ isRunStuck($0, &seen) }) { return true }
      return waits.values.contains { $0.waiter === work && isStuck($0, &seen) }
    }
  }
}
