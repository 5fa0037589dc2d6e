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
    self.init(
      owner: Owner(footprint: mutator.lens.footprint, cases: []),
      installed: PlacedAsyncMutator(mutator: mutator, path: ChildPath(.identity)))
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

/// An asynchronous mutator of a feature of type `State`, in a state of type `Root`.
struct PlacedAsyncMutator<Root: Sendable, State: Sendable, SubState: Sendable>: InstalledPart {
  let mutator: AsyncMutator<State, SubState>
  let path: ChildPath<Root, State>

  /// The way to the sub-state.
  var whole: ChildPath<Root, SubState> { path.appending(ChildPath(mutator.lens)) }

  var faults: [RegistrationError.Fault] {
    let feature = path.name.text()
    let faults = mutator.faults
    return feature.isEmpty ? faults : faults.map { $0.inChildren(of: feature) }
  }

  var actionTypes: [any Action.Type] {
    mutator.cases.map { ActionRoute($0.type, through: path.steps).type }
  }

  func install(in view: StoreView<Root>, of identities: [UInt64]) {
    guard let epoch = view.core.epoch(of: identities) else { return }
    _ = view.core.attach(AsyncRunner(self, in: view, as: epoch).attachment)
  }

  func didInstall(in view: StoreView<Root>) {}

  func lifted<Outer: Sendable>(by lift: Lift<Outer, Root>) -> any InstalledPart<Outer> {
    PlacedAsyncMutator<Outer, State, SubState>(mutator: mutator, path: lift.path.appending(path))
  }
}

extension AsyncMutator {
  /// This mutator for the value of an optional: a feature of nothing else.
  ///
  /// Its events are queued for the child. They end with the child, or when another takes its place.
  public func optional() -> Feature<State?> { feature.optional() }

  /// This mutator for one case of an enum: a feature of nothing else.
  public func matching<Root: Sendable>(_ prism: Prism<Root, State>) -> Feature<Root> {
    feature.matching(prism)
  }

  /// This mutator for each value of a dictionary, with a queue for each: a feature of nothing else.
  public func keyed<Key: Hashable & Sendable>(by key: Key.Type = Key.self) -> Feature<[Key: State]>
  {
    feature.keyed(by: Key.self)
  }

  /// This mutator for each element of an array, with a queue for each: a feature of nothing else.
  public func offset() -> Feature<[State]> { feature.offset() }

  /// This mutator for each element of an array, with a queue for each: a feature of nothing else.
  public func identified() -> Feature<[State]>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    feature.identified()
  }

  /// This mutator for each of some entities, with a queue for each: a feature of nothing else.
  @_disfavoredOverload
  public func identified() -> Feature<Entities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    feature.identified()
  }

  private var feature: Feature<State> { Feature(parts: [StorePart(self)]) }

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
