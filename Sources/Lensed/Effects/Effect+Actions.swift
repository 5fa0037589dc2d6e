extension Effect {
  /// An effect of each action of a type.
  ///
  /// - Parameters:
  ///   - type: The actions that trigger it, by their exact type.
  ///   - policy: What becomes of an action that comes while it is running.
  ///   - condition: Decides, on the state after the commit and with the one before it at hand,
  ///     whether the action triggers it; asked in commit order. While the effect is installed, the
  ///     commits of the type copy what they touch.
  ///   - handler: Handles what `run` throws; without it the store's `onEffectError:` is told.
  ///   - fileID: Where the effect is written, for its name.
  ///   - line: Where the effect is written, for its name.
  ///   - run: The work.
  @_disfavoredOverload
  @inlinable
  public init<A: Action>(
    on type: A.Type, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ action: A, _ change: Change<State>) -> Bool)? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ action: A, _ context: EffectContext<State>
      ) async throws -> Void
  ) {
    let look = condition.map { condition -> ActionWatch in
      { action, change in
        guard let action = action as? A, condition(action, change()) else { return nil }
        return action
      }
    }
    let trigger = Trigger.action(A.self, needsPrevious: condition != nil, look)
    self.init(
      name: Self.name(A.self, fileID, line), policy, trigger, catch: handler
    ) { subject, context in
      if let action = subject as? A { try await run(action, context) }
    }
  }

  @usableFromInline
  static func name(_ type: any Action.Type, _ fileID: StaticString, _ line: UInt) -> String {
    "of `\(type)` at \(CallSite(fileID: fileID, line: line))"
  }

  /// An effect of each action of a type that answers with an action.
  ///
  /// What it returns is dispatched: one action, an array of them, an `ActionList`, an `AsyncActions`.
  public init<A: Action, Answer: Action>(
    on type: A.Type, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ action: A, _ change: Change<State>) -> Bool)? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (_ action: A, _ context: EffectContext<State>) async throws ->
      Answer
  ) {
    self.init(on: type, policy, when: condition, catch: handler, fileID: fileID, line: line) {
      action, context -> Void in
      try await context.answer(run(action, context), fileID, line)
    }
  }

  /// An effect of each action of a type that answers with actions over time.
  ///
  /// It runs until the sequence has ended; an error of the sequence is an error of the effect.
  public init<A: Action, S: AsyncSequence & Sendable>(
    on type: A.Type, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ action: A, _ change: Change<State>) -> Bool)? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (_ action: A, _ context: EffectContext<State>) async throws ->
      S
  ) where S.Element: Action {
    self.init(on: type, policy, when: condition, catch: handler, fileID: fileID, line: line) {
      action, context -> Void in
      try await context.answer(AsyncActions(run(action, context)), fileID, line)
    }
  }

  /// An effect of each action of a type that answers with actions of different types over time.
  public init<A: Action, S: AsyncSequence & Sendable>(
    on type: A.Type, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ action: A, _ change: Change<State>) -> Bool)? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (_ action: A, _ context: EffectContext<State>) async throws ->
      S
  ) where S.Element == any Action {
    self.init(on: type, policy, when: condition, catch: handler, fileID: fileID, line: line) {
      action, context -> Void in
      try await context.answer(AsyncActions(run(action, context)), fileID, line)
    }
  }
}
