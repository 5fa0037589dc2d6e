// The trap where a reducer, or a lens, touches its own store: it dispatches, reads the state or subscribes while it runs.
//
// 1. Whoever runs a reducer notes which one: of direct reducers the fast path, in `Protected.runningEntry`; of others their
//    handler, in `StoreCore.running`.
// 2. A thread that holds the lock of a store and enters that store fails to take the lock (`StoreLock.lock`).
// 3. `trapIntrusion` names the reducer and the action, says what was done, and what to do instead. Otherwise the thread
//    would wait for itself.

extension StoreCore {
  @usableFromInline
  @inline(never)
  func trapIntrusion(_ intrusion: String) -> Never {
    guard let (route, slot) = runningReducer else {
      fatalError(
        """
        Lensed: A lens \(intrusion) while the state was being read. A lens reads and writes its part and \
        touches no store, or the store would wait for itself.
        """)
    }
    let action = "`\(route.lend(\.type))`"
    var culprit = "A lens"
    if let name = protected.value.table.name(of: slot) {
      culprit = "The reducer of `\(name)`, or a deinit that its write ran,"
    }
    fatalError(
      """
      Lensed: \(culprit) \(intrusion) while \(action) was being reduced. A reducer computes the next \
      state and touches no store, or the store would wait for itself. Dispatch from an observer, or \
      from the code that dispatched \(action).
      """)
  }

  /// The route and the sub-state whose reducer runs, if any; for the thread that runs it.
  private var runningReducer: (route: Unretained<Route>, slot: Int)? {
    // First: the entry may be that of an earlier commit then, because its memory is lent to who runs handlers.
    if let route = running.value.route { return (route, running.value.running) }
    return protected.value.runningEntry.map { RouteCache.running(at: $0) }
  }
}

/// The reducer that a handler runs, for the message of a trap.
struct RunningReducer: Sendable {
  /// The route that is run; the router keeps it alive.
  var route: Unretained<Route>?
  /// The sub-state whose reducer runs.
  var running = -1
}

extension CommitRequest {
  var intrusion: String {
    switch cause {
    case .action: "dispatched `\(type)`\(site.map { " at \($0)" } ?? "")"
    case .asyncResult, .placeholder: "committed the result of an asynchronous reducer"
    case .replacement: "replaced the state"
    }
  }
}
