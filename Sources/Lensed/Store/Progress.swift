/// What a thread that finds itself inside its own commit can say about it.
///
/// The two stand side by side: what a commit writes is waited for when the lock is released, and the
/// fewer places that is, the sooner it is done.
struct Progress: Sendable {
  /// The route that is being run, kept alive by the router.
  var route: Uncounted<Route>?
  /// The sub-state whose reducer runs.
  var running = -1
}
