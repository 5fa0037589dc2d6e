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
    let isEndless = waits.withLock { waits in
      waits[wait.id] = wait
      count.wrappingAdd(1, ordering: .sequentiallyConsistent)
      guard StuckWork(waits).holdsUp(wait) else { return false }
      remove(wait.id, from: &waits)
      return true
    }
    if isEndless { wait.target.breakWait(wait.id) }
  }

  static func leave(_ id: UInt64) {
    let left = waits.withLock { remove(id, from: &$0) }
    _ = left
  }

  /// Breaks the waits that something which has just joined a queue makes endless, the youngest of each
  /// circle.
  static func recheck() {
    if count.load(ordering: .sequentiallyConsistent) == 0 { return }
    while let endless = waits.withLock({ waits in
      let stuck = StuckWork(waits)
      let youngest = waits.values.filter(stuck.holdsUp).max { $0.id < $1.id }
      return youngest.flatMap { remove($0.id, from: &waits) }
    }) {
      endless.target.breakWait(endless.id)
    }
  }

  @discardableResult
  private static func remove(_ id: UInt64, from waits: inout [UInt64: Wait]) -> Wait? {
    guard let left = waits.removeValue(forKey: id) else { return nil }
    count.wrappingSubtract(1, ordering: .relaxed)
    return left
  }
}

/// The work whose code can never come to its end, as things stand.
///
/// Code can end when it waits for nothing, or for what can end; a queued job begins when one of those
/// before it can end. What is left when all that can end has been taken away is stuck.
private struct StuckWork {
  private let waits: [ObjectIdentifier: [WaitGraph.Wait]]
  private var stuck: Set<ObjectIdentifier> = []

  init(_ all: [UInt64: WaitGraph.Wait]) {
    waits = Dictionary(grouping: all.values) { ObjectIdentifier($0.waiter) }
    var reached: [Work] = []
    for wait in all.values {
      collect(wait.waiter, into: &reached)
      collect(wait.target, into: &reached)
    }
    var isSettled = false
    while !isSettled {
      isSettled = true
      for work in reached where stuck.contains(ObjectIdentifier(work)) && canEnd(work) {
        stuck.remove(ObjectIdentifier(work))
        isSettled = false
      }
    }
  }

  /// Whether a wait is for something stuck.
  func holdsUp(_ wait: WaitGraph.Wait) -> Bool {
    wait.extent == .applied ? isStuck(wait.target) : isTreeStuck(wait.target)
  }

  private func isStuck(_ work: Work) -> Bool { stuck.contains(ObjectIdentifier(work)) }

  private func isTreeStuck(_ work: Work) -> Bool {
    var pending = [work]
    while let next = pending.popLast() {
      if isStuck(next) { return true }
      pending += next.offspring
    }
    return false
  }

  private func canEnd(_ work: Work) -> Bool {
    let blockers = work.line?.blockers(of: work) ?? []
    if !blockers.isEmpty && blockers.allSatisfy(isStuck) { return false }
    return !(waits[ObjectIdentifier(work)] ?? []).contains(where: holdsUp)
  }

  /// Gathers what a work depends on, all of it presumed stuck.
  private mutating func collect(_ work: Work, into reached: inout [Work]) {
    var pending = [work]
    while let next = pending.popLast() {
      guard stuck.insert(ObjectIdentifier(next)).inserted else { continue }
      reached.append(next)
      pending += next.offspring + (next.line?.blockers(of: next) ?? [])
    }
  }
}
