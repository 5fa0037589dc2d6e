/// How the actions of a scope are transformed on their way to the store.
///
/// ```swift
/// store.scope(\.left, actions: .tagged(Left.self))       // reach the store as Tagged<Left, …>
/// store.scope(\.profile, actions: .case(profileCase))    // reach the store as AppAction.profile(…)
/// ```
public struct ScopeActions: Sendable {
  /// The step; nil if the actions stay as they are.
  let step: (any ActionStep)?

  private init(_ step: (any ActionStep)?) {
    self.step = step
  }

  /// The actions stay as they are.
  public static var unchanged: ScopeActions { ScopeActions(nil) }

  /// Each action is tagged; in the scope of a row, after it was addressed to the row.
  public static func tagged<Tag>(_ tag: Tag.Type) -> ScopeActions { ScopeActions(TagStep<Tag>()) }

  /// The actions of `Narrow` are embedded in one wide action enum; others stay as they are.
  ///
  /// In the scope of a row the case holds actions for rows: `Narrow` is `ElementAction<ID, A>`. Make the prism once, as
  /// a `static let`.
  public static func `case`<Wide: Action, Narrow: Action>(
    _ prism: Prism<Wide, Narrow>
  ) -> ScopeActions {
    ScopeActions(EmbedStep(prism))
  }

  /// What tells it from others; nil if the actions stay as they are.
  var id: AnyID? { step.map { AnyID($0) } }
}
