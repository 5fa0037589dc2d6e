/// The result of a wait for a work.
enum WorkOutcome: Sendable {
  case success
  /// An action of the work itself failed.
  case failure(any Error)
  case cancelled
}
