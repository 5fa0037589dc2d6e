/// A loop in which one thread handles one item after another.
///
/// What an item leads to is added to the loop, and handled after it: so a long chain takes no stack. Its holder binds
/// the loop as a task-local value. A task that is started meanwhile inherits that, and may outlive the loop on another
/// thread: for such a task the loop is not open.
final class ThreadLoop<Items: Sendable>: Sendable {
  private let state: Locked<(items: Items, isOver: Bool)>
  private let thread = ThreadIdentity.current

  init(_ items: consuming Items) {
    state = Locked((items, false))
  }

  /// Whether the caller may add items: on the thread of the loop, and it is not over before the caller returns.
  var isOpen: Bool { thread == ThreadIdentity.current && !state.withLock { $0.isOver } }

  /// For the holder of the loop, or after `isOpen` on this thread.
  func edit<Result: Sendable>(_ body: (inout Items) -> Result) -> Result {
    state.withLock { body(&$0.items) }
  }

  /// Takes the next item; where there is none, the loop is over.
  func next<Item: Sendable>(_ take: (inout Items) -> Item?) -> Item? {
    state.withLock { state in
      let item = take(&state.items)
      if item == nil { state.isOver = true }
      return item
    }
  }
}
