/// What has become of what an effect is tied to.
enum TieStatus: Sendable {
  /// It is there, and the same as before.
  case same
  /// It is there, and another: the runs that were tied to the one before are to end.
  case replaced
  /// It is not there: nothing is to run.
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
/// that commit, with the state as that commit left it at hand. It cannot write the state: it dispatches,
/// or returns an action, an optional one, a list, or an asynchronous sequence of actions.
///
/// **Guarantees.** Triggers are seen in commit order; those of an array in the order of the array, with
/// the state after it. What a policy ignores never begins, what it queues begins in that order.
/// Cancelling reaches what is queued, and what a cancelled effect still dispatches is ignored. The
/// effects that its applied commits set off go on when it gives way, loses its tie or is removed. It
/// runs with the task-local values and the priority of the dispatch that set it off. An error goes to
/// `catch:`, or else to the store's `onEffectError:`; never into silence. Effects end with their store.
///
/// **Cost.** A dispatch pays for the effects of its own action alone.
public struct Effect<State: Sendable>: Sendable {
  /// What runs when the effect does, given what its trigger has found.
  @usableFromInline
  typealias Run =
    @Sendable (_ subject: any Sendable, _ context: EffectContext<State>) async throws -> Void
  /// Handles an error that the effect threw.
  public typealias ErrorHandler =
    @concurrent @Sendable (_ error: any Error, _ context: EffectContext<State>) async -> Void

  /// What sets the effect off.
  @usableFromInline
  enum Trigger: Sendable {
    /// An action of a type; without a look, the effect is about each of them as it is.
    case action(any Action.Type, needsPrevious: Bool, _ look: ActionFilter?)
    /// A value that differs from the one before. What is made looks at one commit after another.
    case value(
      ObservedPath<State>, needsPrevious: Bool, @Sendable (_ initial: State) -> ValueWatch)
  }

  /// Looks at an action, and gives what the effect is about; nil when it is not to start.
  @usableFromInline
  typealias ActionFilter =
    @Sendable (_ action: any Action, _ change: () -> Change<State>) -> (any Sendable)?

  /// Looks at one commit after another, and gives the value when it has changed.
  @usableFromInline
  typealias ValueWatch =
    @Sendable (_ change: () -> Change<State>, _ ignoresChange: Bool) -> (any Sendable)?

  /// Something in the state that no run of the effect is to outlive.
  struct Tie: Sendable {
    let sight: ObservedPath<State>
    /// Makes what looks at one state after another.
    let makeWatch: @Sendable () -> TieWatch
  }

  /// Says what has become of what the effect is tied to, since the state before.
  typealias TieWatch = @Sendable (State) -> TieStatus

  /// What the effect is called in messages.
  public internal(set) var name: String
  /// What becomes of an occasion while the effect is running already.
  public let policy: EffectPolicy
  var trigger: Trigger
  var run: Run
  var handler: ErrorHandler?
  var ties: [Tie] = []
  var cancellers: [any Action.Type] = []
  /// Waits, before the effect begins, to see whether a newer occasion comes.
  var pause: (@Sendable () async throws -> Void)?
  /// Makes what says whether an occasion comes too soon after another.
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
