/// What a dispatch has under way after it returned.
///
/// ```swift
/// try await store.dispatch(lines.map(LogAction.line)).finish()
/// ```
///
/// A dispatch of synchronous actions has nothing under way: its task is finished from the start, and
/// making it allocates nothing.
public struct DispatchTask: Sendable {
  @usableFromInline
  let work: Task<Void, any Error>?

  @usableFromInline
  init(_ work: Task<Void, any Error>? = nil) {
    self.work = work
  }

  /// Returns when all of the dispatch has been applied.
  ///
  /// It returns quietly when the store has gone. Cancelling the task that waits here cancels the
  /// dispatch.
  ///
  /// - Throws: The error of the dispatched sequence, or `CancellationError` after a cancel.
  nonisolated(nonsending) public func finish() async throws {
    guard let work else { return }
    try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }

  /// Ends what is under way: nothing more of it is applied, and what was applied stays.
  public func cancel() {
    work?.cancel()
  }

  /// Whether what was under way has been cancelled.
  public var isCancelled: Bool { work?.isCancelled ?? false }
}
