/// What a thread that finds itself inside its own commit can say about it.
struct Progress: Sendable {
  /// The route that is being run, kept alive by the router.
  var route: Uncounted<Route>?
  /// The sub-state whose reducer is running.
  var running = -1
}

/// The way of one type of action: the reducers that answer it, in registration order.
///
/// The first two stand in the object itself: each step from one object to the next is waited for
/// while the lock is held, and few actions have more than two reducers.
final class Route: Sendable {
  private typealias Run =
    @Sendable (_ state: Place, _ action: Place, _ revision: UInt64) -> Signs

  let type: any Action.Type
  /// The sub-states that the reducers own, each once.
  let slots: [Int]
  private let count: Int
  private let first: Handler
  private let second: Handler
  /// The others, as one function.
  private let rest: Run
  /// The memory that the handlers write to.
  private let records: [Unguarded<SlotRecord>]
  private let progress: Unguarded<Progress>

  init(
    _ type: any Action.Type, _ owners: [Owner], noting progress: Unguarded<Progress>,
    record: (Int) -> Unguarded<SlotRecord>
  ) {
    self.type = type
    var handlers: [Handler] = []
    var slots: [Int] = []
    var records: [Unguarded<SlotRecord>] = []
    for owner in owners {
      let answers = owner.cases.filter { $0.answers(type) }
      guard !answers.isEmpty else { continue }
      let kept = record(owner.slot)
      slots.append(owner.slot)
      records.append(kept)
      handlers += answers.map { answer in
        Handler(
          slot: owner.slot, record: kept.place, progress: progress.place, offset: answer.offset,
          run: Self.run(answer, for: type))
      }
    }
    self.slots = slots
    self.records = records
    self.progress = progress
    count = handlers.count
    let place = progress.place
    let nobody = Handler(slot: -1, record: place, progress: place, offset: 0) { _, _ in false }
    first = handlers.first ?? nobody
    second = handlers.dropFirst().first ?? nobody
    rest = Self.fuse(handlers.dropFirst(2))
  }

  /// Runs the reducers on the state, and gives what that shows.
  @inline(__always)
  func run(_ state: Place, _ action: Place, _ revision: UInt64) -> Signs {
    if count == 0 { return [] }
    var signs = first(state, action, revision)
    if count == 1 { return signs }
    signs.formUnion(second(state, action, revision))
    if count == 2 { return signs }
    return signs.union(rest(state, action, revision))
  }

  /// One function that runs all handlers, as a balanced tree of pairs.
  private static func fuse(_ handlers: ArraySlice<Handler>) -> Run {
    switch handlers.count {
    case 0:
      return { _, _, _ in [] }
    case 1:
      let only = handlers[handlers.startIndex]
      return { state, action, revision in only(state, action, revision) }
    default:
      let middle = handlers.startIndex + handlers.count / 2
      let (first, second) = (fuse(handlers[..<middle]), fuse(handlers[middle...]))
      return { state, action, revision in
        let signs = first(state, action, revision)
        return signs.union(second(state, action, revision))
      }
    }
  }

  private static func run(_ answer: ReducerCase, for type: any Action.Type) -> ReducerCase.Run {
    let run = answer.run
    guard case .every = answer.trigger else { return run }
    let box = box(type)
    return { state, action in
      Place.reading(box(action)) { run(state, $0) }
    }
  }

  private static func box<A: Action>(_ type: A.Type) -> @Sendable (Place) -> any Action {
    { $0.read(A.self) }
  }
}

/// One reducer, bound to the sub-state it owns.
struct Handler: Sendable {
  let slot: Int
  /// Of a `SlotRecord`.
  let record: Place
  /// Of the `Progress` of the store.
  let progress: Place
  let offset: Int
  let run: ReducerCase.Run

  @inline(__always)
  func callAsFunction(_ state: Place, _ action: Place, _ revision: UInt64) -> Signs {
    progress.edit(Progress.self) { $0.running = slot }
    guard run(state.advanced(by: offset), action) else { return .missed }
    return record.edit(SlotRecord.self) { record in
      record.revision = revision
      return record.signs
    }
  }
}
