/// Collects the parts of a store, as written between its braces.
@resultBuilder
public enum StoreBuilder<State: Sendable> {
  /// A statement: a mutator, `Constant`, an effect, a service, a feature, or parts made elsewhere.
  public static func buildExpression(
    _ part: some StorePartConvertible<State>
  ) -> [StorePart<State>] {
    part.storeParts.all
  }

  /// The first statement.
  public static func buildPartialBlock(first: [StorePart<State>]) -> [StorePart<State>] { first }

  /// Each further statement.
  public static func buildPartialBlock(
    accumulated: [StorePart<State>], next: [StorePart<State>]
  ) -> [StorePart<State>] {
    accumulated + next
  }

  /// No statement.
  public static func buildBlock() -> [StorePart<State>] { [] }

  /// An `if` without an `else`.
  public static func buildOptional(_ parts: [StorePart<State>]?) -> [StorePart<State>] {
    parts ?? []
  }

  /// The first branch.
  public static func buildEither(first: [StorePart<State>]) -> [StorePart<State>] { first }

  /// The second branch.
  public static func buildEither(second: [StorePart<State>]) -> [StorePart<State>] { second }

  /// A loop.
  public static func buildArray(_ parts: [[StorePart<State>]]) -> [StorePart<State>] {
    parts.flatMap(\.self)
  }

  /// A branch with availability.
  public static func buildLimitedAvailability(
    _ parts: [StorePart<State>]
  ) -> [StorePart<State>] {
    parts
  }
}
