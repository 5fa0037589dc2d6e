/// One wait of a work for another.
struct PendingWait: Sendable {
  let id: UInt64
  let waiter: WorkNode
  let target: WorkNode
  let extent: WorkExtent

  fileprivate var isWide: Bool { target.queue?.hasParts ?? false }
}

/// The pending waits, by the work that waits.
struct WaitTable: Sendable {
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

  /// Whether a wait might be for a work that has just joined a queue: for it, for one above it, or for all of its store.
  ///
  /// It blocks nobody yet, so nothing else can wait for it.
  ///
  /// - Complexity: O(*n*) in the works above it.
  func mightWait(for work: WorkNode) -> Bool {
    if wideCount > 0 { return true }
    var next: WorkNode? = work
    while let candidate = next {
      if targets[ObjectIdentifier(candidate)] != nil { return true }
      // That of a work that ended early is who has its children.
      next = candidate.state.withLock { $0.parent }
    }
    return false
  }
}
