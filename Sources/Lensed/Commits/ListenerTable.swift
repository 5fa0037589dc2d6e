/// The listeners of a store, in the order they were attached: a plain value, guarded by the store's lock.
struct ListenerTable: Sendable {
  private var attachments: [(id: UInt64, attachment: Attachment)] = []
  /// The listeners for each action of a type, by the numbers of the routes.
  private var byRoute: ContiguousArray<ActionListeners> = []
  private var byPart: [(listener: CommitListener, interest: Interest)] = []

  /// Those that are asked before each action.
  private(set) var judges: [ActionJudge] = []
  /// Those that record every commit under the lock.
  private(set) var recorders: [CommitRecorder] = []
  /// Those that are notified of every commit before its observers.
  private(set) var everyCommit = ActionListeners([])

  var isEmpty: Bool { attachments.isEmpty }

  /// The works that the queues of the listeners know.
  var works: [WorkNode] { attachments.flatMap { $0.attachment.works() } }

  /// What starts that which waits for a lull.
  var flushes: [@Sendable () -> Void] { attachments.compactMap(\.attachment.flush) }

  /// Whether each commit concerns some listener, whatever it touches.
  var needFullCommit: Bool {
    !(judges.isEmpty && recorders.isEmpty && everyCommit.listeners.isEmpty)
  }

  /// Whether some listener depends on what a commit touches.
  var dependOnParts: Bool { !byPart.isEmpty }

  mutating func add(_ attachment: Attachment, id: UInt64) {
    attachments.append((id, attachment))
  }

  /// Removes an attachment and returns it, to be stopped without the lock.
  mutating func remove(_ id: UInt64) -> Attachment? {
    guard let index = attachments.firstIndex(where: { $0.id == id }) else { return nil }
    return attachments.remove(at: index).attachment
  }

  /// Removes the attachments that belong to a sub-state.
  mutating func remove(slot: Int) -> [Attachment] {
    defer { attachments.removeAll { $0.attachment.epoch?.slot == slot } }
    return attachments.map(\.attachment).filter { $0.epoch?.slot == slot }
  }

  /// Removes all.
  mutating func removeAll() -> [Attachment] {
    defer { self = ListenerTable() }
    return attachments.map(\.attachment)
  }

  /// Sorts the listeners anew, after listeners or owners came or went, and forgets the routes.
  mutating func update(_ interest: (Footprint?) -> Interest) {
    (byPart, byRoute, recorders) = ([], [], [])
    judges = attachments.compactMap(\.attachment.judge)
    var early: [CommitListener] = []
    for listener in attachments.flatMap(\.attachment.listeners) {
      switch (listener.phase, listener.interest) {
      case (.inCommit(let recorder), _): recorders.append(recorder)
      case (_, .everyCommit): early.append(listener)
      case (_, .part(let footprint)): byPart.append((listener, interest(footprint)))
      case (_, .actions): break
      }
    }
    everyCommit = ActionListeners(early)
  }

  /// Finds the listeners of the next route.
  ///
  /// - Returns: Whether some listener is notified of commits on that route.
  mutating func addRoute(of type: any Action.Type, through slots: [Int]) -> Bool {
    let listeners = attachments.flatMap(\.attachment.listeners).filter {
      if case .actions(let own) = $0.interest { own == type } else { false }
    }
    byRoute.append(ActionListeners(listeners))
    return needFullCommit || !listeners.isEmpty
      || byPart.contains { $0.interest.isConcerned(by: slots) }
  }

  /// The listeners for each action on a route.
  func listeners(ofRoute index: Int) -> ActionListeners { byRoute[index] }

  /// Whether a listener that depends on what a commit touches needs the state before it.
  var partsNeedPrevious: Bool { byPart.contains { $0.listener.needsPrevious } }

  /// The listeners whose part the present commit touched.
  func touched(_ isTouched: (Interest) -> Bool) -> [CommitListener] {
    byPart.filter { isTouched($0.interest) }.map(\.listener)
  }
}
