extension OwnershipCheck {
  /// Proves that the parts of a store fit together, and that none is missing.
  @usableFromInline
  func prove<State>(
    _ owners: [Owner], besides others: [RegistrationError.Fault], in initialState: State
  ) throws(RegistrationError) {
    var faults = faults(adding: owners, besides: others)
    if coverage == .complete {
      faults += self.faults(of: owners, in: initialState)
      faults += StateAddress.reading(initialState, as: State.self) { state in
        owners.compactMap(ChildProof.init).flatMap { $0.faults(in: state) }
      }
    }
    guard faults.isEmpty else { throw RegistrationError(faults: faults) }
  }
}
