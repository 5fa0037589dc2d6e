/// What one thread computes for one commit, and whose function it is running.
///
/// Mutable state: the node, which only that thread reads or writes.
final class DerivedComputation: Sendable {
  let revision: UInt64
  private let thread = ThreadIdentity.current
  /// The node whose function is running.
  private let node = UnsafeCell<ObjectIdentifier?>(nil)

  init(of revision: UInt64) {
    self.revision = revision
  }

  /// Runs the function of a node.
  func run(_ node: ObjectIdentifier, _ compute: () -> ValueBox) -> ValueBox {
    self.node.value = node
    defer { self.node.value = nil }
    return compute()
  }

  /// Whether the calling thread is in the function of a node, for the commit `revision`.
  func isRunning(_ node: ObjectIdentifier, at revision: UInt64) -> Bool {
    thread == ThreadIdentity.current && self.revision == revision && self.node.value == node
  }
}
