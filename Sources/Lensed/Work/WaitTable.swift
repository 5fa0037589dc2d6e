/// One wait of a work for another.
struct PendingWait: Sendable {
  let id: UInt64
  let waiter: WorkNode
  let target: WorkNode
  let extent: WorkExtent
}

/// The pending waits, by the work that waits.
struct WaitTable: Sendable {
  private var waits: [ObjectIdentifier: [PendingWait]] = [:]

  subscript(waiter: WorkNode) -> [PendingWait] { waits[ObjectIdentifier(waiter)] ?? [] }

  mutating func add(_ wait: PendingWait) {
    waits[ObjectIdentifier(wait.waiter), default: []].append(wait)
  }

  /// Removes a wait, and returns whether it was in the table.
  mutating func remove(_ wait: PendingWait) -> Bool {
    let key = ObjectIdentifier(wait.waiter)
    guard let index = waits[key]?.firstIndex(where: { $0.id == wait.id }) else { return false }
    waits[key]?.remove(at: index)
    if waits[key]?.isEmpty == true { waits[key] = nil }
    return true
  }
}
