/// The way of one type of action to the sub-states that answer it.
final class Route: Sendable {
  let type: any Action.Type
  /// The sub-states that the reducers own, each once.
  let reach: TouchedParts
  /// Who hears of each action of the type.
  let hearers: Hearers
  let handlers: [Handler]
  /// All of them, one after the other.
  let all: FusedHandlers.Run
  /// The reducers for all of an array at once, where that can stand for taking turns; else none.
  let bulk: [BulkHandler]
  /// The memory that the handlers write to.
  private let records: [UnsafeCellInRow<SlotRecord>]

  /// The way to `state`, which outlives the route, as does `running`.
  init(
    _ type: any Action.Type, _ owners: [Owner], _ ownership: OwnershipMap, heardBy hearers: Hearers,
    in state: StateAddress, noting running: StateAddress,
    record: (Int) -> UnsafeCellInRow<SlotRecord>
  ) {
    self.type = type
    var handlers: [Handler] = []
    var slots: [Int] = []
    var records: [UnsafeCellInRow<SlotRecord>] = []
    var bulk: [BulkHandler] = []
    var takesTurns = false
    for owner in owners {
      let answers = owner.cases.filter { $0.answers(type) }
      guard !answers.isEmpty else { continue }
      let kept = record(owner.slot)
      slots.append(owner.slot)
      // Two that share their state can tell.
      if answers.count > 1 { takesTurns = true }
      records.append(kept)
      for answer in answers {
        let handler = Handler(
          slot: owner.slot, record: kept.place, running: running,
          part: state.advanced(by: answer.offset), reduce: answer.run(for: type))
        handlers.append(handler)
        if let runAll = answer.runAll { bulk.append(BulkHandler(handler, runAll)) }
      }
    }
    self.hearers = hearers
    reach = TouchedParts(slots, ownership)
    self.records = records
    self.bulk = takesTurns || bulk.count < handlers.count ? [] : bulk
    self.handlers = handlers
    all = FusedHandlers.fuse(handlers[...])
  }

  var slots: [Int] { reach.slots }

  /// How far the commit reached that has just run its reducers.
  func reach(of revision: UInt64) -> TouchedParts {
    for index in handlers.indices where handlers[index].lastRun != revision {
      return reach.narrowed(
        to: slots.filter { slot in
          handlers.contains { $0.slot == slot && $0.lastRun == revision }
        })
    }
    return reach
  }

  /// The sub-state whose reducer runs, where all of them lead.
  ///
  /// Each notes the commit in the record of its sub-state before it runs: while the first runs, it alone
  /// has noted the newest.
  var running: Int {
    guard let first = handlers.first, let last = handlers.last else { return -1 }
    return first.lastRun > last.lastRun ? first.slot : last.slot
  }
}
