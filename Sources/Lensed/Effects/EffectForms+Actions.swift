// Written by `EffectFormsText` of the tests, which keep it as it is there.

// MARK: - An effect of each action of a type

extension Effect {
  /// An effect of each action of a type.
  ///
  /// ```swift
  /// Effect<AppState>(on: SearchAction.self, .latest) { action, context in
  ///   let found = try await api.search(action.query)
  ///   context.dispatch(ResultsAction.found(found))
  /// }
  /// Effect<AppState>(on: SearchAction.self, .latest) { action, _ in
  ///   ResultsAction.found(try await api.search(action.query))
  /// }
  /// Effect<AppState>(on: Connect.self, .latest) { action, _ in
  ///   socket.messages(of: action.room).map(ChatAction.received)
  /// }
  /// Effect<AppState>(on: Submit.self) { action, context in
  ///   guard context.state.form.isValid else { return nil }
  ///   return try await api.submit(action.form) ? Accepted() : Rejected()
  /// }
  /// ```
  ///
  /// The closure returns nothing, or actions to dispatch as part of the effect: one action, an optional one, an
  /// array (of different types, too), an `ActionList`, an `AsyncActions`, or an asynchronous sequence of actions.
  /// The effect runs until a sequence has ended; an error of the sequence is an error of the effect. What is no
  /// action does not compile. A last call of `context.dispatch` needs no `_ =`.
  ///
  /// - Parameters:
  ///   - type: The actions that trigger it, by their exact type.
  ///   - policy: What becomes of an action that comes while the effect is running.
  ///   - key: What the policy counts by, and the time of `debounced` and `throttled` too: without it, all
  ///     actions count together. Where `on(_:per:)` adds types, the actions of those without a key count
  ///     together, and with none of the keys.
  ///   - condition: Decides, on the state after the commit and with the one before it at hand, whether the
  ///     trigger counts; called in commit order. While the effect is installed, the commits that might trigger
  ///     it copy what they touch.
  ///   - handler: Handles what `run` throws; without it the store's `onEffectError:` does.
  ///   - fileID: Where the effect is written, for its name.
  ///   - line: Where the effect is written, for its name.
  ///   - run: The work.
  @inlinable
  public init<Trigger: Action>(
    on type: Trigger.Type, _ policy: EffectPolicy = .concurrent,
    per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Trigger, Void>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each action of a type: one that returns an action.
  @inlinable
  public init<Trigger: Action, Output: Action>(
    on type: Trigger.Type, _ policy: EffectPolicy = .concurrent,
    per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Trigger, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each action of a type: one that returns an action, or nil.
  @inlinable
  public init<Trigger: Action, Output: Action>(
    on type: Trigger.Type, _ policy: EffectPolicy = .concurrent,
    per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Trigger, Output?>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each action of a type: one that returns an array of actions of different types.
  @inlinable
  public init<Trigger: Action>(
    on type: Trigger.Type, _ policy: EffectPolicy = .concurrent,
    per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Third<Body<Trigger, [any Action]>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each action of a type: one that returns an array of actions of different types, or nil.
  @inlinable
  public init<Trigger: Action>(
    on type: Trigger.Type, _ policy: EffectPolicy = .concurrent,
    per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Fifth<Body<Trigger, [any Action]?>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each action of a type: one that returns an action of any type.
  @inlinable
  public init<Trigger: Action>(
    on type: Trigger.Type, _ policy: EffectPolicy = .concurrent,
    per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Third<Body<Trigger, any Action>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each action of a type: one that returns actions of different types, or nil.
  @inlinable
  public init<Trigger: Action>(
    on type: Trigger.Type, _ policy: EffectPolicy = .concurrent,
    per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Fourth<Body<Trigger, (any Action)?>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each action of a type: one that ends with a dispatch.
  @inlinable
  public init<Trigger: Action, Output: EffectEnding>(
    on type: Trigger.Type, _ policy: EffectPolicy = .concurrent,
    per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Trigger, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each action of a type: one that returns an asynchronous sequence of actions.
  @inlinable
  public init<Trigger: Action, Output: AsyncSequence & Sendable>(
    on type: Trigger.Type, _ policy: EffectPolicy = .concurrent,
    per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Trigger, Output>
  ) where Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each action of a type: one that returns an asynchronous sequence of actions of different types.
  @inlinable
  public init<Trigger: Action, Output: AsyncSequence & Sendable>(
    on type: Trigger.Type, _ policy: EffectPolicy = .concurrent,
    per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Trigger, Output>>
  ) where Output.Element == any Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each action of a type: one that does not compile, because it returns what is no action.
  public init<Trigger: Action, Output, Refused: NotAnAction<Output> & Sendable>(
    on type: Trigger.Type, _ policy: EffectPolicy = .concurrent,
    per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: EffectForm.Last<Body<Trigger, Output>>
  ) {
    refuseOutput(Output.self, fileID, line)
  }

  /// An effect of each action of a type: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public init<Trigger: Action>(
    on type: Trigger.Type, _ policy: EffectPolicy = .concurrent,
    per key: Key<Trigger>? = nil,
    when condition: Condition<Trigger>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Last<Body<Trigger, Any?>>
  ) {
    refuseOutput(Any?.self, fileID, line)
  }
}

// MARK: - An effect of the actions of a type in which `matching` finds a value: of one case of an enum

extension Effect {
  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum.
  ///
  /// ```swift
  /// Effect<AppState>(
  ///   on: SearchAction.self, matching: { if case .query(let text) = $0 { text } else { nil } }, .latest
  /// ) { text, context in … }
  /// ```
  ///
  /// An action without such a value triggers nothing: under `.latest` it cancels nothing, and it is not
  /// counted by `.first`.
  ///
  /// The closure returns nothing, or actions to dispatch as part of the effect: one action, an optional one, an
  /// array (of different types, too), an `ActionList`, an `AsyncActions`, or an asynchronous sequence of actions.
  /// The effect runs until a sequence has ended; an error of the sequence is an error of the effect. What is no
  /// action does not compile. A last call of `context.dispatch` needs no `_ =`.
  public init<Trigger: Action, Value: Sendable>(
    on type: Trigger.Type, matching: @escaping @Sendable (_ action: Trigger) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Value, Void>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, matching: matching, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum: one that returns an action.
  public init<Trigger: Action, Value: Sendable, Output: Action>(
    on type: Trigger.Type, matching: @escaping @Sendable (_ action: Trigger) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, matching: matching, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum: one that returns an action, or nil.
  public init<Trigger: Action, Value: Sendable, Output: Action>(
    on type: Trigger.Type, matching: @escaping @Sendable (_ action: Trigger) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Value, Output?>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, matching: matching, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum: one that returns an array of actions of different types.
  public init<Trigger: Action, Value: Sendable>(
    on type: Trigger.Type, matching: @escaping @Sendable (_ action: Trigger) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Third<Body<Value, [any Action]>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, matching: matching, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum: one that returns an array of actions of different types, or nil.
  public init<Trigger: Action, Value: Sendable>(
    on type: Trigger.Type, matching: @escaping @Sendable (_ action: Trigger) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Fifth<Body<Value, [any Action]?>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, matching: matching, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum: one that returns an action of any type.
  public init<Trigger: Action, Value: Sendable>(
    on type: Trigger.Type, matching: @escaping @Sendable (_ action: Trigger) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Third<Body<Value, any Action>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, matching: matching, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum: one that returns actions of different types, or nil.
  public init<Trigger: Action, Value: Sendable>(
    on type: Trigger.Type, matching: @escaping @Sendable (_ action: Trigger) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Fourth<Body<Value, (any Action)?>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, matching: matching, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum: one that ends with a dispatch.
  public init<Trigger: Action, Value: Sendable, Output: EffectEnding>(
    on type: Trigger.Type, matching: @escaping @Sendable (_ action: Trigger) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, matching: matching, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum: one that returns an asynchronous sequence of actions.
  public init<Trigger: Action, Value: Sendable, Output: AsyncSequence & Sendable>(
    on type: Trigger.Type, matching: @escaping @Sendable (_ action: Trigger) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) where Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, matching: matching, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum: one that returns an asynchronous sequence of actions of different types.
  public init<Trigger: Action, Value: Sendable, Output: AsyncSequence & Sendable>(
    on type: Trigger.Type, matching: @escaping @Sendable (_ action: Trigger) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Value, Output>>
  ) where Output.Element == any Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      on: type, matching: matching, policy, per: key, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum: one that does not compile, because it returns what is no action.
  public init<Trigger: Action, Value: Sendable, Output, Refused: NotAnAction<Output> & Sendable>(
    on type: Trigger.Type, matching: @escaping @Sendable (_ action: Trigger) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: EffectForm.Last<Body<Value, Output>>
  ) {
    refuseOutput(Output.self, fileID, line)
  }

  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public init<Trigger: Action, Value: Sendable>(
    on type: Trigger.Type, matching: @escaping @Sendable (_ action: Trigger) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Last<Body<Value, Any?>>
  ) {
    refuseOutput(Any?.self, fileID, line)
  }
}

// MARK: - An effect of every action, whatever its type

extension Effect {
  /// An effect of every action, whatever its type.
  ///
  /// ```swift
  /// Effect<AppState>(ofEveryAction: .serial) { action, _ in await analytics.log(action) }
  /// ```
  ///
  /// Every dispatch pays for it. Where the types are few, `on(_:)` adds them to one effect.
  ///
  /// The closure returns nothing, or actions to dispatch as part of the effect: one action, an optional one, an
  /// array (of different types, too), an `ActionList`, an `AsyncActions`, or an asynchronous sequence of actions.
  /// The effect runs until a sequence has ended; an error of the sequence is an error of the effect. What is no
  /// action does not compile. A last call of `context.dispatch` needs no `_ =`.
  public init(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<any Action, Void>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of every action, whatever its type: one that returns an action.
  public init<Output: Action>(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<any Action, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of every action, whatever its type: one that returns an action, or nil.
  public init<Output: Action>(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<any Action, Output?>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of every action, whatever its type: one that returns an array of actions of different types.
  public init(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Third<Body<any Action, [any Action]>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of every action, whatever its type: one that returns an array of actions of different types, or nil.
  public init(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Fifth<Body<any Action, [any Action]?>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of every action, whatever its type: one that returns an action of any type.
  public init(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Third<Body<any Action, any Action>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of every action, whatever its type: one that returns actions of different types, or nil.
  public init(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Fourth<Body<any Action, (any Action)?>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of every action, whatever its type: one that ends with a dispatch.
  public init<Output: EffectEnding>(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<any Action, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of every action, whatever its type: one that returns an asynchronous sequence of actions.
  public init<Output: AsyncSequence & Sendable>(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<any Action, Output>
  ) where Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of every action, whatever its type: one that returns an asynchronous sequence of actions of different types.
  public init<Output: AsyncSequence & Sendable>(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<any Action, Output>>
  ) where Output.Element == any Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of every action, whatever its type: one that does not compile, because it returns what is no action.
  public init<Output, Refused: NotAnAction<Output> & Sendable>(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: EffectForm.Last<Body<any Action, Output>>
  ) {
    refuseOutput(Output.self, fileID, line)
  }

  /// An effect of every action, whatever its type: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public init(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Last<Body<any Action, Any?>>
  ) {
    refuseOutput(Any?.self, fileID, line)
  }
}
