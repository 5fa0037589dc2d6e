/// A plan in a state of type `Root`, of an effect of a feature of type `State`.
struct PlacedEffect<Root: Sendable, State: Sendable>: Sendable {
  var trigger: EffectTrigger<State>
  let run: EffectRun<State>
  let handler: EffectFailureHandler<State>?
  let path: ChildPath<Root, State>
  /// Whether the feature is the state itself, and its actions those of the store.
  var isPlain = false
  /// Asked, how a run ended, for an action to dispatch.
  var ended: [EffectEnded<State>] = []
  var ties: [EffectTie<Root>] = []
  var cancellers: [EffectCanceller<Root>] = []
  /// What it was given, the nearest of each type.
  var givers: [Giver] = []
  /// What it is known to ask for.
  var needs: [GivenNeed] = []

  /// What gives the values that the trigger is computed of.
  var triggerGivers: [Giver] {
    guard case .value(let trigger) = trigger else { return [] }
    return trigger.needs.compactMap { need in givers.first { $0.gives(need.type) } }
  }

  /// Makes the names of the runs in each child; to be kept, because reading the names of a path takes long.
  func labels(_ name: String) -> @Sendable (_ ids: [AnyID]) -> WorkLabel {
    if path.name.text().isEmpty { return { _ in .effect(name) } }
    return { [path] ids in .effectOfFeature(name) { path.name.text(ids) } }
  }
}
