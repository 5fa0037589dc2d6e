extension WorkNode {
  /// Cancels the work and everything that it caused, except for what belongs to the state.
  ///
  /// Does nothing if it has finished. Once this has returned, no commit of a cancelled work begins.
  func cancel() {
    CancellationPass.run([self], .tree)
  }

  /// Cancels the work from the cancellation handler of a wait for it.
  ///
  /// If the handler runs inside of a cancelling call on this thread, that call cancels the work.
  func cancelFromHandler() {
    if CancellationPass.current?.add(self) != true { cancel() }
  }

  /// Stops the runs of works that give way to something else.
  ///
  /// What a run owns ends with it, and what its commits have caused goes on. Waiters see no
  /// cancellation.
  static func drop(_ works: [WorkNode]) {
    CancellationPass.run(works, .run, isSilent: true)
  }

  /// Stops the runs of works whose owner has ended.
  static func endOwned(_ works: [WorkNode]) {
    CancellationPass.run(works, .run)
  }

  /// Stops the work, and ends all waits for it, because its store has gone.
  func abandon() {
    CancellationPass.run([self], .abandoned)
  }
}
