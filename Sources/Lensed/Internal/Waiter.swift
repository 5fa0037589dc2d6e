/// A suspended task, to be resumed exactly once.
///
/// It is what a machine keeps of whoever waits. The type is the single place where "exactly once" is
/// asserted rather than checked: a machine gives each of those who wait out at most once, whether it
/// ends, is abandoned, or the wait is broken; and one that is never finished is abandoned with its
/// store.
@safe
struct Waiter<Outcome: Sendable>: Sendable {
  private let continuation: UnsafeContinuation<Outcome, Never>

  /// Suspends the current task until it is resumed.
  ///
  /// - Parameter body: Is given what resumes the task.
  /// - Returns: What it was resumed with.
  nonisolated(nonsending) static func wait(
    _ body: (_ turnstile: Waiter) -> Void
  ) async -> Outcome {
    await unsafe withUnsafeContinuation { unsafe body(Waiter(continuation: $0)) }
  }

  func resume(returning outcome: Outcome) {
    unsafe continuation.resume(returning: outcome)
  }
}
