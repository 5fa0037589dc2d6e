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
