/// What a type of action makes of the state: the reducers that answer it, in registration order.
///
/// The first two stand in the value itself: each step from one object to the next is waited for
/// while the lock is held, and few actions have more than two reducers.
struct RoutePlan: Sendable {
  private typealias Run = @Sendable (_ action: Place, _ revision: UInt64) -> Signs

  private let count: Int
  private var first: Handler
  private var second: Handler
  /// The others, as one function.
  private let rest: Run

  /// `nowhere` is any address that a handler may have.
  init(_ handlers: [Handler], nowhere: Place) {
    let nobody = Handler(
      slot: -1, record: nowhere, running: nowhere, part: nowhere
    ) { _, _ in false }
    count = handlers.count
    first = handlers.first ?? nobody
    second = handlers.dropFirst().first ?? nobody
    rest = Self.fuse(handlers.dropFirst(2))
  }

  /// Runs the reducers on the state, and gives what that shows.
  @inline(__always)
  mutating func run(_ action: Place, _ revision: UInt64) -> Signs {
    if count == 0 { return [] }
    var signs = first.note(first.run(action), revision)
    if count == 1 { return signs }
    signs.formUnion(second.note(second.run(action), revision))
    if count == 2 { return signs }
    return signs.union(rest(action, revision))
  }

  /// One function that runs all handlers, as a balanced tree of pairs.
  private static func fuse(_ handlers: ArraySlice<Handler>) -> Run {
    switch handlers.count {
    case 0:
      return { _, _ in [] }
    case 1:
      let only = handlers[handlers.startIndex]
      return { action, revision in
        var handler = only
        return handler.note(handler.run(action), revision)
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

/// One reducer, bound to the sub-state it owns.
struct Handler: Sendable {
  let slot: Int
  /// Of a `SlotRecord`.
  let record: Place
  /// Where the slot is noted while the reducer runs.
  let running: Place
  /// Of the state that the reducer is given.
  let part: Place
  let reduce: ReducerCase.Run

  /// Runs the reducer; gives whether it ran.
  @inline(__always)
  mutating func run(_ action: Place) -> Bool {
    running.edit(Int.self) { $0 = slot }
    return reduce(part, action)
  }

  /// Notes that the reducer ran, or not, and gives what that shows.
  @inline(__always)
  func note(_ didRun: Bool, _ revision: UInt64) -> Signs {
    guard didRun else { return .missed }
    return record.edit(SlotRecord.self) { record in
      record.revision = revision
      return record.signs
    }
  }
}

/// One reducer that takes all actions of an array at once.
///
/// It touches nothing but its own part, so neither it nor the others can tell that from taking turns.
struct BulkHandler: Sendable {
  private let handler: Handler
  private let reduceAll: ReducerCase.RunAll

  init(_ handler: Handler, _ reduceAll: @escaping ReducerCase.RunAll) {
    self.handler = handler
    self.reduceAll = reduceAll
  }

  func callAsFunction(_ actions: Place, count: Int, _ revision: UInt64) -> Signs {
    handler.running.edit(Int.self) { $0 = handler.slot }
    reduceAll(handler.part, actions, count)
    return handler.note(true, revision)
  }
}
