internal import Synchronization

/// The parts of a store, proved once to fit together, for stores that are made often.
///
/// ```swift
/// let blueprint = try StoreBlueprint<AppState> { counterMutator; userMutator }
/// let store = blueprint.makeStore(initialState: AppState())
/// ```
public struct StoreBlueprint<State: Sendable>: Sendable {
  private let owners: [Owner]
  private let coverage: Coverage
  private let proof = Proof()

  /// Whether some store of this blueprint was seen to have an owner for every property.
  private final class Proof: Sendable {
    let isCovered = Atomic(false)
  }

  /// A blueprint of parts.
  ///
  /// - Parameters:
  ///   - coverage: Whether every property needs an owner. What is missing shows in an initial state
  ///     only: a store made of this blueprint then traps on its first dispatch.
  ///   - parts: The mutators and the constant properties.
  /// - Throws: All faults of the parts together: doubled, overlapping, undecided.
  public init(
    coverage: Coverage = .complete, @StoreBuilder<State> _ parts: () -> [StorePart<State>]
  ) throws(RegistrationError) {
    owners = parts().map(\.owner)
    self.coverage = coverage
    let faults = OwnershipCheck(coverage: coverage).faults(adding: owners, to: [])
    guard faults.isEmpty else { throw RegistrationError(faults: faults) }
  }

  /// A store of these parts.
  ///
  /// Nothing that was proved is proved again.
  public func makeStore(initialState: State) -> Store<State> {
    if coverage == .complete && !proof.isCovered.load(ordering: .relaxed) {
      let missing = StoreCore.missing(in: initialState, owners: owners)
      proof.isCovered.store(missing.isEmpty, ordering: .relaxed)
    }
    return Store(
      initialState: initialState, coverage: coverage, owners: owners,
      isCovered: coverage == .partial || proof.isCovered.load(ordering: .relaxed))
  }
}
