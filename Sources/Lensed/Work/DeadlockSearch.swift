/// A search for works whose code can never end, given the present waits and queues.
///
/// The code of a work can end if it waits for nothing, or only for works that can end. A queued job can
/// begin if one of its blockers can end. The search presumes all reached works stuck, removes those that
/// can end until none is left to remove, and reports the rest.
struct DeadlockSearch {
  private let table: WaitTable
  private var stuck: Set<ObjectIdentifier> = []
  private var reached: [WorkNode] = []

  /// The waits of all works that the search reached.
  var waits: [PendingWait] { reached.flatMap { table[$0] } }

  /// Searches the works that `works` depend on.
  ///
  /// Fails if they do not lead back to `origin`: no cycle goes through it then.
  ///
  /// - Complexity: O(*n*) in the works that `works` depend on, unless there may be a cycle.
  init?(from works: [WorkNode], backTo origin: WorkNode, _ table: WaitTable) {
    self.table = table
    var pending = works
    while let next = pending.popLast() {
      guard stuck.insert(ObjectIdentifier(next)).inserted else { continue }
      reached.append(next)
      pending += parts(of: next) + blockers(of: next) + table[next].map(\.target)
    }
    guard isStuck(origin) else { return nil }
    var isSettled = false
    while !isSettled {
      isSettled = true
      for work in reached where isStuck(work) && canEnd(work) {
        stuck.remove(ObjectIdentifier(work))
        isSettled = false
      }
    }
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
      pending += parts(of: next)
    }
    return false
  }

  private func canEnd(_ work: WorkNode) -> Bool {
    let blockers = blockers(of: work)
    if !blockers.isEmpty && blockers.allSatisfy(isStuck) { return false }
    return !table[work].contains(where: isEndless)
  }

  /// The works that have to end before `work` does.
  private func parts(of work: WorkNode) -> [WorkNode] {
    work.children + (work.queue?.parts(of: work) ?? [])
  }

  private func blockers(of work: WorkNode) -> [WorkNode] { work.queue?.blockers(of: work) ?? [] }
}
