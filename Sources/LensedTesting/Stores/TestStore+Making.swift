#if canImport(Testing)
  public import Lensed
  public import Testing

  extension TestStore {
    /// A test of the parts of a store.
    ///
    /// ```swift
    /// let test = try TestStore(initialState: AppState()) { counterMutator; searchEffect(clock) }
    /// ```
    ///
    /// - Parameters:
    ///   - initialState: What the state is at first.
    ///   - coverage: Whether every property needs an owner.
    ///   - middleware: Asked before each commit and notified after it.
    ///   - exhaustivity: What the test has to say.
    ///   - seed: Stands for an order in which effects that are ready run; nil is the order in which they became it.
    ///   - patience: How long a step waits for an effect that waits for something unknown, before it fails.
    ///   - sourceLocation: Where an issue of the whole test is reported.
    ///   - parts: The mutators, the constant properties, the effects and services.
    /// - Throws: The faults of the parts.
    public convenience init(
      initialState: State, coverage: Coverage = .complete,
      middleware: [any Middleware<State>] = [], exhaustivity: Exhaustivity<State> = .on,
      seed: UInt64? = nil, patience: Duration = .seconds(10),
      sourceLocation: SourceLocation = #_sourceLocation,
      @StoreBuilder<State> _ parts: () -> [StorePart<State>]
    ) throws(RegistrationError) {
      let log = StepLog(initialState, at: sourceLocation)
      let scheduler = TestScheduler(seed: seed)
      let store = try Self.makeStore(on: scheduler) { () throws(RegistrationError) in
        try Store(
          initialState: initialState, coverage: coverage, middleware: middleware,
          onEffectError: { log.append($0) }, parts)
      }
      self.init(
        store, on: scheduler, log, exhaustivity: exhaustivity, file: nil, patience: patience,
        at: sourceLocation)
    }

    /// A test of the parts of a store that leaves a file when it fails: the session, for `replay`.
    ///
    /// ```swift
    /// // session.json, attached to the failed test:
    /// let journal = try JSONDecoder().decode(Journal.self, from: data)
    /// store.replay(try registry.session(journal, of: AppState.self))
    /// ```
    ///
    /// - Parameters:
    ///   - initialState: What the state is at first.
    ///   - coverage: Whether every property needs an owner.
    ///   - middleware: Asked before each commit and notified after it.
    ///   - exhaustivity: What the test has to say.
    ///   - registry: Writes the actions.
    ///   - seed: Stands for an order in which effects that are ready run; nil is the order in which they became it.
    ///   - patience: How long a step waits for an effect that waits for something unknown, before it fails.
    ///   - sourceLocation: Where an issue of the whole test is reported.
    ///   - parts: The mutators, the constant properties, the effects and services.
    /// - Throws: The faults of the parts.
    public convenience init(
      initialState: State, coverage: Coverage = .complete,
      middleware: [any Middleware<State>] = [], exhaustivity: Exhaustivity<State> = .on,
      attaching registry: ActionRegistry, seed: UInt64? = nil, patience: Duration = .seconds(10),
      sourceLocation: SourceLocation = #_sourceLocation,
      @StoreBuilder<State> _ parts: () -> [StorePart<State>]
    ) throws(RegistrationError) where State: Encodable {
      let log = StepLog(initialState, at: sourceLocation)
      let scheduler = TestScheduler(seed: seed)
      let store = try Self.makeStore(on: scheduler) { () throws(RegistrationError) in
        try Store(
          initialState: initialState, coverage: coverage, middleware: middleware,
          onEffectError: { log.append($0) }, parts)
      }
      self.init(
        store, on: scheduler, log, exhaustivity: exhaustivity, file: SessionFile(registry),
        patience: patience, at: sourceLocation)
    }

    private static func makeStore(
      on scheduler: TestScheduler, _ make: () throws(RegistrationError) -> Store<State>
    ) throws(RegistrationError) -> Store<State> {
      // A task-local value passes no typed error.
      let result = StoreExecution.$current.withValue(scheduler) {
        Result { () throws(RegistrationError) in try make() }
      }
      return try result.get()
    }
  }
#endif
