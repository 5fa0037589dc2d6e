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
  /// ```
  ///
  /// The closure returns nothing, or actions to dispatch as part of the effect: one action, an optional one,
  /// an array, an `ActionList`, an `AsyncActions`, or an asynchronous sequence of actions. The effect runs
  /// until a sequence has ended; an error of the sequence is an error of the effect. Any other value is
  /// ignored, so that a single call such as `context.dispatch` needs no `_ =`.
  ///
  /// Making an effect of a sequence whose elements are no actions traps.
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
  @inlinable
  public init<A: Action, Output: Sendable>(
    on type: A.Type, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ action: A, _ change: Change<State>) -> Bool)? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ action: A, _ context: EffectContext<State>
      ) async throws -> Output
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      name: "of `\(type)` at \(site)", policy, Self.trigger(type, condition), catch: handler,
      run: Self.work(at: site, run))
  }

  /// An effect of each action of a type that returns actions of different types, or nil.
  ///
  /// ```swift
  /// Effect<AppState>(on: Submit.self) { action, context in
  ///   guard context.state.form.isValid else { return nil }
  ///   return try await api.submit(action.form) ? Accepted() : Rejected()
  /// }
  /// ```
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
      ) async throws -> (any Action)?
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      name: "of `\(type)` at \(site)", policy, Self.trigger(type, condition), catch: handler,
      run: Self.work(at: site, run))
  }

  @inlinable
  static func trigger<A: Action>(
    _ type: A.Type,
    _ condition: (@Sendable (_ action: A, _ change: Change<State>) -> Bool)?
  ) -> Trigger {
    let filter = condition.map { condition -> ActionFilter in
      { action, change in
        guard let action = action as? A, condition(action, change()) else { return nil }
        return action
      }
    }
    return .action(type, needsPrevious: condition != nil, filter)
  }
}
