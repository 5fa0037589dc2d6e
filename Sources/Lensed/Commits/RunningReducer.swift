/// What a thread that finds itself inside its own commit can say about it; noted by commits that do not
/// go the quick way.
struct RunningReducer: Sendable {
  /// The route that is being run, kept alive by the router.
  var route: Unretained<Route>?
  /// The sub-state whose reducer runs.
  var running = -1
}
