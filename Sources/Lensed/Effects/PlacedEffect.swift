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

  /// The name of the runs in one child.
  func label(_ name: String, _ ids: [AnyID]) -> WorkLabel {
    featureName.isEmpty
      ? .effect(name) : .effectOfFeature(name) { [path] in path.name.text(ids) }
  }
}
