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
    catch handler: ErrorHandler?, at site: CallSite, run: @escaping Run
  ) {
    policy.check()
    self.name = name
    self.policy = policy
    options.site = Boxed(site)
    plan = PlacedEffect<State, State>(
      trigger: trigger, run: run, handler: handler, path: Optic(.identity), isPlain: true,
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
}

extension Effect {
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
    catch handler: ErrorHandler?, at site: CallSite, run: @escaping Run
  ) {
    self.init(
      name: "of `\(type)` at \(site)", policy, .actions([Self.trigger(of: type, key, condition)]),
      catch: handler, at: site, run: run)
  }

  /// An effect of the actions in which `matching` finds a value.
  init<A: Action, Value: Sendable>(
    on type: A.Type, matching: @escaping @Sendable (_ action: A) -> Value?,
    _ policy: EffectPolicy, per key: Key<Value>?, when condition: Condition<Value>?,
    catch handler: ErrorHandler?, at site: CallSite, run: @escaping Run
  ) {
    let trigger = ActionTrigger<State>(
      type: type, needsPrevious: condition != nil,
      filter: { action, change in
        guard let value = (action as? A).flatMap(matching), condition?(value, change()) ?? true
        else { return nil }
        return value
      },
      key: key.map { key -> ActionTrigger<State>.Key in
        { action in (action as? A).flatMap(matching).map { AnyID(key($0)) } }
      })
    self.init(
      name: "of `\(type)` at \(site)", policy, .actions([trigger]), catch: handler, at: site,
      run: run)
  }

  /// An effect of every action.
  init(
    ofEveryAction policy: EffectPolicy, when condition: Condition<any Action>?,
    catch handler: ErrorHandler?, at site: CallSite, run: @escaping Run
  ) {
    let trigger = ActionTrigger<State>(
      type: nil, needsPrevious: condition != nil,
      filter: condition.map { condition -> ActionTrigger<State>.Filter in
        { condition($0, $1()) ? $0 : nil }
      })
    self.init(
      name: "of every action at \(site)", policy, .actions([trigger]), catch: handler, at: site,
      run: run)
  }

  /// This effect with the actions of another type.
  func adding<A: Action>(
    _ type: A.Type, per key: Key<A>?, when condition: Condition<A>?, at site: CallSite,
    run: @escaping Run
  ) -> Effect {
    var trigger = Self.trigger(of: type, key, condition)
    trigger.run = run
    guard let plan = plan.adding(trigger) else {
      fatalError(
        """
        Lensed: `on(\(type).self)` at \(site) adds actions to the effect \(name), which is one of a \
        value or was lifted or tagged before. Add the types of actions first, to an effect of actions.
        """)
    }
    return Effect(name: name, policy, options, plan)
  }

  private static func trigger<A: Action>(
    of type: A.Type, _ key: Key<A>?, _ condition: Condition<A>?
  ) -> ActionTrigger<State> {
    ActionTrigger(
      type: type, needsPrevious: condition != nil,
      filter: condition.map { condition -> ActionTrigger<State>.Filter in
        { action, change in
          guard let action = action as? A, condition(action, change()) else { return nil }
          return action
        }
      },
      key: key.map { key -> ActionTrigger<State>.Key in
        { action in (action as? A).map { AnyID(key($0)) } }
      })
  }
}

// MARK: Of values

extension Effect {
  /// An effect of each change of a part of the state, in whichever form its code was written.
  init<Value: Equatable & Sendable>(
    changesOf part: PartPath<Value>, _ policy: EffectPolicy, _ triggers: EffectTriggers = [],
    when condition: Condition<Value>?, catch handler: ErrorHandler?, at site: CallSite,
    run: @escaping Run
  ) {
    let read = part.read
    let trigger = ValueTrigger<State>(
      footprint: part.footprint, including: triggers, when: condition,
      initial: { state, _ in StateAddress.reading(state, as: State.self, read) },
      value: { StateAddress.reading($0.state, as: State.self, read) })
    self.init(
      name: "of a changed `\(Value.self)` at \(site)", policy, .value(trigger), catch: handler,
      at: site, run: run)
  }

  /// An effect of each change of a derived value.
  init<Value: Equatable & Sendable>(
    changesOf derived: Derived<State, Value>, _ policy: EffectPolicy, _ triggers: EffectTriggers,
    when condition: Condition<Value>?, catch handler: ErrorHandler?, at site: CallSite,
    run: @escaping Run
  ) {
    let asks = derived.reference.formula.asks
    if asks.contains(where: { !derived.reference.place.appending($0.place).isWhole }) {
      fatalError(
        """
        Lensed: the effect at \(site) is of \(derived.reference.formula.name), which asks for a value that another \
        feature is given, in a part of this one's state. Write the effect in that feature, and lift it with it.
        """)
    }
    let trigger = ValueTrigger<State>(
      footprint: derived.footprint(in: PartPath(Lens<State, State>.identity)), including: triggers,
      needsHome: true,
      needs: asks.map { GivenNeed($0.type, in: State.self, of: .named("an effect"), at: site) },
      when: condition, initial: { derived.value(in: $0, given: $1) }, value: { $0[derived] })
    self.init(
      name: "of a changed derived `\(Value.self)` at \(site)", policy, .value(trigger),
      catch: handler, at: site, run: run)
  }
}

// MARK: Lifts

extension Effect {
  /// This effect for a larger state, of which the feature's state is one part.
  public func lifted<Root: Sendable>(_ lens: some LensLike<Root, State>) -> Effect<Root> {
    lifted(by: Optic(lens.asLens))
  }

  /// This effect for a larger state, of which the feature's state is the property at a key path.
  public func lifted<Root: Sendable>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable
  ) -> Effect<Root> {
    lifted(by: Optic(Lens(keyPath, for: .lift)))
  }

  /// Not available: an effect writes, and this key path only reads.
  @available(*, unavailable, message: "a lift needs a WritableKeyPath; this one only reads")
  public func lifted<Root: Sendable>(
    _ keyPath: any KeyPath<Root, State> & Sendable
  ) -> Effect<Root> {
    ReadOnlyKeyPath.refuse(keyPath)
  }

  /// This effect for an app with one wide action enum.
  ///
  /// It is triggered by the actions that `prism` matches, and the `Narrow` actions that it dispatches are
  /// embedded. Other actions pass unchanged.
  ///
  /// - Parameters:
  ///   - prism: The case of the wide enum that holds the actions.
  ///   - narrow: The actions, where the prism does not say of which type they are.
  /// - Returns: The effect, of wide actions.
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>, of narrow: Narrow.Type = Narrow.self
  ) -> Effect {
    lifted(by: .embedding(prism))
  }

  /// This effect for one of several instances: `Tagged<Tag, A>` triggers it in place of `A`, and the
  /// actions that it dispatches are tagged.
  public func tagged<Tag>(_ tag: Tag.Type) -> Effect {
    lifted(by: .tag(Tag.self))
  }

  /// This effect for the value of an optional.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`.
  public func optional() -> Effect<State?> {
    lifted(by: .optional())
  }

  /// This effect for one case of an enum, or for another part that a prism might find.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`.
  public func matching<Root: Sendable>(_ prism: Prism<Root, State>) -> Effect<Root> {
    lifted(by: .matching(prism))
  }

  /// This effect for each value of a dictionary; its actions are `ElementAction(id: key, action: a)`.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`.
  public func keyed<Key: Hashable & Sendable>(by key: Key.Type = Key.self) -> Effect<[Key: State]> {
    lifted(by: .keyed(by: Key.self))
  }

  /// This effect for each element of an array; its actions are `ElementAction(id: offset, action: a)`.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`. An element is what stands at an offset; where it is `Identifiable`, another identity there is
  /// another element.
  public func offset() -> Effect<[State]> {
    lifted(by: .offset())
  }

  /// This effect for each element of an array; its actions are `ElementAction(id: element.id, action: a)`.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`.
  ///
  /// - Complexity: An action for one element is O(*n*) in their number; with `Entities` it is O(1).
  public func identified() -> Effect<[State]>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .identified())
  }

  /// This effect for each of some entities; its actions are `ElementAction(id: element.id, action: a)`.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`.
  @_disfavoredOverload
  public func identified() -> Effect<Entities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .entities())
  }

  /// This effect for each of some entities that stay sorted; its actions are
  /// `ElementAction(id: element.id, action: a)`.
  ///
  /// It begins while the child is there, counts its policy per child, and ends with the child or when
  /// another takes its place. See `Feature`.
  @_disfavoredOverload
  public func identified() -> Effect<SortedEntities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .sortedEntities())
  }

  /// This effect for what holds its state.
  func lifted<Root: Sendable>(by optic: Optic<Root, State>) -> Effect<Root> {
    Effect<Root>(name: name, policy, options, plan.lifted(by: optic))
  }
}
