/// The task-local values and the priority of a dispatch, for work that starts on another thread or later.
///
/// Only a task can hold them. So this is a task that was created in the dispatch, and runs what it is given.
/// Two kinds of work need one: commits that another thread delivers, and jobs that wait for their turn.
final class DispatchContext: Sendable {
  private let starts: AsyncStream<@Sendable () -> Void>.Continuation

  /// Captures the context of the caller.
  init(on executor: (any TaskExecutor)?) {
    let (stream, starts) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    self.starts = starts
    _ = Task<Void, any Error>.start(on: executor) { for await start in stream { start() } }
  }

  deinit {
    starts.finish()
  }

  /// Runs `start` in the context, soon.
  ///
  /// Tasks that it creates inherit the values and the priority.
  func run(_ start: @escaping @Sendable () -> Void) {
    starts.yield(start)
  }
}
