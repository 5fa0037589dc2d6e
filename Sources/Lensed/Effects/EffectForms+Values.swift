// Written by `EffectFormsText` of the tests, which keep it as it is there.

// MARK: - Effect

extension Effect {
  /// An effect of each change of a value in the state.
  ///
  /// A commit triggers it when a reducer ran that owns some of the property, and the value differs from
  /// the one before: a value whose bytes are equal does not differ, even if it is NaN. Replacing the state
  /// does not trigger it.
  ///
  /// ```swift
  /// Effect<AppState>(whenChanged: \.query, .latest) { query, context in
  ///   context.dispatch(ResultsAction.found(try await api.search(query)))
  /// }
  /// ```
  ///
  /// The closure returns nothing, or actions to dispatch as part of the effect: one action, an optional one, an
  /// array (of different types, too), an `ActionList`, an `AsyncActions`, or an asynchronous sequence of actions.
  /// The effect runs until a sequence has ended; an error of the sequence is an error of the effect. What is no
  /// action does not compile. A last call of `context.dispatch` needs no `_ =`.
  ///
  /// - Parameters:
  ///   - keyPath: The value, stored or computed. A computed one is read after every handled commit.
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
    whenChanged keyPath: any KeyPath<State, Value> & Sendable,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: PartPath(keyPath, for: .effect), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of each change of a value in the state: one that ends with a dispatch.
  public init<Value: Equatable & Sendable, Output: EffectEnding>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: PartPath(keyPath, for: .effect), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of each change of a value in the state: one that returns an asynchronous sequence of actions.
  public init<Value: Equatable & Sendable, Output: AsyncSequence & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) where Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: PartPath(keyPath, for: .effect), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of each change of what a lens focuses on.
  ///
  /// The closure returns nothing, or actions to dispatch as part of the effect: one action, an optional one, an
  /// array (of different types, too), an `ActionList`, an `AsyncActions`, or an asynchronous sequence of actions.
  /// The effect runs until a sequence has ended; an error of the sequence is an error of the effect. What is no
  /// action does not compile. A last call of `context.dispatch` needs no `_ =`.
  public init<Value: Equatable & Sendable, Output: Action>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: PartPath(lens.asLens), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of each change of what a lens focuses on: one that ends with a dispatch.
  public init<Value: Equatable & Sendable, Output: EffectEnding>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: PartPath(lens.asLens), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }

  /// An effect of each change of what a lens focuses on: one that returns an asynchronous sequence of actions.
  public init<Value: Equatable & Sendable, Output: AsyncSequence & Sendable>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Condition<Value>? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Body<Value, Output>
  ) where Output.Element: Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: PartPath(lens.asLens), policy, triggers, when: condition,
      catch: handler,
      at: site, run: Effect<State>.work(at: site, run))
  }
}

// MARK: - SecondEffectForms

extension SecondEffectForms {
  /// An effect of each change of a value in the state: one that returns nothing.
  public init<Value: Equatable & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable,
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
        changesOf: PartPath(keyPath, for: .effect), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of a value in the state: one that returns an action, or nil.
  public init<Value: Equatable & Sendable, Output: Action>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable,
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
        changesOf: PartPath(keyPath, for: .effect), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of a value in the state: one that returns an asynchronous sequence of actions of different types.
  public init<Value: Equatable & Sendable, Output: AsyncSequence & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable,
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
        changesOf: PartPath(keyPath, for: .effect), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of what a lens focuses on: one that returns nothing.
  public init<Value: Equatable & Sendable>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Void>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(lens.asLens), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of what a lens focuses on: one that returns an action, or nil.
  public init<Value: Equatable & Sendable, Output: Action>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Output?>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(lens.asLens), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of what a lens focuses on: one that returns an asynchronous sequence of actions of different types.
  public init<Value: Equatable & Sendable, Output: AsyncSequence & Sendable>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Output>
  ) where Output.Element == any Action {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(lens.asLens), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - ThirdEffectForms

extension ThirdEffectForms {
  /// An effect of each change of a value in the state: one that returns an array of actions of different types.
  public init<Value: Equatable & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable,
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
        changesOf: PartPath(keyPath, for: .effect), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of a value in the state: one that returns an action of any type.
  public init<Value: Equatable & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable,
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
        changesOf: PartPath(keyPath, for: .effect), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of what a lens focuses on: one that returns an array of actions of different types.
  public init<Value: Equatable & Sendable>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, [any Action]>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(lens.asLens), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of what a lens focuses on: one that returns an action of any type.
  public init<Value: Equatable & Sendable>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, any Action>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(lens.asLens), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - FourthEffectForms

extension FourthEffectForms {
  /// An effect of each change of a value in the state: one that returns actions of different types, or nil.
  public init<Value: Equatable & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable,
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
        changesOf: PartPath(keyPath, for: .effect), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of what a lens focuses on: one that returns actions of different types, or nil.
  public init<Value: Equatable & Sendable>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, (any Action)?>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(lens.asLens), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - FifthEffectForms

extension FifthEffectForms {
  /// An effect of each change of a value in the state: one that returns an array of actions of different types, or nil.
  public init<Value: Equatable & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable,
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
        changesOf: PartPath(keyPath, for: .effect), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }

  /// An effect of each change of what a lens focuses on: one that returns an array of actions of different types, or nil.
  public init<Value: Equatable & Sendable>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, [any Action]?>
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      Effect<State>(
        changesOf: PartPath(lens.asLens), policy, triggers, when: condition,
        catch: handler,
        at: site, run: Effect<State>.work(at: site, run)))
  }
}

// MARK: - LastEffectForms

extension LastEffectForms {
  /// An effect of each change of a value in the state: one that does not compile, because it returns what is no action.
  public init<Value: Equatable & Sendable, Output, Refused: NotAnAction<Output> & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: @escaping Effect<State>.Body<Value, Output>
  ) {
    refuseOutput(Output.self, fileID, line)
  }

  /// An effect of each change of a value in the state: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public init<Value: Equatable & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable,
    _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Any?>
  ) {
    refuseOutput(Any?.self, fileID, line)
  }

  /// An effect of each change of what a lens focuses on: one that does not compile, because it returns what is no action.
  public init<Value: Equatable & Sendable, Output, Refused: NotAnAction<Output> & Sendable>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, refused: Refused? = nil,
    _ run: @escaping Effect<State>.Body<Value, Output>
  ) {
    refuseOutput(Output.self, fileID, line)
  }

  /// An effect of each change of what a lens focuses on: one that does not compile, because it returns other values than actions, too.
  @available(*, unavailable, message: "not all that the effect returns conforms to 'Action'")
  public init<Value: Equatable & Sendable>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: Effect<State>.Condition<Value>? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run: @escaping Effect<State>.Body<Value, Any?>
  ) {
    refuseOutput(Any?.self, fileID, line)
  }
}
