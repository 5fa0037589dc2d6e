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
/// An effect runs off the main actor, in a task that is started after the commit that triggered it, before the
/// observers of that commit are called. Its context has the state as that commit left it. An effect cannot write the state: it
/// dispatches, or returns an action, an optional one, a list, or an asynchronous sequence of actions.
///
/// **Guarantees.** Triggers are handled in commit order; those of an array in the order of the array, with
/// the state after it. A commit decides itself, under the lock, what of an effect it begins and ends; only what has a
/// `when:` or a `where:`, is of a changed value or is throttled is decided by whoever delivers the commit. A trigger that the policy ignores never begins, and queued ones begin in that order.
/// Cancelling an effect reaches its queue, and the later dispatches of a cancelled run are ignored. Effects
/// that its applied commits triggered go on when a run is replaced, loses its tie or is removed. A run has
/// the task-local values and the priority of the dispatch that triggered it. An error goes to `catch:`, or
/// else to the store's `onEffectError:`, and is never dropped. Effects end with their store.
///
/// **Cost.** A dispatch pays only for the effects of its own action.
public struct Effect<State: Sendable>: Sendable {
  /// The work of one run; its input is the action or the value that the trigger passes on.
  @usableFromInline
  typealias Run = EffectRun<State>
  /// Handles an error that the effect threw.
  public typealias ErrorHandler = EffectFailureHandler<State>

  /// The name of the effect in messages.
  public internal(set) var name: String
  /// What becomes of a trigger while the effect is running already.
  public let policy: EffectPolicy
  var options = EffectOptions()
  /// What the effect does, in terms of the feature that it was written for, and where that feature is.
  var plan: any EffectPlan<State>

  @usableFromInline
  init(
    name: String, _ policy: EffectPolicy, _ trigger: EffectTrigger<State>,
    catch handler: ErrorHandler?, run: @escaping Run
  ) {
    policy.check()
    self.name = name
    self.policy = policy
    plan = PlacedEffect<State, State>(
      trigger: trigger, run: run, handler: handler, path: ChildPath(.identity), isPlain: true,
      needs: trigger.needs)
  }

  init(
    name: String, _ policy: EffectPolicy, _ options: EffectOptions, _ plan: any EffectPlan<State>
  ) {
    (self.name, self.policy, self.options, self.plan) = (name, policy, options, plan)
  }

  /// This effect, called `name` in messages.
  public func named(_ name: String) -> Effect {
    with { $0.name = name }
  }

  /// This effect, whose context has the state before the commit at hand: `context.change.previous`.
  ///
  /// While it is installed, the commits that trigger it copy what they touch. A `when:` keeps that state
  /// too.
  public func keepingPrevious() -> Effect {
    with { $0.options.keepsPrevious = true }
  }

  /// This effect, whose runs can read and await the commits after the one that triggered them:
  /// `context.changes()` and `context.next(_:)`.
  ///
  /// ```swift
  /// Effect<AppState>(on: Delete.self, .latest) { delete, context in
  ///   context.dispatch(Ask(delete.id))
  ///   let answer = try await context.next(Answer.self, where: { answer, _ in answer.id == delete.id })
  ///   return answer.isYes ? Remove(delete.id) : nil
  /// }
  /// .keepingChanges()
  /// ```
  ///
  /// The commits are kept from the trigger on, decided in the triggering commit itself: whatever is dispatched
  /// right after the trigger is seen, even if the run begins later.
  ///
  /// While a run is under way, or waits for its turn, every dispatch boxes its action and copies what it
  /// touches. At other times no dispatch pays for it.
  ///
  /// - Parameter limit: How many commits are kept for a run that has yet to ask for them, at least 1. Of more
  ///   than that the oldest ones are dropped, and counted. While the run reads or waits, none are.
  /// - Returns: The effect, whose runs can ask what has come since.
  public func keepingChanges(limit: Int = 1_000) -> Effect {
    if limit < 1 {
      fatalError(
        "Lensed: the effect \(name) has to keep one change at least, not \(limit). Give it room for some."
      )
    }
    return with { $0.options.keptChanges = limit }
  }

  /// This effect, which says that its function asks for a given value: `context.given(_:)`.
  ///
  /// ```swift
  /// Effect<Row>(on: Publish.self) { _, context in
  ///   try await shop.publish(context.state, in: context.given(Settings.self).currency)
  /// }
  /// .needing(Settings.self)
  /// ```
  ///
  /// Without it the function traps when it asks, if nothing gives such a value. With it, no store takes the effect then.
  public func needing<Value: Sendable>(
    _ value: Value.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return with {
      $0.plan.needs.append(
        GivenNeed(Value.self, in: State.self, of: .named("an effect"), at: site))
    }
  }

  /// This effect with something changed.
  func with(_ change: (inout Effect) -> Void) -> Effect {
    var copy = self
    change(&copy)
    return copy
  }

  /// This effect with something done around each run.
  func wrapped(_ wrap: @escaping EffectOptions.Wrap) -> Effect {
    with { $0.options.wraps.append(wrap) }
  }
}
