#if canImport(Testing)
  public import Lensed
  public import LensedPersistence
  public import Testing

  // How a test store is made: with a `StoreProbe` for its scheduler, its errors and its warnings, a `StepLog` that records
  // each commit, and, where a test asks for it, the session that a failed test leaves.

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
    ///   - seed: Stands for an order in which effects that are ready run, also in the middle of a delivery; nil is the
    ///     order in which they became it.
    ///   - patience: How long a step waits for an effect that waits for something unknown, before it fails.
    ///   - sourceLocation: Where an issue of the whole test is reported.
    ///   - parts: The mutators, the constant properties, the effects and services.
    /// - Throws: The faults of the parts.
    public convenience init(
      initialState: State, coverage: Coverage = .complete,
      middleware: [any Middleware<State>] = [], exhaustivity: Exhaustivity<State> = .on,
      seed: UInt64? = nil, patience: Duration = .seconds(10),
      sourceLocation: SourceLocation = #_sourceLocation,
      @StoreBuilder<State> parts: () -> [StorePart<State>]
    ) throws(RegistrationError) {
      try self.init(
        exhaustivity: exhaustivity, seed: seed, patience: patience, sourceLocation: sourceLocation
      ) { () throws(RegistrationError) in
        try Store(
          initialState: initialState, coverage: coverage, middleware: middleware,
          onEffectError: { _ in }, onWarning: { _ in }, parts: parts)
      }
    }

    /// A test of a feature, which runs alone.
    ///
    /// ```swift
    /// let test = try TestStore(initialState: Search(), search(api: .stub, clock))
    /// ```
    ///
    /// - Parameters:
    ///   - initialState: What the state is at first.
    ///   - feature: The feature.
    ///   - coverage: Whether every property needs an owner.
    ///   - middleware: Asked before each commit and notified after it.
    ///   - exhaustivity: What the test has to say.
    ///   - seed: Stands for an order in which effects that are ready run, also in the middle of a delivery; nil is the
    ///     order in which they became it.
    ///   - patience: How long a step waits for an effect that waits for something unknown, before it fails.
    ///   - sourceLocation: Where an issue of the whole test is reported.
    /// - Throws: The faults of the feature.
    public convenience init(
      initialState: State, _ feature: Feature<State>, coverage: Coverage = .complete,
      middleware: [any Middleware<State>] = [], exhaustivity: Exhaustivity<State> = .on,
      seed: UInt64? = nil, patience: Duration = .seconds(10),
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws(RegistrationError) {
      try self.init(
        initialState: initialState, coverage: coverage, middleware: middleware,
        exhaustivity: exhaustivity, seed: seed, patience: patience, sourceLocation: sourceLocation
      ) { feature }
    }

    /// A test of a store that the app makes.
    ///
    /// ```swift
    /// let test = try TestStore { try AppStore.make(api: .stub, clock: clock) }
    /// ```
    ///
    /// What the store does while it is made is no step of the test. A store that was made elsewhere is not tested: its
    /// effects run where the test does not see them.
    ///
    /// - Parameters:
    ///   - exhaustivity: What the test has to say.
    ///   - seed: Stands for an order in which effects that are ready run, also in the middle of a delivery; nil is the
    ///     order in which they became it.
    ///   - patience: How long a step waits for an effect that waits for something unknown, before it fails.
    ///   - sourceLocation: Where an issue of the whole test is reported.
    ///   - makeStore: Makes the store.
    /// - Throws: What `makeStore` throws.
    public convenience init<Failure: Error>(
      exhaustivity: Exhaustivity<State> = .on, seed: UInt64? = nil,
      patience: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation,
      _ makeStore: () throws(Failure) -> Store<State>
    ) throws(Failure) {
      let log = StepLog<State>(at: sourceLocation)
      let scheduler = TestScheduler(seed: seed)
      let probe = StoreProbe(
        executor: scheduler, onEffectError: { log.append($0) }, onWarning: { log.append($0) },
        attack: scheduler.attack)
      // An effect that making the store sets off must not commit before the commits are logged.
      scheduler.hold()
      defer { scheduler.release() }
      // A task-local value passes no typed error.
      let result = StoreProbe.$current.withValue(probe) {
        Result { () throws(Failure) in try makeStore() }
      }
      self.init(
        try result.get(), on: scheduler, log, exhaustivity: exhaustivity, patience: patience,
        at: sourceLocation)
    }
  }

  // MARK: The session that it leaves

  extension TestStore {
    /// Has the session that a failed test leaves written by a registry, under its names.
    ///
    /// ```swift
    /// let test = try TestStore(initialState: AppState()) { … }
    /// test.attachSession(by: registry)
    /// // session.lensed, attached to the failed test:
    /// store.replay(try RecordedSession<AppState>(reading: file, registry))
    /// ```
    ///
    /// A test store that reports an issue attaches its session by itself, the types of actions under the names that they
    /// have; where two print alike, as `One.Act` and `Other.Act` do, under these names. This is for names and coders of
    /// your own. A commit with an action that is not `Codable` replays by the state after it. Where the state is not
    /// `Codable`, the file is for `lensed-inspect` alone.
    ///
    /// `swift test --attachments-path` says where attachments go.
    ///
    /// - Parameter registry: Writes the actions.
    public func attachSession(by registry: ActionRegistry) where State: Encodable {
      leave(SessionFile(registry: registry))
    }
  }
#endif
