extension Store {
  /// Returns when nothing is under way.
  ///
  /// Under way are: effects that run, wait for their turn or for a lull; asynchronous sequences; the events of
  /// asynchronous mutators; and commits that another thread has yet to deliver to effects, observers and
  /// middleware. There was a moment during the call at which there was none of them, and what was dispatched before
  /// the call had ended. It waits for what is dispatched meanwhile, too. An effect that never ends never
  /// settles.
  ///
  /// ```swift
  /// for line in lines { store.dispatch(LogAction.line(line)) }
  /// try await store.settled()   // a command line tool may exit now
  /// ```
  ///
  /// It cancels nothing. Cancelling the task that waits ends the wait alone.
  ///
  /// - Parameters:
  ///   - fileID: Where it is called, for messages.
  ///   - function: Where it is called, for messages.
  ///   - line: Where it is called, for messages.
  /// - Throws: `CancellationError` when the waiting task is cancelled, or `DispatchDeadlock` if the caller is
  ///   under way in the store itself: an effect would wait for its own end.
  nonisolated(nonsending) public func settled(
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) async throws {
    try await core.settle(from: CallSite(fileID: fileID, function: function, line: line))
  }

  /// Starts at once what waits for a lull, and returns when nothing is under way.
  ///
  /// What waits for a lull is the trigger of a debounced effect, or of a throttled one that has a latest
  /// trigger left over. What begins to wait for a lull after the call waits for all of it, and this call with
  /// it.
  ///
  /// ```swift
  /// func applicationWillEnterBackground() async throws {
  ///   try await store.flush()   // what a debounced effect would save later is saved
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: Where it is called, for messages.
  ///   - function: Where it is called, for messages.
  ///   - line: Where it is called, for messages.
  /// - Throws: `CancellationError` when the waiting task is cancelled: what was started goes on. Or
  ///   `DispatchDeadlock` if the caller is under way in the store itself.
  nonisolated(nonsending) public func flush(
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) async throws {
    try await core.flush(from: CallSite(fileID: fileID, function: function, line: line))
  }

  /// What is under way now, with names: each work that has code of its own.
  package var workUnderWay: [WorkDescription] {
    WorkNode.descriptions(of: core.rootWorks)
  }

  /// Returns when nothing is under way that moves.
  ///
  /// What is left then waits for its turn or for other works, or sleeps as `WorkSleep` says. Code that waits
  /// for anything else counts as moving.
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled, or `DispatchDeadlock` as `settled()`.
  package nonisolated(nonsending) func rested(
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) async throws {
    try await core.settle(
      from: CallSite(fileID: fileID, function: function, line: line), forRest: true)
  }
}
