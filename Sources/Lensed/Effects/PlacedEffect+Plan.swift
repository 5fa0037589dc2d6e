extension PlacedEffect: EffectPlan {
  var actionTypes: [any Action.Type] {
    let triggers = ownTriggers.compactMap(\.type).map { ActionRoute($0, through: path.steps).type }
    return triggers + cancellers.map(\.route.type)
  }

  private var ownTriggers: [ActionTrigger<State>] {
    if case .actions(let triggers) = code.trigger { triggers } else { [] }
  }

  func lifted<Outer: Sendable>(by outer: ChildPath<Outer, Root>) -> any EffectPlan<Outer> {
    PlacedEffect<Outer, State>(
      code: code, path: outer.appending(path), ties: ties.map { $0.lifted(by: outer) },
      cancellers: cancellers.map { $0.lifted(by: outer) })
  }

  func tied(_ tie: EffectTie<Root>) -> any EffectPlan<Root> {
    var copy = self
    copy.ties.append(tie)
    return copy
  }

  func cancelled(_ canceller: EffectCanceller<Root>) -> any EffectPlan<Root> {
    var copy = self
    copy.cancellers.append(canceller)
    return copy
  }

  func keepingPrevious() -> any EffectPlan<Root> {
    var copy = self
    copy.code.keepsPrevious = true
    return copy
  }

  func keepingChanges(_ limit: Int) -> any EffectPlan<Root> {
    var copy = self
    copy.code.keptChanges = limit
    return copy
  }

  func adding(_ trigger: ActionTrigger<Root>) -> (any EffectPlan<Root>)? {
    guard var copy = self as? PlacedEffect<Root, Root>, isPlain,
      case .actions(let triggers) = copy.code.trigger
    else { return nil }
    copy.code.trigger = .actions(triggers + [trigger])
    return copy
  }

  func makeRunner(
    _ name: String, _ policy: EffectPolicy, _ options: EffectOptions, in view: StoreView<Root>
  ) -> any InstalledEffect {
    EffectRunner(self, name, policy, options, in: view)
  }
}
