/// The status of the value that an effect is tied to, compared with the state before.
enum TieStatus: Sendable {
  /// It exists, with the same identity.
  case same
  /// It exists, with another identity: the runs tied to the former one end.
  case replaced
  /// It does not exist: nothing runs.
  case gone
}

/// Work that an action, or a changed value, starts: a request, a timer, a write to disk.
///
/// ```swift
/// let search = Effect<AppState>(on: SearchAction.self, .latest) { action, context in
///   let found = try await api.search(action.query)
///   context.dispatch(ResultsAction.found(found))
/// }
/// let installed = store.install(search)   // or between the braces of the store
/// ```
///
/// An effect runs off the main actor, after the commit that triggered it and after the observers of
/// that commit. Its context has the state as that commit left it. An effect cannot write the state: it
/// dispatches, or returns an action, an optional one, a list, or an asynchronous sequence of actions.
///
/// **Guarantees.** Triggers are handled in commit order; those of an array in the order of the array, with
/// the state after it. A trigger that the policy ignores never begins, and queued ones begin in that order.
/// Cancelling an effect reaches its queue, and the later dispatches of a cancelled run are ignored. Effects
/// that its applied commits triggered go on when a run is replaced, loses its tie or is removed. A run has
/// the task-local values and the priority of the dispatch that triggered it. An error goes to `catch:`, or
/// else to the store's `onEffectError:`, and is never dropped. Effects end with their store.
///
/// **Cost.** A dispatch pays only for the effects of its own action.
public struct Effect<State: Sendable>: Sendable {
  /// The work of one run; its input is the action or the value that the trigger passes on.
  @usableFromInline
  typealias Run =
    @Sendable (_ input: any Sendable, _ context: EffectContext<State>) async throws -> Void
  /// Handles an error that the effect threw.
  public typealias ErrorHandler =
    @concurrent @Sendable (_ error: any Error, _ context: EffectContext<State>) async -> Void

  /// What starts a run.
  @usableFromInline
  enum Trigger: Sendable {
    /// An action of a type; without a filter, each of them is the input of a run.
    case action(any Action.Type, needsPrevious: Bool, _ filter: ActionFilter?)
    /// A value that differs from the one before. The closure makes the watch of one installation.
    case value(
      ObservedPath<State>, needsPrevious: Bool, @Sendable (_ initial: State) -> ValueWatch)
  }

  /// Returns the input of the run that an action starts; nil when it starts none.
  @usableFromInline
  typealias ActionFilter =
    @Sendable (_ action: any Action, _ change: () -> Change<State>) -> (any Sendable)?

  /// Is called with each commit in order, and returns the value where it has changed.
  @usableFromInline
  typealias ValueWatch =
    @Sendable (_ change: () -> Change<State>, _ ignoresChange: Bool) -> (any Sendable)?

  /// A value in the state that no run of the effect outlives.
  struct Tie: Sendable {
    let path: ObservedPath<State>
    /// Makes the watch of one installation.
    let makeWatch: @Sendable () -> TieWatch
  }

  /// Is called with each state in order, and returns the status of the tied value.
  typealias TieWatch = @Sendable (State) -> TieStatus

  /// The name of the effect in messages.
  public internal(set) var name: String
  /// What becomes of a trigger while the effect is running already.
  public let policy: EffectPolicy
  var trigger: Trigger
  var run: Run
  var handler: ErrorHandler?
  var ties: [Tie] = []
  var cancellers: [any Action.Type] = []
  /// Waits before a run begins, and lets a newer trigger replace it.
  var pause: (@Sendable () async throws -> Void)?
  /// Makes a check of whether a trigger comes late enough after the one before.
  var throttle: (@Sendable () -> @Sendable () -> Bool)?

  @usableFromInline
  init(
    name: String, _ policy: EffectPolicy, _ trigger: Trigger, catch handler: ErrorHandler?,
    run: @escaping Run
  ) {
    policy.check()
    self.name = name
    self.policy = policy
    self.trigger = trigger
    self.handler = handler
    self.run = run
  }

  /// This effect, called `name` in messages.
  public func named(_ name: String) -> Effect {
    var copy = self
    copy.name = name
    return copy
  }
}
