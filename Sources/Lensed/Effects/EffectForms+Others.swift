// Written by `EffectFormsText` of the tests, which keep it as it is there.

// MARK: - This effect, which is also triggered by actions of another type, under the same policy

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
  public func on<Trigger: Action>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil, when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Trigger, Void>>
  ) -> Effect {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return adding(
      type, per: key, when: condition,
      at: site, run: Self.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an action.
  public func on<Trigger: Action, Output: Action>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil, when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Trigger, Output>
  ) -> Effect {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return adding(
      type, per: key, when: condition,
      at: site, run: Self.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an action, or nil.
  public func on<Trigger: Action, Output: Action>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil, when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Trigger, Output?>>
  ) -> Effect {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return adding(
      type, per: key, when: condition,
      at: site, run: Self.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an array of actions of different types.
  public func on<Trigger: Action>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil, when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Third<Body<Trigger, [any Action]>>
  ) -> Effect {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return adding(
      type, per: key, when: condition,
      at: site, run: Self.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an array of actions of different types, or nil.
  public func on<Trigger: Action>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil, when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Fifth<Body<Trigger, [any Action]?>>
  ) -> Effect {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return adding(
      type, per: key, when: condition,
      at: site, run: Self.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an action of any type.
  public func on<Trigger: Action>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil, when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Third<Body<Trigger, any Action>>
  ) -> Effect {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return adding(
      type, per: key, when: condition,
      at: site, run: Self.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns actions of different types, or nil.
  public func on<Trigger: Action>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil, when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Fourth<Body<Trigger, (any Action)?>>
  ) -> Effect {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return adding(
      type, per: key, when: condition,
      at: site, run: Self.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that ends with a dispatch.
  public func on<Trigger: Action, Output: EffectEnding>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil, when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Trigger, Output>
  ) -> Effect {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return adding(
      type, per: key, when: condition,
      at: site, run: Self.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an asynchronous sequence of actions.
  public func on<Trigger: Action, Output: AsyncSequence & Sendable>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil, when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Trigger, Output>
  ) -> Effect where Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return adding(
      type, per: key, when: condition,
      at: site, run: Self.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that returns an asynchronous sequence of actions of different types.
  public func on<Trigger: Action, Output: AsyncSequence & Sendable>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil, when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Trigger, Output>>
  ) -> Effect where Output.Element == any Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    return adding(
      type, per: key, when: condition,
      at: site, run: Self.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that does not compile, because it returns what is no action.
  public func on<Trigger: Action, Output, Refused: NotAnAction<Output> & Sendable>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil, when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: EffectForm.Last<Body<Trigger, Output>>
  ) -> Effect {
    refuseOutput(Output.self, fileID, line)
  }

  /// This effect, which is also triggered by actions of another type, under the same policy: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public func on<Trigger: Action>(
    _ type: Trigger.Type, per key: Key<Trigger>? = nil, when condition: Condition<Trigger>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Last<Body<Trigger, Any?>>
  ) -> Effect {
    refuseOutput(Any?.self, fileID, line)
  }
}

// MARK: - An effect of each change of a derived value

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
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Value, Void>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of a derived value: one that returns an action.
  public init<Value: Equatable & Sendable, Output: Action>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of a derived value: one that returns an action, or nil.
  public init<Value: Equatable & Sendable, Output: Action>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Value, Output?>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of a derived value: one that returns an array of actions of different types.
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Third<Body<Value, [any Action]>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of a derived value: one that returns an array of actions of different types, or nil.
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Fifth<Body<Value, [any Action]?>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of a derived value: one that returns an action of any type.
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Third<Body<Value, any Action>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of a derived value: one that returns actions of different types, or nil.
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Fourth<Body<Value, (any Action)?>>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of a derived value: one that ends with a dispatch.
  public init<Value: Equatable & Sendable, Output: EffectEnding>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of a derived value: one that returns an asynchronous sequence of actions.
  public init<Value: Equatable & Sendable, Output: AsyncSequence & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) where Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of a derived value: one that returns an asynchronous sequence of actions of different types.
  public init<Value: Equatable & Sendable, Output: AsyncSequence & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Value, Output>>
  ) where Output.Element == any Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition, catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of a derived value: one that does not compile, because it returns what is no action.
  public init<Value: Equatable & Sendable, Output, Refused: NotAnAction<Output> & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: EffectForm.Last<Body<Value, Output>>
  ) {
    refuseOutput(Output.self, fileID, line)
  }

  /// An effect of each change of a derived value: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Last<Body<Value, Any?>>
  ) {
    refuseOutput(Any?.self, fileID, line)
  }
}

// MARK: - An effect of each change of one row of a collection; the row is nil while it is not there

extension Effect {
  /// An effect of each change of one row of a collection; the row is nil while it is not there.
  ///
  /// ```swift
  /// Effect<App>(whenChanged: \.rows, id: 7, .latest) { row, context in … }
  /// ```
  ///
  /// Actions for other rows do not concern it. Replacing the state, by undo too, does not trigger it, unless
  /// it is `including: .replacement`.
  ///
  /// The closure returns nothing, or actions to dispatch as part of the effect: one action, an optional one, an
  /// array (of different types, too), an `ActionList`, an `AsyncActions`, or an asynchronous sequence of actions.
  /// The effect runs until a sequence has ended; an error of the sequence is an error of the effect. What is no
  /// action does not compile. A last call of `context.dispatch` needs no `_ =`.
  ///
  /// - Parameters:
  ///   - keyPath: The collection: `Entities`, an array of `Identifiable` elements, a dictionary.
  ///   - id: The id of the row; in a dictionary, its key.
  ///   - policy: What becomes of a change that comes while the effect is running.
  ///   - triggers: When it runs beside changes: when it is installed, when the state is replaced.
  ///   - condition: Decides, on the state after the commit and with the one before it at hand, whether the
  ///     trigger counts; called in commit order. While the effect is installed, the commits that might trigger
  ///     it copy what they touch.
  ///   - handler: Handles what `run` throws; without it the store's `onEffectError:` does.
  ///   - fileID: Where the effect is written, for its name.
  ///   - line: Where the effect is written, for its name.
  ///   - run: The work.
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Rows.Row?, Void>>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of one row of a collection; the row is nil while it is not there: one that returns an action.
  public init<Rows: RowCollection & SendableMetatype, Output: Action>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Rows.Row?, Output>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of one row of a collection; the row is nil while it is not there: one that returns an action, or nil.
  public init<Rows: RowCollection & SendableMetatype, Output: Action>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Rows.Row?, Output?>>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of one row of a collection; the row is nil while it is not there: one that returns an array of actions of different types.
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Third<Body<Rows.Row?, [any Action]>>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of one row of a collection; the row is nil while it is not there: one that returns an array of actions of different types, or nil.
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Fifth<Body<Rows.Row?, [any Action]?>>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of one row of a collection; the row is nil while it is not there: one that returns an action of any type.
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Third<Body<Rows.Row?, any Action>>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of one row of a collection; the row is nil while it is not there: one that returns actions of different types, or nil.
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Fourth<Body<Rows.Row?, (any Action)?>>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of one row of a collection; the row is nil while it is not there: one that ends with a dispatch.
  public init<Rows: RowCollection & SendableMetatype, Output: EffectEnding>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Rows.Row?, Output>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of one row of a collection; the row is nil while it is not there: one that returns an asynchronous sequence of actions.
  public init<Rows: RowCollection & SendableMetatype, Output: AsyncSequence & Sendable>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Rows.Row?, Output>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable, Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of one row of a collection; the row is nil while it is not there: one that returns an asynchronous sequence of actions of different types.
  public init<Rows: RowCollection & SendableMetatype, Output: AsyncSequence & Sendable>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Second<Body<Rows.Row?, Output>>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable, Output.Element == any Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of one row of a collection; the row is nil while it is not there: one that does not compile, because it returns what is no action.
  public init<
    Rows: RowCollection & SendableMetatype, Output, Refused: NotAnAction<Output> & Sendable
  >(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: EffectForm.Last<Body<Rows.Row?, Output>>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    refuseOutput(Output.self, fileID, line)
  }

  /// An effect of each change of one row of a collection; the row is nil while it is not there: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil, catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: EffectForm.Last<Body<Rows.Row?, Any?>>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    refuseOutput(Any?.self, fileID, line)
  }
}
