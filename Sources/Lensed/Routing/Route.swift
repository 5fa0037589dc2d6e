/// The reducers that handle one type of action, bound to the sub-states they own.
final class Route: Sendable {
  let type: any Action.Type
  /// The sub-states that the reducers own, each once.
  let touched: TouchedParts
  let handlers: [Handler]
  /// All handlers, one after the other, as one function.
  let all: FusedHandlers.Run
  /// Handlers that take a whole array at once, where the order of the calls makes no difference; else none.
  let bulk: [BulkHandler]
  /// The memory that the handlers write to.
  private let records: [UnsafeCellInRow<SlotRecord>]

  /// A route into `state`. The memory of `state` and of `running` outlives the route.
  init(
    _ type: any Action.Type, _ owners: [Owner], _ ownership: OwnershipMap, in state: StateAddress,
    noting running: StateAddress, record: (Int) -> UnsafeCellInRow<SlotRecord>
  ) {
    self.type = type
    var handlers: [Handler] = []
    var slots: [Int] = []
    var records: [UnsafeCellInRow<SlotRecord>] = []
    var bulk: [BulkHandler] = []
    var needsTurns = false
    for owner in owners {
      let cases = owner.cases.filter { $0.answers(type) }
      guard !cases.isEmpty else { continue }
      let kept = record(owner.slot)
      slots.append(owner.slot)
      // Two reducers that share their state see the difference.
      if cases.count > 1 { needsTurns = true }
      records.append(kept)
      for one in cases {
        let handler = Handler(
          slot: owner.slot, record: kept.place, running: running,
          part: state.advanced(by: one.offset), reduce: one.run(for: type))
        handlers.append(handler)
        if let runAll = one.runAll { bulk.append(BulkHandler(handler, runAll)) }
      }
    }
    touched = TouchedParts(slots, ownership)
    self.records = records
    self.bulk = needsTurns || bulk.count < handlers.count ? [] : bulk
    self.handlers = handlers
    all = FusedHandlers.fuse(handlers[...])
  }

  var slots: [Int] { touched.slots }

  /// The parts that the reducers touched in the commit `revision`, which has just run them.
  func touched(by revision: UInt64) -> TouchedParts {
    for index in handlers.indices where handlers[index].lastRun != revision {
      return touched.narrowed(
        to: slots.filter { slot in
          handlers.contains { $0.slot == slot && $0.lastRun == revision }
        })
    }
    return touched
  }

  /// The sub-state whose reducer runs on the fast path.
  ///
  /// Each reducer notes the commit in the record of its sub-state before it runs: while the first one runs,
  /// it alone has noted the newest commit.
  var running: Int {
    guard let first = handlers.first, let last = handlers.last else { return -1 }
    return first.lastRun > last.lastRun ? first.slot : last.slot
  }
}
