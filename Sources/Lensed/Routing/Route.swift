/// The reducers that handle one type of action, bound to the sub-states they own: in the order of registration, but
/// those of children before that of what holds them.
///
/// A server makes stores by the thousand, so what most routes do not need is empty, and takes no memory.
final class Route: Sendable {
  let type: any Action.Type
  /// The sub-states that the reducers own, each once.
  let touched: TouchedParts
  let count: Int
  /// The handlers, in memory that only the holder of the store's lock touches: there the closure of a reducer
  /// is called without counting its context.
  private let cells: UnsafeCellRow<Handler>
  /// Whether each handler can take several actions at once, because the order of the calls makes no difference.
  let canRunInBulk: Bool
  /// Whether that goes for the actions of a list of `any Action`, too: they lie in the list, and in no boxes.
  let takesRuns: Bool
  /// How many collections deep the handlers touch nothing but the elements that the actions name.
  let elementDepth: ElementDepth
  /// What the handlers use without a count.
  private let elements: [ElementIdentity]
  /// The ways to the children that actions are for, and the number of the handler of the reducer; most often none.
  private let children: [(way: ChildWay, handler: Int)]
  /// Whether the actions name elements of a collection.
  let namesElements: Bool
  /// The handlers that copy what others read of the state before the action; most often none.
  private let captures: [CaptureHandler]

  /// A route into `state`.
  ///
  /// The memory of `state`, of `running` and of the records outlives the route.
  init(
    _ type: any Action.Type, _ owners: [Owner], _ ownership: OwnershipMap, in state: StateAddress,
    noting running: StateAddress, rows: RowSink? = nil, record: (Int) -> StateAddress
  ) {
    // Where there are no children, registration is the order, and no list of owners is made.
    let owners =
      owners.contains { $0.children != nil }
      ? Owner.childrenFirst(owners.filter { $0.cases.contains { $0.handles(type) } }) : owners
    count = owners.reduce(0) { $0 + $1.cases.count { $0.handles(type) } }
    cells = UnsafeCellRow(repeating: .placeholder, count: count)
    var (slots, elements, captures) = ([Int](), [ElementIdentity](), [CaptureHandler]())
    var children: [(way: ChildWay, handler: Int)] = []
    // Not, if two reducers share their state, which see a difference between bulk and taking turns.
    var (canRunInBulk, elementDepth, next) = (count > 0, ElementDepth.unlimited, 0)
    for owner in owners {
      let slot = owner.slot
      for answer in owner.cases where answer.handles(type) {
        if slots.last == slot { canRunInBulk = false } else { slots.append(slot) }
        let reading = answer.reading?()
        let one = reading?.run ?? answer
        if let reading,
          let capture = CaptureHandler(reading, of: type, to: slot, in: state, running)
        {
          captures.append(capture)
        }
        let handler = Handler(
          slot: slot, record: record(slot), running: running,
          part: state.advanced(by: one.offset),
          element: one.element.map { Unretained($0) }, rows: rows.map { Unretained($0) },
          reduce: one.run(for: type), reduceAll: one.runAll)
        if let element = one.element { elements.append(element) }
        if let way = one.child { children.append((way, next)) }
        cells.place(at: UInt(next)).write(handler)
        next += 1
        elementDepth = elementDepth.common(with: one.elementDepth)
        canRunInBulk = canRunInBulk && one.runAll != nil
      }
    }
    self.type = type
    touched = TouchedParts(slots, ownership)
    self.canRunInBulk = canRunInBulk
    takesRuns = canRunInBulk && InlineExistential.holds(type)
    self.elementDepth = elementDepth
    self.elements = elements
    self.children = children
    namesElements = children.contains { $0.way.way.elements.count > 0 }
    self.captures = captures
  }

  /// One of the handlers; for the holder of the store's lock.
  func handler(_ index: Int) -> Handler { cells.place(at: UInt(index)).read(Handler.self) }

  /// What `read` finds in one of the handlers, which is not copied for that.
  private func handler<Result>(_ index: Int, _ read: (borrowing Handler) -> Result) -> Result {
    cells.place(at: UInt(index)).lend(Handler.self, read)
  }

  var slots: [Int] { touched.slots }

  /// Runs all reducers on an action, in order; returns the flags of that.
  func run(_ action: StateAddress, _ revision: UInt64) -> CommitFlags {
    if captures.isEmpty { return reduce(action, revision) }
    for capture in captures { capture(action) }
    defer { for capture in captures { capture.clear() } }
    return reduce(action, revision)
  }

  /// Runs all reducers on all actions of a batch; only where they can run in bulk.
  func runAll(
    _ actions: StateAddress, count actionCount: Int, stride: Int, _ revision: UInt64
  ) -> CommitFlags {
    var flags: CommitFlags = []
    for index in 0..<count {
      flags.formUnion(
        cells.place(at: UInt(index)).edit(Handler.self) {
          $0.runAll(actions, count: actionCount, stride: stride, revision)
        })
    }
    return flags
  }

  private func reduce(_ action: StateAddress, _ revision: UInt64) -> CommitFlags {
    var flags: CommitFlags = []
    for index in 0..<count {
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
    if count == 0 { return -1 }
    let (first, last) = (handler(0) { $0.lastRun }, handler(count - 1) { $0.lastRun })
    return handler(first > last ? 0 : count - 1) { $0.slot }
  }
}

// MARK: Children

extension Route {
  /// What the runs of the reducers said of the children that an action is for, of which none ran; `name` names a
  /// sub-state.
  func search(for action: StateAddress, _ name: (_ slot: Int) -> String) -> ChildSearch {
    var search = ChildSearch()
    for index in 0..<count where handler(index, { $0.outcome.isReached }) { search.noteReached() }
    for child in children {
      let (slot, outcome) = handler(child.handler) { ($0.slot, $0.outcome) }
      search.add(outcome, in: name(slot)) { number in
        // A prism of the user's may be asked for the ids.
        handler(child.handler) { $0.noteRunning() }
        return ChildPlace(number, on: child.way.way, ids: child.way.ids(action))
      }
    }
    return search
  }
}

// MARK: Running a batch

extension ActionBatch {
  /// Runs the reducers of a route for one action after another; returns the flags of all that.
  func run(_ route: Route, _ revision: UInt64) -> CommitFlags {
    if count == 1 { return route.run(first, revision) }
    if route.canRunInBulk { return route.runAll(first, count: count, stride: stride, revision) }
    return takeTurns(route, revision)
  }

  private func takeTurns(_ route: Route, _ revision: UInt64) -> CommitFlags {
    var (action, flags) = (first, CommitFlags())
    for _ in 0..<count {
      flags.formUnion(route.run(action, revision))
      action = action.advanced(by: stride)
    }
    return flags
  }

  /// One of the actions, as a batch of its own.
  func single(_ number: Int) -> ActionBatch {
    ActionBatch(type, first.advanced(by: number * stride))
  }

  /// Whether the actions stand for others, which are routed by their own types.
  var isList: Bool { Routability(of: type) == .list }
}
