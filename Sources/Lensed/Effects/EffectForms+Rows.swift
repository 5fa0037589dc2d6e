// Written by `EffectFormsText` of the tests, which keep it as it is there.

// MARK: - Effect

extension Effect {
  /// An effect of each change of one row of a collection, or nil while the row is not there.
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
  public init<Rows: RowCollection & SendableMetatype, Output: Action>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Rows.Row?, Output>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers,
      when: condition, catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of each change of one row of a collection, or nil while the row is not there: one that ends with a dispatch.
  public init<Rows: RowCollection & SendableMetatype, Output: EffectEnding>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Rows.Row?, Output>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers,
      when: condition, catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of each change of one row of a collection, or nil while the row is not there: one that returns an asynchronous sequence of actions.
  public init<Rows: RowCollection & SendableMetatype, Output: AsyncSequence & Sendable>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Rows.Row?>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Rows.Row?, Output>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable, Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers,
      when: condition, catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }
}

// MARK: - SecondEffectForms

extension SecondEffectForms {
  /// An effect of each change of one row of a collection, or nil while the row is not there: one that returns nothing.
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Rows.Row?>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Rows.Row?, Void>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers,
        when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of one row of a collection, or nil while the row is not there: one that returns an action, or nil.
  public init<Rows: RowCollection & SendableMetatype, Output: Action>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Rows.Row?>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Rows.Row?, Output?>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers,
        when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of one row of a collection, or nil while the row is not there: one that returns an asynchronous sequence of actions of different types.
  public init<Rows: RowCollection & SendableMetatype, Output: AsyncSequence & Sendable>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Rows.Row?>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Rows.Row?, Output>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable, Output.Element == any Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers,
        when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - ThirdEffectForms

extension ThirdEffectForms {
  /// An effect of each change of one row of a collection, or nil while the row is not there: one that returns an array of actions of different types.
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Rows.Row?>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Rows.Row?, [any Action]>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers,
        when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of one row of a collection, or nil while the row is not there: one that returns an action of any type.
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Rows.Row?>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Rows.Row?, any Action>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers,
        when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - FourthEffectForms

extension FourthEffectForms {
  /// An effect of each change of one row of a collection, or nil while the row is not there: one that returns actions of different types, or nil.
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Rows.Row?>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Rows.Row?, (any Action)?>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers,
        when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - FifthEffectForms

extension FifthEffectForms {
  /// An effect of each change of one row of a collection, or nil while the row is not there: one that returns an array of actions of different types, or nil.
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Rows.Row?>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Rows.Row?, [any Action]?>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers,
        when: condition, catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - LastEffectForms

extension LastEffectForms {
  /// An effect of each change of one row of a collection, or nil while the row is not there: one that does not compile, because it returns what is no action.
  public init<
    Rows: RowCollection & SendableMetatype, Output, Refused: NotAnAction<Output> & Sendable
  >(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Rows.Row?>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: @escaping Effect<State>.Body<Rows.Row?, Output>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    refuseOutput(Output.self, fileID, line)
  }

  /// An effect of each change of one row of a collection, or nil while the row is not there: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Rows.Row?>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Rows.Row?, Any?>
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    refuseOutput(Any?.self, fileID, line)
  }
}
