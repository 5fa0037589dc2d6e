/// How much of a work a wait covers.
enum WorkExtent: Sendable {
  /// Everything that a cancellation reaches. Effects that belong to the state are not waited for.
  case cancelled
  /// The work's own actions.
  case applied
  /// Its actions, and everything that they started.
  case everything
}

/// The result of a wait for a work.
enum WorkOutcome: Sendable {
  case success
  /// An action of the work itself failed.
  case failure(any Error)
  case cancelled
  /// The wait would never have ended.
  case deadlocked
}
