extension Effect {
  /// An effect of each action of a type.
  ///
  /// ```swift
  /// Effect<AppState>(on: SearchAction.self, .latest) { action, context in
  ///   let found = try await api.search(action.query)
  ///   context.dispatch(ResultsAction.found(found))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The actions that trigger it, by their exact type.
  ///   - policy: What becomes of an action that comes while the effect is running.
  ///   - condition: Decides, on the state after the commit and with the one before it at hand,
  ///     whether the action triggers it; called in commit order. While the effect is installed, the
  ///     commits of the type copy what they touch.
  ///   - handler: Handles what `run` throws; without it the store's `onEffectError:` does.
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
    let filter = condition.map { condition -> ActionFilter in
      { action, change in
        guard let action = action as? A, condition(action, change()) else { return nil }
        return action
      }
    }
    let trigger = Trigger.action(A.self, needsPrevious: condition != nil, filter)
    self.init(
      name: Self.name(A.self, fileID, line), policy, trigger, catch: handler
    ) { input, context in
      if let action = input as? A { try await run(action, context) }
    }
  }

  @usableFromInline
  static func name(_ type: any Action.Type, _ fileID: StaticString, _ line: UInt) -> String {
    "of `\(type)` at \(CallSite(fileID: fileID, line: line))"
  }

  /// An effect of each action of a type that returns an action, or nil for none.
  ///
  /// ```swift
  /// Effect<AppState>(on: SearchAction.self, .latest) { action, _ in
  ///   ResultsAction.found(try await api.search(action.query))
  /// }
  /// ```
  ///
  /// The action it returns is dispatched, as part of the effect: one action, an array of them, an
  /// `ActionList`, an `AsyncActions`. The paths of one closure may return different types.
  public init<A: Action>(
    on type: A.Type, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ action: A, _ change: Change<State>) -> Bool)? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ action: A, _ context: EffectContext<State>
      ) async throws -> (any Action)?
  ) {
    self.init(on: type, policy, when: condition, catch: handler, fileID: fileID, line: line) {
      action, context -> Void in
      try await context.dispatchResult(run(action, context), fileID, line)
    }
  }

  /// An effect of each action of a type that returns an asynchronous sequence of actions.
  ///
  /// ```swift
  /// Effect<AppState>(on: Connect.self, .latest) { action, _ in
  ///   socket.messages(of: action.room).map(ChatAction.received)
  /// }
  /// ```
  ///
  /// Each element is dispatched as it comes. The effect runs until the sequence has ended; an error of
  /// the sequence is an error of the effect. A sequence of `any Action` is returned as an
  /// `AsyncActions`.
  public init<A: Action, S: AsyncSequence & Sendable>(
    on type: A.Type, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ action: A, _ change: Change<State>) -> Bool)? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ action: A, _ context: EffectContext<State>
      ) async throws -> S
  ) where S.Element: Action {
    self.init(on: type, policy, when: condition, catch: handler, fileID: fileID, line: line) {
      action, context -> Void in
      try await context.dispatchResult(AsyncActions(run(action, context)), fileID, line)
    }
  }
}
