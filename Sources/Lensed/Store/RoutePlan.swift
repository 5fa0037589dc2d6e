/// What a type of action makes of the state: the reducers that answer it, in registration order.
///
/// The first two stand in the value itself: each step from one object to the next is waited for
/// while the lock is held, and few actions have more than two reducers.
@usableFromInline
struct RoutePlan: Sendable {
  /// Runs reducers on an action, and gives what that shows.
  @usableFromInline
  typealias Run = @Sendable (_ action: Place, _ revision: UInt64) -> Signs

  private let count: Int
  private var first: Handler
  private var second: Handler
  /// The others, as one function.
  private let rest: Run

  init(_ handlers: [Handler]) {
    let nobody = Handler.nobody
    count = handlers.count
    first = handlers.first ?? nobody
    second = handlers.dropFirst().first ?? nobody
    rest = Self.fuse(handlers.dropFirst(2))
  }

  /// Runs the reducers on the state, and gives what that shows.
  @inline(__always)
  mutating func run(_ action: Place, _ revision: UInt64) -> Signs {
    if count == 0 { return [] }
    var signs = first.run(action, revision)
    if count == 1 { return signs }
    signs.formUnion(second.run(action, revision))
    if count == 2 { return signs }
    return signs.union(rest(action, revision))
  }

  /// One function that runs all handlers, as a balanced tree of pairs.
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
    default:
      let middle = handlers.startIndex + handlers.count / 2
      let (first, second) = (fuse(handlers[..<middle]), fuse(handlers[middle...]))
      return { action, revision in
        let signs = first(action, revision)
        return signs.union(second(action, revision))
      }
    }
  }
}
