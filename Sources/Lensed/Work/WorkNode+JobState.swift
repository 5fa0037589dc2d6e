// What a work keeps until its code begins, and the task that runs it.
//
// Each of them may lead back to the work, and so to its store: the task-local values of a dispatch hold the work that
// dispatched. So a work that has ended keeps none of them, and takes none.

extension WorkNode {
  /// Keeps the operation until the work's turn comes.
  func setOperation(_ operation: consuming Operation) {
    var operation: Operation? = consume operation
    state.withLock { if !$0.machine.hasEnded { $0.operation = operation.take() } }
  }

  /// Removes the operation: the work's turn has come.
  func takeOperation() -> Operation? {
    state.withLock { $0.operation.take() }
  }

  /// Whether the running code belongs to a work of another store.
  ///
  /// A task inherits the work that runs. This task may outlive the other store, and would keep it: it starts where no
  /// work runs.
  var isSetOffElsewhere: Bool {
    if let caller = WorkNode.current { caller.store !== store } else { false }
  }

  /// Notes the task that runs the work's code; cancels it if the work was cancelled already.
  func setTask(_ task: Running) {
    let isLate = state.withLock { state in
      if !state.machine.hasEnded { state.task = task }
      return state.machine.isCancelled || state.isPauseOver
    }
    if isLate { task.cancel() }
  }

  /// The context in which the work's code is to start, if it starts on another thread or later.
  var context: DispatchContext? { state.withLock { $0.context } }

  func setContext(_ context: DispatchContext) {
    state.withLock { if !$0.machine.hasEnded { $0.context = context } }
  }

  /// Keeps the caller's context, if the work has none yet.
  func captureContext() {
    if state.withLock({ $0.context != nil || $0.machine.hasEnded }) { return }
    let context = makeContext()
    state.withLock { if $0.context == nil && !$0.machine.hasEnded { $0.context = context } }
  }

  /// The context of the caller, but for the work that runs: a work may hold the context, and would hold itself by it.
  func makeContext() -> DispatchContext {
    WorkNode.$current.withValue(nil) {
      CancellationPass.$current.withValue(nil) { DispatchContext(on: store.taskExecutor) }
    }
  }

  /// Releases all of it; called without a lock, since the release may run other code.
  func releaseCode() {
    let (task, context) = state.withLock { ($0.task.take(), $0.context.take()) }
    let operation = takeOperation()
    _ = (task, context)
    _ = consume operation
  }

  /// Notes where the store has registered the work, which unregisters itself when it finishes.
  ///
  /// - Returns: Whether it did; not, if the work has finished, has a parent, or is registered already. And
  ///   whether the store counted the work until now.
  func setRegistryIndex(_ index: Int) -> (isSet: Bool, wasCounted: Bool) {
    state.withLock { state in
      if state.machine.isFinished || state.parent != nil || state.registryIndex != nil {
        return (false, false)
      }
      state.registryIndex = index
      return (true, exchange(&state.isCounted, with: false))
    }
  }

  /// Whether the store counts the work, because only its queue knows it.
  var isCounted: Bool { state.withLock { $0.isCounted } }

  /// Lets the work's code pause no longer: it was waiting for a lull.
  ///
  /// The task of the work is cancelled, and the work is not.
  func endPause() {
    let task = state.withLock { state -> Running? in
      if state.machine.isFinished || state.machine.isCancelled { return nil }
      state.isPauseOver = true
      return state.task
    }
    task?.cancel()
  }

  /// Whether the work's code is to pause no longer.
  var isPauseOver: Bool { state.withLock { $0.isPauseOver } }
}
