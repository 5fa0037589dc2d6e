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
  ///   - key: What the policy counts by, and the time of `debounced` and `throttled` too: without it, all
  ///     actions count together. Where `on(_:per:)` adds types, the actions of those without a key count together,
  ///     and with none of the keys.
  ///   - condition: Decides, on the state after the commit and with the one before it at hand,
  ///     whether the action triggers it; called in commit order. While the effect is installed, the
  ///     commits of the type copy what they touch.
  ///   - handler: Handles what `run` throws; without it the store's `onEffectError:` does.
  ///   - fileID: Where the effect is written, for its name.
  ///   - line: Where the effect is written, for its name.
  ///   - run: The work.
  @inlinable
  public init<A: Action, Output: Sendable>(
    on type: A.Type, _ policy: EffectPolicy = .concurrent, per key: Key<A>? = nil,
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
      name: "of `\(type)` at \(site)", policy, Self.trigger(type, key, condition), catch: handler,
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
  public init<A: Action>(
    on type: A.Type, _ policy: EffectPolicy = .concurrent, per key: Key<A>? = nil,
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
      name: "of `\(type)` at \(site)", policy, Self.trigger(type, key, condition), catch: handler,
      run: Self.work(at: site, run))
  }

  /// An effect of the actions of a type in which `matching` finds a value: of one case of an enum.
  ///
  /// ```swift
  /// Effect<AppState>(
  ///   on: SearchAction.self, matching: { if case .query(let text) = $0 { text } else { nil } }, .latest
  /// ) { text, context in … }
  /// ```
  ///
  /// An action without such a value triggers nothing: under `.latest` it cancels nothing, and it is not
  /// counted by `.first`. What the closure returns is dispatched, as for any effect.
  public init<A: Action, Value: Sendable, Output: Sendable>(
    on type: A.Type, matching: @escaping @Sendable (_ action: A) -> Value?,
    _ policy: EffectPolicy = .concurrent, per key: Key<Value>? = nil,
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ value: Value, _ context: EffectContext<State>
      ) async throws -> Output
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    let trigger = ActionTrigger<State>(
      type: type, needsPrevious: condition != nil,
      filter: { action, change in
        guard let value = (action as? A).flatMap(matching), condition?(value, change()) ?? true
        else { return nil }
        return value
      },
      key: key.map { key -> ActionTrigger<State>.Key in
        { action in (action as? A).flatMap(matching).map { AnyID(key($0)) } }
      })
    self.init(
      name: "of `\(type)` at \(site)", policy, .actions([trigger]), catch: handler,
      run: Self.work(at: site, run))
  }

  /// An effect of every action, whatever its type.
  ///
  /// ```swift
  /// Effect<AppState>(ofEveryAction: .serial) { action, _ in await analytics.log(action) }
  /// ```
  ///
  /// Every dispatch pays for it. Where the types are few, `on(_:)` adds them to one effect.
  public init<Output: Sendable>(
    ofEveryAction policy: EffectPolicy,
    when condition: (@Sendable (_ action: any Action, _ change: Change<State>) -> Bool)? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ action: any Action, _ context: EffectContext<State>
      ) async throws -> Output
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    let trigger = ActionTrigger<State>(
      type: nil, needsPrevious: condition != nil,
      filter: condition.map { condition -> ActionTrigger<State>.Filter in
        { condition($0, $1()) ? $0 : nil }
      })
    self.init(
      name: "of every action at \(site)", policy, .actions([trigger]), catch: handler,
      run: Self.work(at: site, run))
  }

  /// This effect, which is also triggered by actions of another type, under the same policy.
  ///
  /// ```swift
  /// Effect<AppState>(on: Refresh.self, .latest) { _, context in … }
  ///   .on(Open.self) { open, context in … }      // either cancels a run of the other
  /// ```
  ///
  /// A policy that counts per key does so for the types with a key: equal keys count together, whatever their
  /// types. The actions of the types without a key count together, and with none of the keys.
  ///
  /// Add the types before the effect is lifted or tagged.
  public func on<A: Action, Output: Sendable>(
    _ type: A.Type, per key: Key<A>? = nil,
    when condition: (@Sendable (_ action: A, _ change: Change<State>) -> Bool)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ action: A, _ context: EffectContext<State>
      ) async throws -> Output
  ) -> Effect {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    var trigger = Self.trigger(of: type, key, condition)
    trigger.run = Self.work(at: site, run)
    guard let plan = plan.adding(trigger) else {
      fatalError(
        """
        Lensed: `on(\(type).self)` at \(site) adds actions to the effect \(name), which is one of a \
        value or was lifted or tagged before. Add the types of actions first, to an effect of actions.
        """)
    }
    return Effect(name: name, policy, options, plan)
  }

  /// What a policy counts by: a property of the action.
  public typealias Key<A> = @Sendable (_ action: A) -> any Hashable & Sendable

  @usableFromInline
  static func trigger<A: Action>(
    _ type: A.Type, _ key: Key<A>?,
    _ condition: (@Sendable (_ action: A, _ change: Change<State>) -> Bool)?
  ) -> EffectTrigger<State> {
    .actions([trigger(of: type, key, condition)])
  }

  private static func trigger<A: Action>(
    of type: A.Type, _ key: Key<A>?,
    _ condition: (@Sendable (_ action: A, _ change: Change<State>) -> Bool)?
  ) -> ActionTrigger<State> {
    ActionTrigger(
      type: type, needsPrevious: condition != nil,
      filter: condition.map { condition -> ActionTrigger<State>.Filter in
        { action, change in
          guard let action = action as? A, condition(action, change()) else { return nil }
          return action
        }
      },
      key: key.map { key -> ActionTrigger<State>.Key in
        { action in (action as? A).map { AnyID(key($0)) } }
      })
  }
}
