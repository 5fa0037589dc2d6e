extension PlacedEffect: EffectPlan {
  var actionTypes: [any Action.Type] {
    let types = trigger.actions.compactMap(\.type)
    return types.map { ActionRoute($0, through: path.steps).type } + cancellers.map(\.route.type)
  }

  func lifted<Outer: Sendable>(by outer: ChildPath<Outer, Root>) -> any EffectPlan<Outer> {
    PlacedEffect<Outer, State>(
      trigger: trigger, run: run, handler: handler, path: outer.appending(path), ended: ended,
      ties: ties.map { $0.lifted(by: outer) }, cancellers: cancellers.map { $0.lifted(by: outer) },
      givers: givers.map { $0.lifted(by: outer) }, needs: needs)
  }

  func adding(_ trigger: ActionTrigger<Root>) -> (any EffectPlan<Root>)? {
    guard var copy = self as? PlacedEffect<Root, Root>, isPlain,
      case .actions(let triggers) = copy.trigger
    else { return nil }
    copy.trigger = .actions(triggers + [trigger])
    return copy
  }

  func telling(_ ended: @escaping EffectEnded<Root>) -> (any EffectPlan<Root>)? {
    guard var copy = self as? PlacedEffect<Root, Root>, isPlain else { return nil }
    copy.ended.append(ended)
    return copy
  }

  func makeRunner(
    _ name: String, _ policy: EffectPolicy, _ options: EffectOptions, in view: StoreView<Root>
  ) -> any InstalledEffect {
    EffectRunner(self, name, policy, options, in: view)
  }
}
