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
/// observers of that commit are called. Its context has the state as that commit left it. An effect cannot write the
/// state: it dispatches, or returns an action, an optional one, a list, or an asynchronous sequence of actions.
///
/// **Guarantees.**
///
/// - Triggers are handled in commit order; those of an array in the order of the array, each with the state after the
///   whole array. A trigger that the policy ignores never begins, and queued ones begin in that order.
/// - Which runs an action begins and ends is decided in the commit, under the lock. Four things are decided when the
///   commit is delivered: `when:`, `where:`, whether a value has changed, and whether a trigger is throttled.
/// - Cancelling an effect reaches its queue. What a cancelled run dispatches later is not applied.
/// - When a run is replaced, loses its tie or is removed, the effects that its applied commits have triggered go on.
/// - A run has the task-local values and the priority of the dispatch that triggered it.
/// - An error goes to `catch:`, or else to the store's `onEffectError:`, and is never dropped.
/// - Effects end with their store.
///
/// **Cost.** A dispatch pays only for the effects of its own action.
public struct Effect<State: Sendable>: Sendable {
  /// Handles an error that the effect threw.
  public typealias ErrorHandler = EffectFailureHandler<State>

  /// The name of the effect in messages.
  public internal(set) var name: String
  /// What becomes of a trigger while the effect is running already.
  public let policy: EffectPolicy
  var options = EffectOptions()
  private(set) var trigger: EffectTrigger<State>
  let run: EffectRun<State>
  let handler: ErrorHandler?
  /// Asked, how a run ended, for an action to dispatch.
  var ended: [EffectEnded<State>] = []
  var ties: [EffectTie<State>] = []
  var cancellers: [EffectCanceller<State>] = []
  /// What it is known to ask for, beside what its trigger does.
  private var asks: [GivenNeed] = []

  /// An effect that is called `name` and its place.
  private init(
    _ name: String, _ policy: EffectPolicy, _ trigger: EffectTrigger<State>,
    catch handler: ErrorHandler?, _ code: Code
  ) {
    policy.check()
    self.name = "\(name) at \(code.site)"
    self.policy = policy
    options.site = Boxed(code.site)
    (self.trigger, run, self.handler) = (trigger, code.run, handler)
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
    let site = CallSite.effect(fileID, line)
    return with {
      $0.asks.append(
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

// MARK: Of actions

extension Effect {
  /// What a policy counts by: a property of the action.
  public typealias Key<A> = @Sendable (_ action: A) -> any Hashable & Sendable

  /// An effect of the actions of a type, in whichever form its code was written.
  @usableFromInline
  init<A: Action>(
    on type: A.Type, _ policy: EffectPolicy, per key: Key<A>?, when condition: Condition<A>?,
    catch handler: ErrorHandler?, _ code: Code
  ) {
    let trigger = Self.trigger(of: type, key, condition)
    self.init("of \(code: type)", policy, .actions([trigger]), catch: handler, code)
  }

  /// An effect of the actions in which `matching` finds a value.
  init<A: Action, Value: Sendable>(
    on type: A.Type, matching: @escaping @Sendable (_ action: A) -> Value?,
    _ policy: EffectPolicy, per key: Key<Value>?, when condition: Condition<Value>?,
    catch handler: ErrorHandler?, _ code: Code
  ) {
    let trigger = Self.trigger(of: type, matching: { ($0 as? A).flatMap(matching) }, key, condition)
    self.init("of \(code: type)", policy, .actions([trigger]), catch: handler, code)
  }

  /// An effect of every action.
  init(
    ofEveryAction policy: EffectPolicy, when condition: Condition<any Action>?,
    catch handler: ErrorHandler?, _ code: Code
  ) {
    let trigger = Self.trigger(of: nil, nil, condition)
    self.init("of every action", policy, .actions([trigger]), catch: handler, code)
  }

  /// This effect with the actions of another type.
  func adding<A: Action>(
    _ type: A.Type, per key: Key<A>?, when condition: Condition<A>?, _ code: Code
  ) -> Effect {
    var trigger = Self.trigger(of: type, key, condition)
    trigger.run = code.run
    guard case .actions(let triggers) = self.trigger else {
      fatalError(
        """
        Lensed: `on(\(type).self)` at \(code.site) adds actions to the effect \(name), which is one of a \
        value. Add types of actions to an effect of actions.
        """)
    }
    return with { $0.trigger = .actions(triggers + [trigger]) }
  }

  /// Actions of a type, or all; where every one of them counts, `matching` is nil, and an action is its own value.
  private static func trigger<Value: Sendable>(
    of type: (any Action.Type)?,
    matching: (@Sendable (_ action: any Action) -> Value?)? = nil,
    _ key: Key<Value>?, _ condition: Condition<Value>?
  ) -> ActionTrigger<State> {
    let find: @Sendable (any Action) -> Value? = matching ?? { $0 as? Value }
    let isFiltered = matching != nil || condition != nil
    let filter: ActionTrigger<State>.Filter = { action, change in
      find(action).flatMap { condition?($0, change()) ?? true ? $0 : nil }
    }
    return ActionTrigger(
      type: type, needsPrevious: condition != nil, filter: isFiltered ? filter : nil,
      key: key.map { key -> ActionTrigger<State>.Key in
        { action in find(action).map { AnyID(key($0)) } }
      })
  }
}

// MARK: Of values

extension Effect {
  /// An effect of each change of a part of the state, in whichever form its code was written.
  init<Value: Equatable & Sendable>(
    changesOf part: PartPath<Value>, _ policy: EffectPolicy, _ triggers: EffectTriggers,
    when condition: Condition<Value>?, catch handler: ErrorHandler?, _ code: Code
  ) {
    let read = part.read
    let trigger = ValueTrigger<State>(
      footprint: part.footprint, including: triggers, when: condition,
      initial: { state, _ in StateAddress.reading(state, as: State.self, read) },
      value: { StateAddress.reading($0.state, as: State.self, read) })
    self.init("of a changed \(code: Value.self)", policy, .value(trigger), catch: handler, code)
  }

  /// An effect of each change of a derived value, or of what a lens focuses on.
  init<Value: Equatable & Sendable>(
    changesOf source: DerivedSource<State, Value>, _ policy: EffectPolicy,
    _ triggers: EffectTriggers, when condition: Condition<Value>?,
    catch handler: ErrorHandler?, _ code: Code
  ) {
    switch source.kind {
    case .part(let part):
      self.init(
        changesOf: part, policy, triggers, when: condition, catch: handler, code)
    case .derived(let reference):
      self.init(
        changesOf: Derived(reference), policy, triggers, when: condition, catch: handler, code)
    }
  }

  private init<Value: Equatable & Sendable>(
    changesOf derived: Derived<State, Value>, _ policy: EffectPolicy, _ triggers: EffectTriggers,
    when condition: Condition<Value>?, catch handler: ErrorHandler?, _ code: Code
  ) {
    let asks = derived.reference.formula.asks
    if asks.contains(where: { !derived.reference.place.appending($0.place).isWhole }) {
      fatalError(
        """
        Lensed: the effect at \(code.site) is of \(derived.reference.formula.name), which asks for a value that \
        another feature is given, in a part of this one's state. Write the effect in that feature, and lift it with it.
        """)
    }
    let trigger = ValueTrigger<State>(
      footprint: derived.footprint(in: PartPath(Lens<State, State>.identity)), including: triggers,
      needsHome: true,
      needs: asks.map {
        GivenNeed($0.type, in: State.self, of: .named("an effect"), at: code.site)
      },
      when: condition, initial: { derived.value(in: $0, given: $1) }, value: { $0[derived] })
    self.init(
      "of a changed derived \(code: Value.self)", policy, .value(trigger), catch: handler, code)
  }
}

// MARK: In a feature

extension Effect: PlacedContent {
  typealias ContentState = State

  var title: String { "the effect \(name)" }

  var actionTypes: [any Action.Type] {
    trigger.actions.compactMap { $0.type } + cancellers.map { $0.route.type }
  }

  var needs: [GivenNeed] {
    (trigger.needs + asks).map { need in
      var need = need
      need.asker = .named(title)
      return need
    }
  }

  var asksFreely: Bool { true }

  func faults(of types: [any Action.Type]) -> [FoundFault] {
    types.compactMap { type in
      switch Routability(of: type) {
      case .routed: nil
      case .list: FoundFault(.listEffect(effect: name, action: "\(type)"))
      case .object: FoundFault(.classEffect(effect: name, action: "\(type)"))
      }
    }
  }

  func named(in feature: String) -> Effect { named("\(feature)/\(name)") }

  func attachment<Root>(
    of placed: Placed<Root, Effect>, in view: StoreView<Root>, epochs: [OwnershipEpoch]
  ) -> Attachment {
    EffectRunner(placed, in: view).attachment(of: epochs)
  }
}

extension Effect: StorePartConvertible {
  /// The part that installs the effect; not for you to call.
  public var storeParts: StoreParts<State> { StoreParts([StorePart(self)]) }
}

extension StorePart {
  /// An effect that stays installed as long as its store lives, or in a feature as long as the feature does.
  public init(_ effect: Effect<State>) {
    self.init(effect, owner: nil)
  }
}

extension Store {
  /// Installs an effect, or a feature of effects alone: all its effects in one step.
  ///
  /// ```swift
  /// let installed = store.install(
  ///   Feature("library", onRemove: { log("closed") }) {
  ///     Effect(on: LoadAction.self, .first) { … }
  ///     Effect(whenChanged: \.query, .latest) { … }
  ///   })
  /// ```
  ///
  /// It traps for what owns a part of the state: that is for `register(_:)`. It traps for an effect of a list of actions,
  /// or of a class, which no action ever reaches. Between the braces of a store such an effect is a `RegistrationError`.
  ///
  /// - Returns: The subscription that keeps it installed. Releasing or cancelling it removes the effects and
  ///   cancels their runs and queues; `retire()` lets them begin nothing more.
  public func install(_ part: some StorePartConvertible<State>) -> StoreSubscription {
    let parts = part.storeParts.all
    for part in parts {
      guard let owner = part.owner else { continue }
      fatalError(
        """
        Lensed: `install(_:)` takes effects, and features of effects alone. This one owns \
        \(code: owner.footprint.name)\(owner.site.map { " at \($0)" } ?? ""): give it to `register(_:)`. `unregister(_:)` removes it, and its effects with it.
        """)
    }
    let faults = StorePart.faults(of: parts)
    if !faults.isEmpty {
      fatalError("Lensed: \(faults.map { $0.description }.joined(separator: " "))")
    }
    warnOfUnneeded(parts)
    let ids = install(parts)
    return StoreSubscription(
      end: { [core] in core.detach(ids) }, retire: { [core] in core.retire(ids) })
  }
}

// MARK: Settings

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
