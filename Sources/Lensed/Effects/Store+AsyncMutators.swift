extension Store {
  /// Adds an asynchronous mutator.
  ///
  /// - Throws: What keeps it from standing beside those that are registered. The store is then as it
  ///   was.
  public func register<SubState: Sendable>(
    _ mutator: AsyncMutator<State, SubState>
  ) throws(RegistrationError) {
    try register([StorePart(mutator)])
  }
}

extension StorePart {
  /// The part that an asynchronous mutator owns.
  public init<SubState: Sendable>(_ mutator: AsyncMutator<State, SubState>) {
    let footprint = mutator.lens.footprint
    self.init(owner: Owner(footprint: footprint, cases: [])) { view in
      guard let tenure = view.core.tenure(of: footprint) else { return }
      _ = view.core.attach(AsyncRunner(mutator, in: view, as: tenure).attachment)
    }
  }
}

extension StoreBuilder {
  /// An asynchronous mutator is a part.
  public static func buildExpression<SubState: Sendable>(
    _ mutator: AsyncMutator<State, SubState>
  ) -> [StorePart<State>] {
    [StorePart(mutator)]
  }
}
