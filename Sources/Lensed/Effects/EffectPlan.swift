/// What an effect does, in terms of the feature that it was written for.
struct EffectCode<State: Sendable>: Sendable {
  var trigger: EffectTrigger<State>
  let run: Effect<State>.Run
  let handler: Effect<State>.ErrorHandler?
  var keepsPrevious = false

  var needsPrevious: Bool { keepsPrevious || trigger.needsPrevious }
}

/// An effect, with the way to the feature that it was written for.
protocol EffectPlan<Root>: Sendable {
  associatedtype Root: Sendable

  /// The types of the actions that trigger or cancel it, as the store knows them.
  var actionTypes: [any Action.Type] { get }
  /// The name of the feature in the state; empty where it is the state itself.
  var featureName: String { get }

  func lifted<Outer: Sendable>(by path: ChildPath<Outer, Root>) -> any EffectPlan<Outer>
  func tied(_ tie: EffectTie<Root>) -> any EffectPlan<Root>
  func cancelled(_ canceller: EffectCanceller<Root>) -> any EffectPlan<Root>
  func keepingPrevious() -> any EffectPlan<Root>
  /// The same, started by further actions; nil where it was lifted.
  func adding(_ trigger: ActionTrigger<Root>) -> (any EffectPlan<Root>)?

  func makeRunner(_ effect: Effect<Root>, in view: StoreView<Root>) -> any InstalledEffect
}

/// An installed effect, whatever its types.
protocol InstalledEffect: AnyObject, Sendable {
  /// Its listeners: first those that end it, then those that trigger it.
  var listeners: [CommitListener] { get }

  /// Cancels the runs and the queues, and starts no more runs.
  func close()
}

/// A plan in a state of type `Root`, of an effect of a feature of type `State`.
struct PlacedEffect<Root: Sendable, State: Sendable>: EffectPlan {
  var code: EffectCode<State>
  var path: ChildPath<Root, State>
  /// Whether the feature is the state itself, and its actions those of the store.
  var isPlain = false
  var ties: [EffectTie<Root>] = []
  var cancellers: [EffectCanceller<Root>] = []

  var actionTypes: [any Action.Type] {
    let triggers = ownTriggers.compactMap(\.type).map { ActionRoute($0, through: path.steps).type }
    return triggers + cancellers.map(\.route.type)
  }

  private var ownTriggers: [ActionTrigger<State>] {
    if case .actions(let triggers) = code.trigger { triggers } else { [] }
  }

  var featureName: String { path.name.text() }

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

  func adding(_ trigger: ActionTrigger<Root>) -> (any EffectPlan<Root>)? {
    guard var copy = self as? PlacedEffect<Root, Root>, isPlain,
      case .actions(let triggers) = copy.code.trigger
    else { return nil }
    copy.code.trigger = .actions(triggers + [trigger])
    return copy
  }

  func makeRunner(_ effect: Effect<Root>, in view: StoreView<Root>) -> any InstalledEffect {
    EffectRunner(self, effect.name, effect.policy, effect.options, in: view)
  }
}
