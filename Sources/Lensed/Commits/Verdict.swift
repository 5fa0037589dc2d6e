/// What becomes of an action.
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
