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
      catch: handler, run: run)
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
      name: "of `\(type)` at \(site)", policy, .actions([trigger]), catch: handler, run: run)
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
      name: "of every action at \(site)", policy, .actions([trigger]), catch: handler, run: run)
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
