/// The task-local values and the priority of a dispatch, for what it has set off and another thread, or a
/// later moment, is to start.
///
/// Only a task holds them: one that is made where the dispatch is, and starts what it is given. It is
/// needed by the commits that another thread tells of, and by jobs that wait for their turn.
final class DispatchContext: Sendable {
  private let starts: AsyncStream<@Sendable () -> Void>.Continuation

  /// The context of the caller.
  init() {
    let (stream, starts) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    self.starts = starts
    Task { for await start in stream { start() } }
  }

  deinit {
    starts.finish()
  }

  /// Runs `start` in the context, soon: tasks that it makes have the values and the priority.
  func run(_ start: @escaping @Sendable () -> Void) {
    starts.yield(start)
  }
}
