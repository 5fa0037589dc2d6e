/// How much of a work a wait covers.
enum WorkExtent: Sendable {
  /// Everything that a cancellation reaches. Effects that belong to the state are not waited for.
  case cancelled
  /// The work's own actions.
  case applied
  /// Its actions, and everything that they started.
  case everything
}
