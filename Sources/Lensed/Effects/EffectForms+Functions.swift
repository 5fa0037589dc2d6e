// Written by `EffectFormsText` of the tests, which keep it as it is there.

// MARK: - Effect

extension Effect {
  /// An effect of each change of what a function makes of the state.
  ///
  /// ```swift
  /// Effect<AppState>(whenChanged: { $0.todos.count { !$0.isDone } }, .latest) { open, context in … }
  /// ```
  ///
  /// The function is called after every handled commit: what it reads cannot be seen.
  ///
  /// The closure returns nothing, or actions to dispatch as part of the effect: one action, an optional one, an
  /// array (of different types, too), an `ActionList`, an `AsyncActions`, or an asynchronous sequence of actions.
  /// The effect runs until a sequence has ended; an error of the sequence is an error of the effect. What is no
  /// action does not compile. A last call of `context.dispatch` needs no `_ =`.
  public init<Value: Equatable & Sendable, Output: Action>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: PartPath(way: .unnamed) { value($0.read(State.self)) }, policy,
      triggers, when: condition, catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of each change of what a function makes of the state: one that ends with a dispatch.
  public init<Value: Equatable & Sendable, Output: EffectEnding>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: PartPath(way: .unnamed) { value($0.read(State.self)) }, policy,
      triggers, when: condition, catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of each change of what a function makes of the state: one that returns an asynchronous sequence of actions.
  public init<Value: Equatable & Sendable, Output: AsyncSequence & Sendable>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) where Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: PartPath(way: .unnamed) { value($0.read(State.self)) }, policy,
      triggers, when: condition, catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }
}

// MARK: - SecondEffectForms

extension SecondEffectForms {
  /// An effect of each change of what a function makes of the state: one that returns nothing.
  public init<Value: Equatable & Sendable>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Void>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(way: .unnamed) { value($0.read(State.self)) }, policy,
        triggers, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of what a function makes of the state: one that returns an action, or nil.
  public init<Value: Equatable & Sendable, Output: Action>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Output?>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(way: .unnamed) { value($0.read(State.self)) }, policy,
        triggers, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of what a function makes of the state: one that returns an asynchronous sequence of actions of different types.
  public init<Value: Equatable & Sendable, Output: AsyncSequence & Sendable>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Output>
  ) where Output.Element == any Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(way: .unnamed) { value($0.read(State.self)) }, policy,
        triggers, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - ThirdEffectForms

extension ThirdEffectForms {
  /// An effect of each change of what a function makes of the state: one that returns an array of actions of different types.
  public init<Value: Equatable & Sendable>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, [any Action]>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(way: .unnamed) { value($0.read(State.self)) }, policy,
        triggers, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of what a function makes of the state: one that returns an action of any type.
  public init<Value: Equatable & Sendable>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, any Action>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(way: .unnamed) { value($0.read(State.self)) }, policy,
        triggers, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - FourthEffectForms

extension FourthEffectForms {
  /// An effect of each change of what a function makes of the state: one that returns actions of different types, or nil.
  public init<Value: Equatable & Sendable>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, (any Action)?>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(way: .unnamed) { value($0.read(State.self)) }, policy,
        triggers, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - FifthEffectForms

extension FifthEffectForms {
  /// An effect of each change of what a function makes of the state: one that returns an array of actions of different types, or nil.
  public init<Value: Equatable & Sendable>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, [any Action]?>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(way: .unnamed) { value($0.read(State.self)) }, policy,
        triggers, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - LastEffectForms

extension LastEffectForms {
  /// An effect of each change of what a function makes of the state: one that does not compile, because it returns what is no action.
  public init<Value: Equatable & Sendable, Output, Refused: NotAnAction<Output> & Sendable>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: @escaping Effect<State>.Body<Value, Output>
  ) {
    refuseOutput(Output.self, fileID, line)
  }

  /// An effect of each change of what a function makes of the state: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public init<Value: Equatable & Sendable>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Any?>
  ) {
    refuseOutput(Any?.self, fileID, line)
  }
}
