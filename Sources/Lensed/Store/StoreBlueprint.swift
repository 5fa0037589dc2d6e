/// The parts of a store, proved once to fit together, for stores that are made often.
///
/// ```swift
/// let blueprint = try StoreBlueprint<AppState> { counterMutator; userMutator }
/// let store = blueprint.makeStore(initialState: AppState())
/// ```
public struct StoreBlueprint<State: Sendable>: Sendable {
  private let proven: ProvenParts
  /// Those of which more is attached than owners, which are proved.
  private let parts: [StorePart<State>]
  private let coverage: Coverage
  /// Set once a store of this blueprint was seen to have one owner for every property.
  private let isProved = SharedFlag()

  /// A blueprint of parts.
  ///
  /// - Parameters:
  ///   - coverage: Whether every property needs an owner. What is missing shows in an initial state
  ///     only, as do two names of one property: a store made of this blueprint then traps on its first
  ///     dispatch.
  ///   - parts: The mutators and the constant properties.
  /// - Throws: All faults of the parts together: doubled, overlapping, undecided, or never reached by an
  ///   action.
  public init(
    coverage: Coverage = .complete, @StoreBuilder<State> parts: () -> [StorePart<State>]
  ) throws(RegistrationError) {
    let parts = parts()
    let owners = parts.compactMap { $0.owner }
    proven = ProvenParts(owners)
    self.parts = parts.filter { !$0.attachesNothing }
    self.coverage = coverage
    let faults = OwnershipCheck(coverage: coverage).faults(
      adding: owners, besides: StorePart.faults(of: parts))
    guard faults.isEmpty else { throw RegistrationError(faults) }
  }

  /// A store of these parts.
  ///
  /// Nothing that was proved is proved again.
  ///
  /// - Parameters:
  ///   - initialState: What the state is at first.
  ///   - middleware: Asked before each commit and notified after it, in order.
  ///   - onEffectError: Given the uncaught errors of effects; nil writes them to the standard
  ///     error stream.
  ///   - onWarning: Given the warnings; nil writes a line to the standard error stream in a debug build,
  ///     and does nothing in a release build.
  ///   - clock: Says when commits are made; read only where something records.
  /// - Returns: A store that knows nothing of the others.
  public func makeStore(
    initialState: State, middleware: [any Middleware<State>] = [],
    onEffectError: EffectErrorHandler? = nil, onWarning: StoreWarningHandler? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) -> Store<State> {
    Store(
      initialState: initialState, coverage: coverage, parts: parts, proven: proven,
      isCovered: isCovered(initialState), middleware: middleware, onEffectError: onEffectError,
      onWarning: onWarning, clock: StoreClock(clock))
  }

  private func isCovered(_ state: State) -> Bool {
    if coverage == .partial || isProved.isSet { return true }
    let isCovered = OwnershipCheck(coverage: coverage).faults(of: proven.owners, in: state).isEmpty
    if isCovered { isProved.set() }
    return isCovered
  }
}

// MARK: What stands between braces

/// Collects the parts of a store, as written between its braces.
@resultBuilder
public enum StoreBuilder<State: Sendable> {
  /// A statement: a mutator, `Constant`, an effect, a feature, or parts made elsewhere.
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
    parts.flatMap { $0 }
  }

  /// A branch with availability.
  public static func buildLimitedAvailability(
    _ parts: [StorePart<State>]
  ) -> [StorePart<State>] {
    parts
  }
}
