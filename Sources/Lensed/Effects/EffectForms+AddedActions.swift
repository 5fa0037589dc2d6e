// Written by `EffectFormsText` of the tests, which keep it as it is there.

// MARK: - Effect

extension Effect {
  /// This effect, which is also triggered by actions of another type, under the same policy.
  ///
  /// ```swift
  /// Effect<AppState>(on: Refresh.self, .latest) { _, context in … }
  ///   .on(Open.self) { open, context in … }      // either cancels a run of the other
  /// ```
  ///
  /// A policy that counts per key does so for the types with a key: equal keys count together, whatever
  /// their types. The actions of the types without a key count together, and with none of the keys.
  ///
  /// Add the types before the effect is lifted or tagged.
  ///
  /// The closure returns nothing, or actions to dispatch as part of the effect: one action, an optional one, an
  /// array (of different types, too), an `ActionList`, an `AsyncActions`, or an asynchronous sequence of actions.
  /// The effect runs until a sequence has ended; an error of the sequence is an error of the effect. What is no
  /// action does not compile. A last call of `context.dispatch` needs no `_ =`.
  public func on<Trigger: Action, Output: Action>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Trigger, Output>
  ) -> Effect<State> {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return asEffect.adding(
      type, per: key, when: condition,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that ends with a dispatch.
  public func on<Trigger: Action, Output: EffectEnding>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Trigger, Output>
  ) -> Effect<State> {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return asEffect.adding(
      type, per: key, when: condition,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an asynchronous sequence of actions.
  public func on<Trigger: Action, Output: AsyncSequence & Sendable>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Trigger, Output>
  ) -> Effect<State> where Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return asEffect.adding(
      type, per: key, when: condition,
      at: site, run: Effect<State>.work(at: site, run))
  }
}

// MARK: - SecondEffectForms

extension SecondEffectForms {
  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns nothing.
  public func on<Trigger: Action>(
    _ type: Trigger.Type, per key: Effect<State>.Key<Trigger>? = nil,
    when condition: Effect<State>.Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Trigger, Void>
  ) -> Effect<State> {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return asEffect.adding(
      type, per: key, when: condition,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an action, or nil.
  public func on<Trigger: Action, Output: Action>(
    _ type: Trigger.Type, per key: Effect<State>.Key<Trigger>? = nil,
    when condition: Effect<State>.Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Trigger, Output?>
  ) -> Effect<State> {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return asEffect.adding(
      type, per: key, when: condition,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an asynchronous sequence of actions of different types.
  public func on<Trigger: Action, Output: AsyncSequence & Sendable>(
    _ type: Trigger.Type, per key: Effect<State>.Key<Trigger>? = nil,
    when condition: Effect<State>.Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Trigger, Output>
  ) -> Effect<State> where Output.Element == any Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return asEffect.adding(
      type, per: key, when: condition,
      at: site, run: Effect<State>.work(at: site, run))
  }
}

// MARK: - ThirdEffectForms

extension ThirdEffectForms {
  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an array of actions of different types.
  public func on<Trigger: Action>(
    _ type: Trigger.Type, per key: Effect<State>.Key<Trigger>? = nil,
    when condition: Effect<State>.Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Trigger, [any Action]>
  ) -> Effect<State> {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return asEffect.adding(
      type, per: key, when: condition,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an action of any type.
  public func on<Trigger: Action>(
    _ type: Trigger.Type, per key: Effect<State>.Key<Trigger>? = nil,
    when condition: Effect<State>.Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Trigger, any Action>
  ) -> Effect<State> {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return asEffect.adding(
      type, per: key, when: condition,
      at: site, run: Effect<State>.work(at: site, run))
  }
}

// MARK: - FourthEffectForms

extension FourthEffectForms {
  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns actions of different types, or nil.
  public func on<Trigger: Action>(
    _ type: Trigger.Type, per key: Effect<State>.Key<Trigger>? = nil,
    when condition: Effect<State>.Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Trigger, (any Action)?>
  ) -> Effect<State> {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return asEffect.adding(
      type, per: key, when: condition,
      at: site, run: Effect<State>.work(at: site, run))
  }
}

// MARK: - FifthEffectForms

extension FifthEffectForms {
  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an array of actions of different types, or nil.
  public func on<Trigger: Action>(
    _ type: Trigger.Type, per key: Effect<State>.Key<Trigger>? = nil,
    when condition: Effect<State>.Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Trigger, [any Action]?>
  ) -> Effect<State> {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return asEffect.adding(
      type, per: key, when: condition,
      at: site, run: Effect<State>.work(at: site, run))
  }
}

// MARK: - LastEffectForms

extension LastEffectForms {
  /// This effect, which is also triggered by actions of another type, under the same policy: one that does not compile, because it returns what is no action.
  public func on<Trigger: Action, Output, Refused: NotAnAction<Output> & Sendable>(
    _ type: Trigger.Type, per key: Effect<State>.Key<Trigger>? = nil,
    when condition: Effect<State>.Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: @escaping Effect<State>.Body<Trigger, Output>
  ) -> Effect<State> {
    refuseOutput(Output.self, fileID, line)
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public func on<Trigger: Action>(
    _ type: Trigger.Type, per key: Effect<State>.Key<Trigger>? = nil,
    when condition: Effect<State>.Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Trigger, Any?>
  ) -> Effect<State> {
    refuseOutput(Any?.self, fileID, line)
  }
}
