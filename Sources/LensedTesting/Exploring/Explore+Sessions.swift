#if canImport(Testing)
  public import Lensed
  public import Testing

  /// Replays a recorded session against invariants, and finds the fewest of its actions that break one.
  ///
  /// ```swift
  /// let journal = try JSONDecoder().decode(Journal.self, from: report)
  /// let session = try registry.session(journal, of: AppState.self)
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
    let trial = Trial(makeStore: { _ in try store() }, invariants: invariants, checks: checks)
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
      makeStore: { _ in try store() }, invariants: invariants, checks: checks, initial: initial,
      runsEffects: false)
    return await Explorer(trial: trial, seed: nil, location: sourceLocation, form: "replaying")
      .explore(actions.map { .replaying($0) })
  }
#endif
