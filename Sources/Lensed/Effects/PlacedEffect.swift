/// A plan in a state of type `Root`, of an effect of a feature of type `State`.
struct PlacedEffect<Root: Sendable, State: Sendable>: Sendable {
  var code: EffectCode<State>
  var path: ChildPath<Root, State>
  /// Whether the feature is the state itself, and its actions those of the store.
  var isPlain = false
  var ties: [EffectTie<Root>] = []
  var cancellers: [EffectCanceller<Root>] = []

  /// The name of the feature in the state; empty where it is the state itself.
  var featureName: String { path.name.text() }

  /// Makes the names of the runs in each child; to be kept, because reading the names of a path takes long.
  func labels(_ name: String) -> @Sendable (_ ids: [AnyID]) -> WorkLabel {
    if featureName.isEmpty { return { _ in .effect(name) } }
    return { [path] ids in .effectOfFeature(name) { path.name.text(ids) } }
  }
}
