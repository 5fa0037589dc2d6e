#if canImport(Testing)
  public import Lensed
  public import Testing

  /// Dispatches random actions, and checks invariants after each commit.
  ///
  /// ```swift
  /// await explore(
  ///   store: { try Desk.makeStore() },
  ///   actions: .any(
  ///     Generator.int(in: -5...5).map(CountAction.add), .always(ClearAction())),
  ///   seed: 7, steps: 500,
  ///   invariants: [Invariant("the count is never negative", of: \.count) { $0 >= 0 }])
  /// ```
  ///
  /// Beside the invariants it checks what holds in every store: see `ExplorationChecks`. A promise that is broken
  /// is one issue: the fewest actions that break it, as a test that can be pasted. It names the seed, which repeats
  /// the run.
  ///
  /// **Effects** run too, one job at a time, and come to rest after each action. Those that making the store sets
  /// off come to rest before the first one. If nothing is found, and tasks have run, the same actions are tried in an order
  /// of effects that the seed stands for: there runs begin, readers wake and observers are called in the middle of a
  /// delivery too, as in a `TestStore` with a `seed:`. Give the store's effects the clock
  /// that `store` is given: exploration moves it at random, to the next moment that an effect waits for.
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a broken promise traps with its
  /// message.
  ///
  /// - Parameters:
  ///   - store: Makes a fresh store; called for each run.
  ///   - actions: Makes the actions.
  ///   - seed: Stands for the actions, and for an order of the effects; another seed tries others.
  ///   - steps: How many actions.
  ///   - invariants: What holds in every state, or for every commit.
  ///   - checks: What to check besides.
  ///   - threads: How many threads dispatch at once. With more than one, the order of the commits is another in each
  ///     run; a failure is shrunk in the order that it came in.
  ///   - sourceLocation: Where the issue is reported.
  /// - Returns: How far it went, and what was never exercised.
  @discardableResult
  public func explore<State: Sendable>(
    store: @escaping @Sendable (_ clock: ManualClock) throws -> Store<State>,
    actions: Generator<any Action>, seed: UInt64, steps: Int = 200,
    invariants: [Invariant<State>] = [], checking checks: ExplorationChecks = .all,
    threads: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Exploration {
    let trial = Trial(
      makeStore: store, invariants: invariants, checks: checks,
      site: CallSite(sourceLocation))
    return await Explorer(trial: trial, seed: seed, location: sourceLocation)
      .explore(actions.list(of: steps, seed: seed, movesClock: true), threads: threads)
  }

  /// Dispatches random actions, and checks invariants after each commit; for a store without a clock.
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a broken promise traps with its
  /// message.
  ///
  /// - Parameters:
  ///   - store: Makes a fresh store; called for each run.
  ///   - actions: Makes the actions.
  ///   - seed: Stands for the actions, and for an order of the effects; another seed tries others.
  ///   - steps: How many actions.
  ///   - invariants: What holds in every state, or for every commit.
  ///   - checks: What to check besides.
  ///   - threads: How many threads dispatch at once.
  ///   - sourceLocation: Where the issue is reported.
  /// - Returns: How far it went, and what was never exercised.
  @discardableResult
  public func explore<State: Sendable>(
    store: @escaping @Sendable () throws -> Store<State>,
    actions: Generator<any Action>, seed: UInt64, steps: Int = 200,
    invariants: [Invariant<State>] = [], checking checks: ExplorationChecks = .all,
    threads: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Exploration {
    let trial = Trial(
      makeStore: { _ in try store() }, invariants: invariants, checks: checks,
      site: CallSite(sourceLocation))
    return await Explorer(trial: trial, seed: seed, location: sourceLocation)
      .explore(actions.list(of: steps, seed: seed, movesClock: false), threads: threads)
  }

  /// Dispatches given actions, and checks invariants after each commit: what a failed exploration prints.
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a broken promise traps with its
  /// message.
  ///
  /// - Parameters:
  ///   - store: Makes a fresh store; called for each run.
  ///   - actions: The actions.
  ///   - seed: Stands for an order in which effects that are ready run, also in the middle of a delivery; nil is the
  ///     order in which they became it.
  ///   - invariants: What holds in every state, or for every commit.
  ///   - checks: What to check besides.
  ///   - sourceLocation: Where the issue is reported.
  /// - Returns: How far it went, and what was never exercised.
  @discardableResult
  public func explore<State: Sendable>(
    store: @escaping @Sendable () throws -> Store<State>, actions: [any Action],
    seed: UInt64? = nil, invariants: [Invariant<State>], checking checks: ExplorationChecks = .all,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Exploration {
    await explore(
      store: { _ in try store() }, actions: actions, seed: seed, invariants: invariants,
      checking: checks,
      sourceLocation: sourceLocation)
  }

  /// Dispatches given actions, and checks invariants after each commit; for a store with a clock.
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a broken promise traps with its
  /// message.
  ///
  /// - Parameters:
  ///   - store: Makes a fresh store; called for each run.
  ///   - actions: The actions; `NextDeadline` moves the clock.
  ///   - seed: Stands for an order in which effects that are ready run, also in the middle of a delivery; nil is the
  ///     order in which they became it.
  ///   - invariants: What holds in every state, or for every commit.
  ///   - checks: What to check besides.
  ///   - sourceLocation: Where the issue is reported.
  /// - Returns: How far it went, and what was never exercised.
  @discardableResult
  public func explore<State: Sendable>(
    store: @escaping @Sendable (_ clock: ManualClock) throws -> Store<State>,
    actions: [any Action], seed: UInt64? = nil, invariants: [Invariant<State>],
    checking checks: ExplorationChecks = .all,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Exploration {
    let trial = Trial(
      makeStore: store, invariants: invariants, checks: checks,
      site: CallSite(sourceLocation), order: seed)
    return await Explorer(trial: trial, seed: nil, location: sourceLocation)
      .explore(actions.map { .dispatching($0) })
  }

  // MARK: Sessions

  /// Replays a recorded session against invariants, and finds the fewest of its actions that break one.
  ///
  /// ```swift
  /// let session = try RecordedSession<AppState>(reading: file, registry)
  /// await explore(store: makeStore, session: session, invariants: invariants)
  /// ```
  ///
  /// So a bug report becomes the shortest failing test: record with a `SessionRecorder`, replay, and paste what the
  /// issue prints. Only reducers run, because the session holds what effects dispatched.
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a broken promise traps with its
  /// message.
  ///
  /// - Parameters:
  ///   - store: Makes a fresh store with the reducers of the recorded one; called for each run.
  ///   - session: The session.
  ///   - invariants: What holds in every state, or for every commit.
  ///   - checks: What to check besides.
  ///   - sourceLocation: Where the issue is reported.
  /// - Returns: How far it went, and what was never exercised.
  @discardableResult
  public func explore<State: Sendable>(
    store: @escaping @Sendable () throws -> Store<State>, session: RecordedSession<State>,
    invariants: [Invariant<State>], checking checks: ExplorationChecks = .all,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Exploration {
    let trial = Trial(
      makeStore: { _ in try store() }, invariants: invariants, checks: checks,
      site: CallSite(sourceLocation))
    return await Explorer(trial: trial, seed: nil, location: sourceLocation).explore(session)
  }

  /// Replays actions against invariants, without effects: what a failed replay of a session prints.
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a broken promise traps with its
  /// message.
  ///
  /// - Parameters:
  ///   - store: Makes a fresh store; called for each run.
  ///   - actions: The actions, each a commit of its own; so is a list. `ReplaceState` replaces the state.
  ///   - initial: The state to begin with; nil is that of the store.
  ///   - invariants: What holds in every state, or for every commit.
  ///   - checks: What to check besides.
  ///   - sourceLocation: Where the issue is reported.
  /// - Returns: How far it went, and what was never exercised.
  @discardableResult
  public func explore<State: Sendable>(
    store: @escaping @Sendable () throws -> Store<State>, replaying actions: [any Action],
    from initial: State? = nil, invariants: [Invariant<State>],
    checking checks: ExplorationChecks = .all,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Exploration {
    let trial = Trial(
      makeStore: { _ in try store() }, invariants: invariants, checks: checks,
      site: CallSite(sourceLocation), initial: initial, runsEffects: false)
    return await Explorer(trial: trial, seed: nil, location: sourceLocation, form: "replaying")
      .explore(actions.map { .replaying($0) })
  }

  extension CallSite {
    /// The place of a test, to dispatch from; nil once too many are kept.
    fileprivate init?(_ location: SourceLocation) {
      self.init(reading: "\(location.fileID):\(location.line)", function: nil)
    }
  }
#endif
