// Written by `EffectFormsText` of the tests, which keep it as it is there.

// MARK: - Effect

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
  public init<Form: NotAnAction<Void>, Output: Action>(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil,
    catch handler: ErrorHandler? = nil,
    form: Form? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<any Action, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of every action, whatever its type: one that ends with a dispatch.
  public init<Form: NotAnAction<Void>, Output: EffectEnding>(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil,
    catch handler: ErrorHandler? = nil,
    form: Form? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<any Action, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of every action, whatever its type: one that returns an asynchronous sequence of actions.
  public init<Form: NotAnAction<Void>, Output: AsyncSequence & Sendable>(
    ofEveryAction policy: EffectPolicy,
    when condition: Condition<any Action>? = nil,
    catch handler: ErrorHandler? = nil,
    form: Form? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<any Action, Output>
  ) where Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      ofEveryAction: policy, when: condition, catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }
}

// MARK: - SecondEffectForms

extension SecondEffectForms {
  /// An effect of every action, whatever its type: one that returns nothing.
  public init<Form: NotAnAction<Void>>(
    ofEveryAction policy: EffectPolicy,
    when condition: Effect<State>.Condition<any Action>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    form: Form? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<any Action, Void>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        ofEveryAction: policy, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of every action, whatever its type: one that returns an action, or nil.
  public init<Form: NotAnAction<Void>, Output: Action>(
    ofEveryAction policy: EffectPolicy,
    when condition: Effect<State>.Condition<any Action>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    form: Form? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<any Action, Output?>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        ofEveryAction: policy, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of every action, whatever its type: one that returns an asynchronous sequence of actions of different types.
  public init<Form: NotAnAction<Void>, Output: AsyncSequence & Sendable>(
    ofEveryAction policy: EffectPolicy,
    when condition: Effect<State>.Condition<any Action>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    form: Form? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<any Action, Output>
  ) where Output.Element == any Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        ofEveryAction: policy, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - ThirdEffectForms

extension ThirdEffectForms {
  /// An effect of every action, whatever its type: one that returns an array of actions of different types.
  public init<Form: NotAnAction<Void>>(
    ofEveryAction policy: EffectPolicy,
    when condition: Effect<State>.Condition<any Action>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    form: Form? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<any Action, [any Action]>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        ofEveryAction: policy, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of every action, whatever its type: one that returns an action of any type.
  public init<Form: NotAnAction<Void>>(
    ofEveryAction policy: EffectPolicy,
    when condition: Effect<State>.Condition<any Action>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    form: Form? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<any Action, any Action>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        ofEveryAction: policy, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - FourthEffectForms

extension FourthEffectForms {
  /// An effect of every action, whatever its type: one that returns actions of different types, or nil.
  public init<Form: NotAnAction<Void>>(
    ofEveryAction policy: EffectPolicy,
    when condition: Effect<State>.Condition<any Action>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    form: Form? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<any Action, (any Action)?>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        ofEveryAction: policy, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - FifthEffectForms

extension FifthEffectForms {
  /// An effect of every action, whatever its type: one that returns an array of actions of different types, or nil.
  public init<Form: NotAnAction<Void>>(
    ofEveryAction policy: EffectPolicy,
    when condition: Effect<State>.Condition<any Action>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    form: Form? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<any Action, [any Action]?>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        ofEveryAction: policy, when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - LastEffectForms

extension LastEffectForms {
  /// An effect of every action, whatever its type: one that does not compile, because it returns what is no action.
  public init<Form: NotAnAction<Void>, Output, Refused: NotAnAction<Output> & Sendable>(
    ofEveryAction policy: EffectPolicy,
    when condition: Effect<State>.Condition<any Action>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    form: Form? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: @escaping Effect<State>.Body<any Action, Output>
  ) {
    refuseOutput(Output.self, fileID, line)
  }

  /// An effect of every action, whatever its type: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public init<Form: NotAnAction<Void>>(
    ofEveryAction policy: EffectPolicy,
    when condition: Effect<State>.Condition<any Action>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    form: Form? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<any Action, Any?>
  ) {
    refuseOutput(Any?.self, fileID, line)
  }
}
