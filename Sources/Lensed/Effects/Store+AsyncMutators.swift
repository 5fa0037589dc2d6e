extension StorePart {
  /// The part that an asynchronous mutator owns.
  public init<SubState: Sendable>(_ mutator: AsyncMutator<State, SubState>) {
    self.init(
      owner: Owner(footprint: mutator.lens.footprint, cases: [], site: mutator.site),
      installed: PlacedAsyncMutator(mutator: mutator, path: ChildPath(.identity)))
  }
}

extension Store {
  /// Puts an asynchronous mutator in the place of the mutator that owns the same part, in one step.
  ///
  /// Each event that is dispatched meanwhile meets the former reducer or the new one. The events of a former
  /// `AsyncMutator` that run or wait are cancelled; what `whileLoading` showed stays.
  ///
  /// - Parameter mutator: The mutator of a part that has an owner.
  /// - Throws: The faults of the mutator, as for a synchronous one. The store is then as it was.
  public func replace<SubState: Sendable>(
    _ mutator: AsyncMutator<State, SubState>
  ) throws(RegistrationError) {
    try view.core.replace(by: StorePart(mutator), in: view)
  }
}

extension AsyncMutator: StorePartConvertible {
  /// The part that the mutator owns; not for you to call.
  public var storeParts: StoreParts<State> { StoreParts([StorePart(self)]) }
}

/// An asynchronous mutator of a feature of type `State`, in a state of type `Root`.
private struct PlacedAsyncMutator<Root: Sendable, State: Sendable, SubState: Sendable>:
  InstalledPart
{
  let mutator: AsyncMutator<State, SubState>
  let path: ChildPath<Root, State>
  /// What gives the values that it asks for, the nearest of each type.
  var givers: [Giver] = []

  var title: String { "the asynchronous reducer of `\(mutator.lens.footprint.name)`" }

  var faults: [RegistrationError.Fault] {
    let feature = path.name.text()
    let faults = mutator.faults
    return feature.isEmpty ? faults : faults.map { $0.inChildren(of: feature) }
  }

  var actionTypes: [any Action.Type] {
    mutator.cases.map { ActionRoute($0.type, through: path.steps).type }
  }

  var needs: [GivenNeed] {
    mutator.cases.compactMap(\.need).filter { need in !givers.contains { $0.gives(need.type) } }
  }

  func given(by giver: Giver) -> any InstalledPart<Root> {
    guard needs.contains(where: { giver.gives($0.type) }) else { return self }
    var given = self
    given.givers.append(giver)
    return given
  }

  func install(in view: StoreView<Root>, of identities: [UInt64]) -> Installed? {
    if let epoch = view.core.epochs(of: identities)?.first,
      let attachment = attachment(in: view, of: epoch)
    {
      _ = view.core.attach(attachment)
    }
    return nil
  }

  func attachment(in view: StoreView<Root>, of epoch: OwnershipEpoch) -> Attachment? {
    AsyncRunner(mutator, of: path, in: view, as: epoch, givenBy: givers).attachment
  }

  func lifted<Outer: Sendable>(by lift: Lift<Outer, Root>) -> any InstalledPart<Outer> {
    PlacedAsyncMutator<Outer, State, SubState>(
      mutator: mutator, path: lift.path.appending(path),
      givers: givers.map { $0.lifted(by: lift.path) })
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
