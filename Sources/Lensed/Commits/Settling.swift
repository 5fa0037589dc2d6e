/// The waits for a store to settle, or to come to rest: a plain value, guarded by the lock of the store.
struct Settling: Sendable {
  /// Each has a claim, which ends when nothing is under way.
  private var waits: [WorkNode] = []
  /// Each has a claim, which ends when nothing is under way that moves.
  private var restWaits: [WorkNode] = []
  /// Whether a delivery is queued that will check the store again.
  var isProbed = false

  var isEmpty: Bool { waits.isEmpty && restWaits.isEmpty }
  var hasRestWaits: Bool { !restWaits.isEmpty }

  mutating func add(_ wait: WorkNode, forRest isForRest: Bool) {
    if isForRest { restWaits.append(wait) } else { waits.append(wait) }
  }

  mutating func remove(_ wait: WorkNode) {
    waits.removeAll { $0 === wait }
    restWaits.removeAll { $0 === wait }
  }

  /// Removes all waits: nothing is under way.
  mutating func removeAll() -> [WorkNode] {
    exchange(&waits, with: []) + removeRestWaits()
  }

  /// Removes the waits that are over because nothing moves.
  mutating func removeRestWaits() -> [WorkNode] { exchange(&restWaits, with: []) }
}
