/// The reducers that handle one type of action, bound to the sub-states they own.
final class Route: Sendable {
  let type: any Action.Type
  /// The sub-states that the reducers own, each once.
  let touched: TouchedParts
  let handlers: [Handler]
  /// The handlers, in memory that only the holder of the store's lock touches: there the closure of a reducer
  /// is called without counting its context.
  private let cells: UnsafeCellRow<Handler>
  /// Handlers that take a whole array at once, where the order of the calls makes no difference; else none.
  let bulk: [BulkHandler]
  /// Whether the handlers touch nothing of a collection but the elements that the actions name.
  let isElementwise: Bool
  /// What the handlers use without a count.
  private let elements: [ElementIdentity]
  /// The collections in which an identity can occur twice.
  private let doubles: [(element: ElementIdentity, part: StateAddress)]
  /// What finds the children that actions are for and that are not there; most often nothing does.
  private let missing: [(find: ReducerCase.FindMissing, part: StateAddress)]
  /// The handlers that copy what others read of the state before the action; most often none.
  private let captures: [CaptureHandler]
  /// The memory that the handlers write to.
  private let records: [UnsafeCellInRow<SlotRecord>]

  /// A route into `state`.
  ///
  /// The memory of `state` and of `running` outlives the route.
  init(
    _ type: any Action.Type, _ owners: [Owner], _ ownership: OwnershipMap, in state: StateAddress,
    noting running: StateAddress, rows: RowSink? = nil,
    record: (Int) -> UnsafeCellInRow<SlotRecord>
  ) {
    var bindings = Bindings()
    for owner in owners {
      let cases = owner.cases.filter { $0.handles(type) }
      if cases.isEmpty { continue }
      bindings.add(cases, of: type, to: owner.slot, record(owner.slot), in: state, running, rows)
    }
    self.type = type
    touched = TouchedParts(bindings.slots, ownership)
    records = bindings.records
    elements = bindings.elements
    handlers = bindings.handlers
    captures = bindings.captures
    doubles = bindings.doubles
    missing = bindings.missing
    bulk = bindings.canRunInBulk ? bindings.bulk : []
    cells = UnsafeCellRow(repeating: .placeholder, count: bindings.handlers.count)
    for (index, handler) in bindings.handlers.enumerated() {
      cells.place(at: UInt(index)).write(handler)
    }
    isElementwise = bindings.areElementwise
  }

  /// The handlers of a route, while they are gathered.
  private struct Bindings {
    var handlers: [Handler] = []
    var slots: [Int] = []
    var records: [UnsafeCellInRow<SlotRecord>] = []
    var bulk: [BulkHandler] = []
    var elements: [ElementIdentity] = []
    var captures: [CaptureHandler] = []
    var doubles: [(element: ElementIdentity, part: StateAddress)] = []
    var missing: [(find: ReducerCase.FindMissing, part: StateAddress)] = []
    /// Two reducers that share their state see a difference between bulk and taking turns.
    var shareState = false
    var areElementwise = true

    var canRunInBulk: Bool { !shareState && bulk.count == handlers.count }

    mutating func add(
      _ cases: [ReducerCase], of type: any Action.Type, to slot: Int,
      _ record: UnsafeCellInRow<SlotRecord>, in state: StateAddress, _ running: StateAddress,
      _ rows: RowSink?
    ) {
      slots.append(slot)
      records.append(record)
      if cases.count > 1 { shareState = true }
      for answer in cases {
        let reading = answer.reading?()
        let one = reading?.run ?? answer
        if let reading {
          captures.append(CaptureHandler(reading, of: type, to: slot, in: state, running))
        }
        let handler = Handler(
          slot: slot, record: record.place, running: running,
          part: state.advanced(by: one.offset),
          element: one.element.map { Unretained($0) }, rows: rows.map { Unretained($0) },
          reduce: one.run(for: type))
        if let element = one.element {
          elements.append(element)
          if element.canBeDoubled { doubles.append((element, handler.part)) }
        }
        if let find = one.missing { missing.append((find, handler.part)) }
        handlers.append(handler)
        areElementwise = areElementwise && one.isElementwise
        if let runAll = one.runAll { bulk.append(BulkHandler(handler, runAll)) }
      }
    }
  }

  var slots: [Int] { touched.slots }

  /// Runs all reducers on an action, in order.
  ///
  /// - Returns: The flags of that.
  func run(_ action: StateAddress, _ revision: UInt64) -> CommitFlags {
    if captures.isEmpty { return reduce(action, revision) }
    for capture in captures { capture(action) }
    defer { for capture in captures { capture.clear() } }
    return reduce(action, revision)
  }

  /// Whether the elements of some collection can have one identity twice.
  var canBeDoubled: Bool { !doubles.isEmpty }

  /// Whether two elements have the identity that an action names; a search through the collection.
  func isDoubled(_ action: StateAddress) -> Bool {
    doubles.contains { $0.element.isDoubled(in: $0.part, by: action) }
  }

  /// The children that an action is for and that are not there.
  func missingChildren(of action: StateAddress) -> [MissingChild] {
    missing.compactMap { $0.find($0.part, action) }
  }

  private func reduce(_ action: StateAddress, _ revision: UInt64) -> CommitFlags {
    var flags: CommitFlags = []
    for index in 0..<handlers.count {
      flags.formUnion(
        cells.place(at: UInt(index)).edit(Handler.self) { $0.run(action, revision) })
    }
    return flags
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
