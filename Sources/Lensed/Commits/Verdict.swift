/// What becomes of an action, as middleware decides before it is applied.
///
/// ```swift
/// func willReduce(_ action: any Action, _ context: MiddlewareContext<AppState>) -> Verdict {
///   action is Edit && context.state.isLocked ? .drop : .proceed
/// }
/// ```
public enum Verdict: Sendable {
  /// It is applied, if those after this one let it.
  case proceed
  /// Another is offered in its place to those after this one.
  ///
  /// A list is offered member by member. What an asynchronous sequence yields is offered to all
  /// middleware, as it comes.
  case replace(with: any Action)
  /// It is not applied.
  case drop
}
