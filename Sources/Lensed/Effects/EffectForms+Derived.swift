// Written by `EffectFormsText` of the tests, which keep it as it is there.

// MARK: - Effect

extension Effect {
  /// An effect of each change of a derived value.
  ///
  /// A commit triggers it when it touched an input, and the value differs from the one before. Replacing
  /// the state does not. The value is computed for each such commit, once for all callers that ask the store
  /// for it; in children, once for each child.
  ///
  /// ```swift
  /// Effect<App>(whenChanged: Todos.visible, .latest) { todos, context in
  ///   try await index.update(with: todos)
  /// }
  /// ```
  ///
  /// The closure returns nothing, or actions to dispatch as part of the effect: one action, an optional one, an
  /// array (of different types, too), an `ActionList`, an `AsyncActions`, or an asynchronous sequence of actions.
  /// The effect runs until a sequence has ended; an error of the sequence is an error of the effect. What is no
  /// action does not compile. A last call of `context.dispatch` needs no `_ =`.
  ///
  /// - Parameters:
  ///   - derived: The value.
  ///   - policy: What becomes of a change that comes while the effect is running.
  ///   - triggers: When it runs beside changes: when it is installed, when the state is replaced.
  ///   - condition: Decides, on the state after the commit and with the one before it at hand, whether the
  ///     trigger counts; called in commit order. While the effect is installed, the commits that might trigger
  ///     it copy what they touch.
  ///   - handler: Handles what `run` throws; without it the store's `onEffectError:` does.
  ///   - fileID: Where the effect is written, for its name.
  ///   - line: Where the effect is written, for its name.
  ///   - run: The work.
  public init<Value: Equatable & Sendable, Output: Action>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition,
      catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of each change of a derived value: one that ends with a dispatch.
  public init<Value: Equatable & Sendable, Output: EffectEnding>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition,
      catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of each change of a derived value: one that returns an asynchronous sequence of actions.
  public init<Value: Equatable & Sendable, Output: AsyncSequence & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) where Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition,
      catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }
}

// MARK: - SecondEffectForms

extension SecondEffectForms {
  /// An effect of each change of a derived value: one that returns nothing.
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Void>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: derived.asDerived, policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of a derived value: one that returns an action, or nil.
  public init<Value: Equatable & Sendable, Output: Action>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Output?>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: derived.asDerived, policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of a derived value: one that returns an asynchronous sequence of actions of different types.
  public init<Value: Equatable & Sendable, Output: AsyncSequence & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Output>
  ) where Output.Element == any Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: derived.asDerived, policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - ThirdEffectForms

extension ThirdEffectForms {
  /// An effect of each change of a derived value: one that returns an array of actions of different types.
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, [any Action]>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: derived.asDerived, policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of a derived value: one that returns an action of any type.
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, any Action>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: derived.asDerived, policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - FourthEffectForms

extension FourthEffectForms {
  /// An effect of each change of a derived value: one that returns actions of different types, or nil.
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, (any Action)?>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: derived.asDerived, policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - FifthEffectForms

extension FifthEffectForms {
  /// An effect of each change of a derived value: one that returns an array of actions of different types, or nil.
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, [any Action]?>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: derived.asDerived, policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - LastEffectForms

extension LastEffectForms {
  /// An effect of each change of a derived value: one that does not compile, because it returns what is no action.
  public init<Value: Equatable & Sendable, Output, Refused: NotAnAction<Output> & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: @escaping Effect<State>.Body<Value, Output>
  ) {
    refuseOutput(Output.self, fileID, line)
  }

  /// An effect of each change of a derived value: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Any?>
  ) {
    refuseOutput(Any?.self, fileID, line)
  }
}
