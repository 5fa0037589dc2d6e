extension Store {
  /// Adds an asynchronous mutator.
  ///
  /// - Throws: The faults of the mutator, and its conflicts with those that are registered. The store is
  ///   then unchanged.
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
    self.init(owner: Owner(footprint: footprint, cases: []), faults: mutator.faults) { view in
      guard let epoch = view.core.epoch(of: footprint) else { return }
      _ = view.core.attach(AsyncRunner(mutator, in: view, as: epoch).attachment)
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

extension AsyncMutator {
  /// The faults that keep the mutator out of every store.
  var faults: [RegistrationError.Fault] {
    let property = lens.footprint.name
    let unroutable = cases.compactMap { answer -> RegistrationError.Fault? in
      switch Routability(of: answer.type) {
      case .routed: nil
      case .list: .listReducer(property: property, action: "\(answer.type)")
      case .object: .classReducer(property: property, action: "\(answer.type)")
      }
    }
    return unroutable + (fault.map { [RegistrationError.Fault($0, of: property)] } ?? [])
  }
}
