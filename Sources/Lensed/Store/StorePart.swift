/// One part of a store: a sub-state and its reducers, or an effect or service that is installed with it.
///
/// Made by the store's builder of mutators, `Unreduced`, effects and services.
public struct StorePart<State: Sendable>: Sendable {
  @usableFromInline
  let owner: Owner?
  /// What keeps it out of every store, beside the faults of its owner.
  @usableFromInline
  let faults: [RegistrationError.Fault]
  /// Called once, with the way to the state of the store that has the part.
  let install: (@Sendable (StoreView<State>) -> Void)?
  /// Called once, when all parts are installed.
  let onInstall: (@Sendable (StoreView<State>) -> Void)?

  @usableFromInline
  init(owner: Owner) {
    self.owner = owner
    faults = []
    install = nil
    onInstall = nil
  }

  init(
    owner: Owner? = nil, faults: [RegistrationError.Fault],
    install: @escaping @Sendable (StoreView<State>) -> Void,
    onInstall: (@Sendable (StoreView<State>) -> Void)? = nil
  ) {
    self.owner = owner
    self.faults = faults
    self.install = install
    self.onInstall = onInstall
  }

  /// The part that a mutator owns.
  @inlinable
  public init<SubState>(_ mutator: Mutator<State, SubState>) {
    self.init(owner: Owner(footprint: mutator.lens.footprint, cases: mutator.cases))
  }
}

extension StorePart {
  /// The part that is deliberately constant.
  @inlinable
  public init(_ unreduced: Unreduced<State>) {
    self.init(owner: Owner(footprint: unreduced.footprint, cases: [], isConstant: true))
  }
}
