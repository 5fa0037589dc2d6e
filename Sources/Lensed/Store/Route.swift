/// The way of one type of action: the reducers that answer it, in registration order, as one function.
final class Route: Sendable {
  typealias Run = @Sendable (_ frame: Place, _ action: Place) -> Void

  let type: any Action.Type
  let run: Run
  /// The sub-states that the reducers own, each once.
  let slots: [Int]
  /// The memory that the handlers write to.
  private let records: [Unguarded<SlotRecord>]

  init(_ type: any Action.Type, _ owners: [Owner], record: (Int) -> Unguarded<SlotRecord>) {
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
          slot: owner.slot, record: kept.place, offset: answer.offset,
          run: Self.run(answer, for: type))
      }
    }
    self.slots = slots
    self.records = records
    run = Self.fuse(handlers[...])
  }

  /// One function that runs all handlers, as a balanced tree of pairs.
  private static func fuse(_ handlers: ArraySlice<Handler>) -> Run {
    switch handlers.count {
    case 0:
      return { _, _ in }
    case 1:
      let only = handlers[handlers.startIndex]
      return { frame, action in only(frame, action) }
    case 2:
      let (first, second) = (handlers[handlers.startIndex], handlers[handlers.startIndex + 1])
      return { frame, action in
        first(frame, action)
        second(frame, action)
      }
    default:
      let middle = handlers.startIndex + handlers.count / 2
      let (first, second) = (fuse(handlers[..<middle]), fuse(handlers[middle...]))
      return { frame, action in
        first(frame, action)
        second(frame, action)
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
