/// What one thread computes of one node for one commit, as that node knows it; nodes link those of several threads.
///
/// Mutable state: whether the function is running, which only that thread reads or writes; and the next computation,
/// which the lock of the store guards.
struct DerivedComputation: Sendable {
  private struct Content: Sendable {
    let revision: UInt64
    let step: Int
    let thread = ThreadIdentity.current
    var isRunning = false
    var next: DerivedComputation?
  }

  private let content: UnsafeCell<Content>

  init(of revision: UInt64, step: Int) {
    content = UnsafeCell(Content(revision: revision, step: step))
  }

  /// The step of its evaluation.
  var step: Int { content.value.step }

  /// Another computation of the node; under the lock of the store.
  var next: DerivedComputation? {
    get { content.value.next }
    nonmutating set { content.value.next = newValue }
  }

  /// Runs the function of the node.
  func run(_ compute: () -> ValueBox) -> ValueBox {
    content.value.isRunning = true
    defer { content.value.isRunning = false }
    return compute()
  }

  /// Whether the calling thread is in the function, for the commit of another computation.
  func isRunning(at other: DerivedComputation) -> Bool {
    content.value.thread == ThreadIdentity.current
      && content.value.revision == other.content.value.revision && content.value.isRunning
  }

  static func === (left: Self, right: Self) -> Bool { left.content === right.content }
}
