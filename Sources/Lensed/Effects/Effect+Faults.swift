extension Effect {
  /// The faults that keep the effect out of every store: action types by which nothing is routed.
  var faults: [RegistrationError.Fault] {
    plan.actionTypes.compactMap { type in
      switch Routability(of: type) {
      case .routed: nil
      case .list: .listEffect(effect: name, action: "\(type)")
      case .object: .classEffect(effect: name, action: "\(type)")
      }
    }
  }

  /// Traps when one of the effects could never run.
  static func requireFaultless(_ effects: [Effect]) {
    let faults = effects.flatMap(\.faults)
    if faults.isEmpty { return }
    fatalError("Lensed: \(faults.map(\.description).joined(separator: " "))")
  }
}
