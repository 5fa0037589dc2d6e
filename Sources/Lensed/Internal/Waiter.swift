/// A suspended task, to be resumed exactly once.
///
/// A machine keeps one of these for each task that waits. The type is the single place where "exactly once"
/// is asserted rather than checked: a machine returns each waiter at most once, whether it ends, is
/// abandoned, or the wait is broken. A machine that never ends is abandoned with its store.
@safe
struct Waiter<Outcome: Sendable>: Sendable {
  private let continuation: UnsafeContinuation<Outcome, Never>

  /// Suspends the current task until it is resumed.
  ///
  /// - Parameter body: Receives the waiter, which resumes the task.
  /// - Returns: The outcome that the task was resumed with.
  nonisolated(nonsending) static func wait(
    _ body: (_ waiter: Waiter) -> Void
  ) async -> Outcome {
    await unsafe withUnsafeContinuation { unsafe body(Waiter(continuation: $0)) }
  }

  func resume(returning outcome: Outcome) {
    unsafe continuation.resume(returning: outcome)
  }
}

extension Waiter<Void> {
  func resume() { resume(returning: ()) }
}
