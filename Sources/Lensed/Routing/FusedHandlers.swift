/// Several handlers as one function.
enum FusedHandlers {
  /// Runs reducers on an action, and returns the flags of that.
  typealias Run = @Sendable (_ action: StateAddress, _ revision: UInt64) -> CommitFlags

  /// One function that runs all handlers in order, as a balanced tree of pairs.
  static func fuse(_ handlers: ArraySlice<Handler>) -> Run {
    switch handlers.count {
    case 0:
      return { _, _ in [] }
    case 1:
      let only = handlers[handlers.startIndex]
      return { action, revision in
        var handler = only
        return handler.run(action, revision)
      }
    case 2:
      let (first, second) = (handlers[handlers.startIndex], handlers[handlers.startIndex + 1])
      return { action, revision in
        var handlers = (first, second)
        let flags = handlers.0.run(action, revision)
        return flags | handlers.1.run(action, revision)
      }
    default:
      let middle = handlers.startIndex + handlers.count / 2
      let (first, second) = (fuse(handlers[..<middle]), fuse(handlers[middle...]))
      return { action, revision in
        let flags = first(action, revision)
        return flags | second(action, revision)
      }
    }
  }
}
