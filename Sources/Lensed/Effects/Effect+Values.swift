extension Effect {
  /// An effect of each change of a value in the state.
  ///
  /// A commit triggers it when a reducer ran that owns some of the property, and the value differs from
  /// the one before. Replacing the state does not.
  ///
  /// ```swift
  /// Effect<AppState>(whenChanged: \.query, .latest) { query, context in
  ///   context.dispatch(ResultsAction.found(try await api.search(query)))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The value, stored or computed. A computed one is looked at after every handled
  ///     commit.
  ///   - policy: What becomes of a change that comes while it is running.
  ///   - condition: Decides, on the state after the commit, whether the change triggers it.
  ///   - handler: Handles what `run` throws; without it the store's `onEffectError:` is told.
  ///   - fileID: Where the effect is written, for its name.
  ///   - line: Where the effect is written, for its name.
  ///   - run: The work, with the new value.
  @_disfavoredOverload
  public init<Value: Equatable & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ value: Value, _ context: EffectContext<State>
      ) async throws -> Void
  ) {
    self.init(
      part: PartPath(keyPath), policy, when: condition, catch: handler,
      at: CallSite(fileID: fileID, line: line), run)
  }

  /// An effect of each change of a value in the state that answers with an action.
  ///
  /// What it returns is dispatched: one action, an array of them, an `ActionList`, an `AsyncActions`.
  public init<Value: Equatable & Sendable, Answer: Action>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (_ value: Value, _ context: EffectContext<State>) async throws
      ->
      Answer
  ) {
    self.init(
      whenChanged: keyPath, policy, when: condition, catch: handler, fileID: fileID, line: line
    ) {
      value, context -> Void in
      try await context.answer(run(value, context), fileID, line)
    }
  }

  /// An effect of each change of a value in the state that answers with actions over time.
  ///
  /// It runs until the sequence has ended; an error of the sequence is an error of the effect.
  public init<Value: Equatable & Sendable, S: AsyncSequence & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (_ value: Value, _ context: EffectContext<State>) async throws
      ->
      S
  ) where S.Element: Action {
    self.init(
      whenChanged: keyPath, policy, when: condition, catch: handler, fileID: fileID, line: line
    ) {
      value, context -> Void in
      try await context.answer(AsyncActions(run(value, context)), fileID, line)
    }
  }

  /// An effect of each change of a value in the state that answers with actions of different types over time.
  public init<Value: Equatable & Sendable, S: AsyncSequence & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (_ value: Value, _ context: EffectContext<State>) async throws
      ->
      S
  ) where S.Element == any Action {
    self.init(
      whenChanged: keyPath, policy, when: condition, catch: handler, fileID: fileID, line: line
    ) {
      value, context -> Void in
      try await context.answer(AsyncActions(run(value, context)), fileID, line)
    }
  }

  /// An effect of each change of what a lens focuses on.
  public init<Value: Equatable & Sendable>(
    whenChanged lens: Lens<State, Value>, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ value: Value, _ context: EffectContext<State>
      ) async throws -> Void
  ) {
    self.init(
      part: PartPath(lens), policy, when: condition, catch: handler,
      at: CallSite(fileID: fileID, line: line), run)
  }

  private init<Value: Equatable & Sendable>(
    part: PartPath<Value>, _ policy: EffectPolicy,
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)?,
    catch handler: ErrorHandler?, at site: CallSite,
    _ run:
      @escaping @concurrent @Sendable (
        _ value: Value, _ context: EffectContext<State>
      ) async throws -> Void
  ) {
    let sight = ObservedPath<State>(part)
    let read = part.read
    let trigger = Trigger.value(sight, needsPrevious: condition != nil) { initial in
      let last = Locked(StateAddress.reading(initial, as: State.self, read))
      return { change, ignoresChange in
        let change = change()
        let value = StateAddress.reading(change.state, as: State.self, read)
        let former = last.withLock { last in exchange(&last, with: value) }
        guard !ignoresChange, former != value, condition?(value, change) ?? true else { return nil }
        return value
      }
    }
    self.init(
      name: "of a changed `\(Value.self)` at \(site)", policy, trigger, catch: handler
    ) { subject, context in
      if let value = subject as? Value { try await run(value, context) }
    }
  }
}
