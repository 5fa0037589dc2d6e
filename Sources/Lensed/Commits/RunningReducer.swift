/// The reducer that runs on the slow path, for the message of a trap.
struct RunningReducer: Sendable {
  /// The route that is run; the router keeps it alive.
  var route: Unretained<Route>?
  /// The sub-state whose reducer runs.
  var running = -1
}
