internal import Synchronization

/// Whether calls may begin.
@usableFromInline
final class CallGate: Sendable {
  private let hasClosed = Atomic(false)

  @usableFromInline
  init() {}

  @usableFromInline
  var isOpen: Bool { !hasClosed.load(ordering: .acquiring) }

  func close() {
    hasClosed.store(true, ordering: .releasing)
  }
}

/// Somebody who is called back for commits.
final class Observer: Sendable {
  /// Grows with each subscription; observers hear in this order.
  let id: UInt64
  let outlets: [Outlet]
  let gate: CallGate
  private let deliver: @Sendable (_ revision: UInt64) -> Void

  init(
    id: UInt64, outlets: [Outlet], gate: CallGate,
    deliver: @escaping @Sendable (_ revision: UInt64) -> Void
  ) {
    self.id = id
    self.outlets = outlets
    self.gate = gate
    self.deliver = deliver
  }

  /// Calls back, unless the subscription was cancelled.
  func hear(_ revision: UInt64) -> Bool {
    guard gate.isOpen else { return false }
    deliver(revision)
    return true
  }
}
