/// An effect as a store of the state `Root` knows it, whatever the state of the feature is that it was written for.
protocol EffectPlan<Root>: Sendable {
  associatedtype Root: Sendable

  /// The types of the actions that trigger or cancel it, as the store knows them.
  var actionTypes: [any Action.Type] { get }
  var ties: [EffectTie<Root>] { get set }
  var cancellers: [EffectCanceller<Root>] { get set }
  /// What it was given, the nearest of each type.
  var givers: [Giver] { get set }
  /// What it is known to ask for.
  var needs: [GivenNeed] { get set }

  func lifted<Outer: Sendable>(by path: Optic<Outer, Root>) -> any EffectPlan<Outer>
  /// The same, started by further actions; nil where it was lifted.
  func adding(_ trigger: ActionTrigger<Root>) -> (any EffectPlan<Root>)?

  /// The same, which tells how its runs ended, too; nil where it was lifted.
  func telling(_ ended: @escaping EffectEnded<Root>) -> (any EffectPlan<Root>)?

  /// Makes the runner of one installation.
  func makeRunner(
    _ name: String, _ policy: EffectPolicy, _ options: EffectOptions, in view: StoreView<Root>
  ) -> any InstalledEffect
}

/// An installed effect, whatever its types.
protocol InstalledEffect: AnyObject, Sendable {
  /// Its listeners: first those that end it, then those that trigger it.
  var listeners: [CommitListener] { get }

  /// What it is, in names.
  var wiring: StoreWiring.WiredEffect { get }

  /// The works that run, and those that wait; asked for under the lock of the store.
  var works: [WorkNode] { get }

  /// Lets the triggers that wait for a lull begin.
  func flush()

  /// Starts no more runs; returns those that run and those that wait, to be stopped, or only those that wait.
  func close(retiring isRetiring: Bool) -> [WorkNode]
}

/// The settings of an effect that do not depend on its state.
struct EffectOptions: Sendable {
  /// Runs an attempt, more than once or with a limit, as a work: that of the run, or a part of it.
  typealias Wrap =
    @Sendable (
      _ work: WorkNode, _ attempt: @escaping @Sendable (_ work: WorkNode) async throws -> Void
    ) async throws -> Void

  /// Waits before a run begins, and lets a newer trigger replace it.
  typealias Pause = @Sendable (_ lull: Lull) async throws -> Void

  var pause: Pause?
  var throttle: Throttle?
  /// Where the effect is written.
  var site: Boxed<CallSite>?
  /// What is done around each run, the innermost first.
  var wraps: [Wrap] = []
  /// Whether its runs are given the state before the commit.
  var keepsPrevious = false
  /// How many commits after the trigger are kept for a run that has yet to ask; nil where none are.
  var keptChanges: Int?

  /// The work of a run, with all that is done around it.
  ///
  /// A loop rather than `reduce`: what passes through a generic function is called through two more thunks.
  func wrapping<State>(_ run: @escaping EffectRun<State>) -> EffectRun<State> {
    var run = run
    for wrap in wraps {
      let inner = run
      run = { input, context in
        try await wrap(context.work) { try await inner(input, context.part(as: $0)) }
      }
    }
    return run
  }
}

// MARK: The plan

/// A plan in a state of type `Root`, of an effect of a feature of type `State`.
///
/// Its code stays in terms of the feature, and each lift appends to the path. So an effect of a row in a row costs one
/// look-up more, and no closure more.
struct PlacedEffect<Root: Sendable, State: Sendable>: Sendable {
  var trigger: EffectTrigger<State>
  let run: EffectRun<State>
  let handler: EffectFailureHandler<State>?
  let path: Optic<Root, State>
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
    if path.way.text().isEmpty { return { _ in .effect(name) } }
    return { [path] ids in .effectOfFeature(name) { path.way.text(ids) } }
  }
}

extension PlacedEffect: EffectPlan {
  var actionTypes: [any Action.Type] {
    let types = trigger.actions.compactMap { $0.type }
    return types.map { ActionRoute($0, through: path.steps).type }
      + cancellers.map { $0.route.type }
  }

  func lifted<Outer: Sendable>(by outer: Optic<Outer, Root>) -> any EffectPlan<Outer> {
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
