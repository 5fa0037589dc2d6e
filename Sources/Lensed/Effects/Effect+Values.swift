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
  /// The closure returns nothing, or actions to dispatch as part of the effect: one action, an optional one,
  /// an array, an `ActionList`, an `AsyncActions`, or an asynchronous sequence of actions. Any other value
  /// is ignored. Making an effect of a sequence whose elements are no actions traps.
  ///
  /// - Parameters:
  ///   - keyPath: The value, stored or computed. A computed one is read after every handled commit.
  ///   - policy: What becomes of a change that comes while the effect is running.
  ///   - triggers: When it runs beside changes: when it is installed, when the state is replaced.
  ///   - condition: Decides, on the state after the commit, whether the change triggers it.
  ///   - handler: Handles what `run` throws; without it the store's `onEffectError:` does.
  ///   - fileID: Where the effect is written, for its name.
  ///   - line: Where the effect is written, for its name.
  ///   - run: The work, with the new value.
  public init<Value: Equatable & Sendable, Output: Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable, _ policy: EffectPolicy = .concurrent,
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
      changesOf: PartPath(keyPath, for: .effect), policy, triggers, when: condition,
      catch: handler, at: site,
      run: Self.work(at: site, run))
  }

  /// An effect of each change of a value in the state that returns actions of different types, or nil.
  @_disfavoredOverload
  public init<Value: Equatable & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable, _ policy: EffectPolicy = .concurrent,
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
      changesOf: PartPath(keyPath, for: .effect), policy, triggers, when: condition,
      catch: handler, at: site,
      run: Self.work(at: site, run))
  }

  /// An effect of each change of what a lens focuses on.
  public init<Value: Equatable & Sendable, Output: Sendable>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
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
      changesOf: PartPath(lens.asLens), policy, triggers, when: condition, catch: handler,
      at: site,
      run: Self.work(at: site, run))
  }

  /// An effect of each change of what a lens focuses on that returns actions of different types, or nil.
  @_disfavoredOverload
  public init<Value: Equatable & Sendable>(
    whenChanged lens: some LensLike<State, Value>, _ policy: EffectPolicy = .concurrent,
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
      changesOf: PartPath(lens.asLens), policy, triggers, when: condition, catch: handler,
      at: site,
      run: Self.work(at: site, run))
  }

  /// An effect of each change of what a function makes of the state.
  ///
  /// ```swift
  /// Effect<AppState>(whenChanged: { $0.todos.count { !$0.isDone } }, .latest) { open, context in … }
  /// ```
  ///
  /// The function is called after every handled commit: what it reads cannot be seen.
  public init<Value: Equatable & Sendable, Output: Sendable>(
    whenChanged value: @escaping @Sendable (_ state: State) -> Value,
    _ policy: EffectPolicy = .concurrent, including triggers: EffectTriggers = [],
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
      changesOf: PartPath(label: .unnamed) { value($0.read(State.self)) }, policy, triggers,
      when: condition, catch: handler, at: site, run: Self.work(at: site, run))
  }

  init<Value: Equatable & Sendable>(
    changesOf part: PartPath<Value>, _ policy: EffectPolicy, _ triggers: EffectTriggers = [],
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)?,
    catch handler: ErrorHandler?, at site: CallSite, run: @escaping Run
  ) {
    let read = part.read
    let trigger = ValueTrigger<State>(
      footprint: part.footprint, including: triggers, when: condition,
      initial: { StateAddress.reading($0, as: State.self, read) },
      value: { StateAddress.reading($0.state, as: State.self, read) })
    self.init(
      name: "of a changed `\(Value.self)` at \(site)", policy, .value(trigger), catch: handler,
      run: run)
  }
}
