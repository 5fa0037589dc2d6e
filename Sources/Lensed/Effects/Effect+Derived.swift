extension Effect {
  /// An effect of each change of a derived value.
  ///
  /// A commit triggers it when it touched an input, and the value differs from the one before. Replacing the state
  /// does not. The value is computed for each such commit, once for all callers that ask the store for it;
  /// in children, once for each child.
  ///
  /// ```swift
  /// Effect<App>(whenChanged: Todos.visible, .latest) { todos, context in
  ///   try await index.update(with: todos)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - derived: The value.
  ///   - policy: What becomes of a change that comes while the effect is running.
  ///   - triggers: When it runs beside changes: when it is installed, when the state is replaced.
  ///   - condition: Decides, on the state after the commit, whether the change triggers it.
  ///   - handler: Handles what `run` throws; without it the store's `onEffectError:` does.
  ///   - fileID: Where the effect is written, for its name.
  ///   - line: Where the effect is written, for its name.
  ///   - run: The work, with the new value.
  public init<Value: Equatable & Sendable, Output: Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ value: Value, _ context: EffectContext<State>
      ) async throws -> Output
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition, catch: handler, at: site,
      run: Self.work(at: site, run))
  }

  /// An effect of each change of a derived value that returns actions of different types, or nil.
  @_disfavoredOverload
  public init<Value: Equatable & Sendable>(
    whenChanged derived: some DerivedLike<State, Value>, _ policy: EffectPolicy = .concurrent,
    including triggers: EffectTriggers = [],
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ value: Value, _ context: EffectContext<State>
      ) async throws -> (any Action)?
  ) {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: derived.asDerived, policy, triggers, when: condition, catch: handler, at: site,
      run: Self.work(at: site, run))
  }

  private init<Value: Equatable & Sendable>(
    changesOf derived: Derived<State, Value>, _ policy: EffectPolicy, _ triggers: EffectTriggers,
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)?,
    catch handler: ErrorHandler?, at site: CallSite, run: @escaping Run
  ) {
    let trigger = ValueTrigger<State>(
      footprint: derived.footprint(in: PartPath(Lens<State, State>.identity)), including: triggers,
      needsHome: true, when: condition, initial: { derived.value(in: $0) }, value: { $0[derived] })
    self.init(
      name: "of a changed derived `\(Value.self)` at \(site)", policy, .value(trigger),
      catch: handler, run: run)
  }
}
