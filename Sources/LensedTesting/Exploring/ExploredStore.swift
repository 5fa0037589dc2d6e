internal import Lensed

/// A fresh store on a scheduler and a clock of its own, to try steps on.
///
/// Making the store can set off effects. The scheduler holds their tasks until `begin`, so that none commits before
/// the commits are logged. Where only reducers run, it holds all tasks until the store has gone, which cancels them.
/// With an order, which a seed stands for, tasks that are ready also run in the middle of a delivery.
struct ExploredStore<State: Sendable>: Sendable {
  let store: Store<State>
  let scheduler: TestScheduler
  private let clock = ManualClock()
  private let runsEffects: Bool
  /// Where the exploration is written; nil where it is not known.
  private let site: CallSite?

  private init(
    _ make: @Sendable (ManualClock) throws -> Store<State>, from initial: State?,
    on scheduler: TestScheduler, runsEffects: Bool, at site: CallSite?
  ) throws {
    (self.scheduler, self.runsEffects, self.site) = (scheduler, runsEffects, site)
    let clock = clock
    let probe = StoreProbe(executor: scheduler, attack: scheduler.attack)
    store = try StoreProbe.$current.withValue(probe) { try make(clock) }
    if let initial { store.replaceState(initial) }
  }

  /// Makes a fresh store, and releases it afterwards.
  ///
  /// - Parameters:
  ///   - make: Makes the store.
  ///   - initial: The state to begin with; nil is that of the store.
  ///   - runsEffects: Whether effects run from `begin` on, or never.
  ///   - order: Stands for an order in which tasks run; nil is the order in which they became ready.
  ///   - site: Where the exploration is written; nil where it is not known.
  ///   - body: Uses the store.
  /// - Returns: What `body` returns.
  /// - Throws: What `make` or `body` throws.
  static func use<Result>(
    _ make: @Sendable (ManualClock) throws -> Store<State>, from initial: State?,
    runsEffects: Bool, order: UInt64? = nil, at site: CallSite? = nil,
    _ body: (ExploredStore) async throws -> Result
  ) async throws -> Result {
    let scheduler = TestScheduler(seed: order)
    scheduler.hold()
    // The store goes first, and cancels its tasks. So those that are held end without running any effect.
    defer { scheduler.release() }
    let explored = try ExploredStore(
      make, from: initial, on: scheduler, runsEffects: runsEffects, at: site)
    return try await body(explored)
  }

  /// Performs the step of a number, and lets what it sets off come to rest.
  ///
  /// - Parameters:
  ///   - number: The number, from 1; 0 is `begin`.
  ///   - steps: All steps.
  ///   - patience: How long it may take to come to rest.
  /// - Returns: Whether it did.
  func perform(
    _ number: Int, of steps: [ExploredStep<State>], within patience: Duration
  ) async -> Bool {
    if number == 0 { return await begin(within: patience) }
    return await perform(steps[number - 1], within: patience)
  }

  /// Lets effects begin, and what making the store has set off come to rest.
  ///
  /// - Parameter patience: How long it may take to come to rest.
  /// - Returns: Whether it did.
  func begin(within patience: Duration) async -> Bool {
    if runsEffects { scheduler.release() }
    return await rest(within: patience)
  }

  /// Performs a step, and lets what it sets off come to rest.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - patience: How long it may take to come to rest.
  /// - Returns: Whether it did.
  func perform(_ step: ExploredStep<State>, within patience: Duration) async -> Bool {
    switch step {
    case .dispatch(is NextDeadline):
      if let next = clock.nextDeadline { await clock.advance(to: next) }
    case .dispatch(let action) where runsEffects:
      // Held, so that nothing runs in the middle of a delivery but what an order lets run there.
      scheduler.hold()
      scheduler.lettingRunInBetween { dispatch(action) }
      scheduler.release()
    case .dispatch(let action): dispatch(action)
    case .replay(let actions, let site): store.replay(actions, from: site)
    case .state(let state): store.replaceState(state)
    }
    return await rest(within: patience)
  }

  private func dispatch(_ action: any Action) {
    action._lend { _ = store.send($0, from: site ?? CallSite()) }
  }

  private func rest(within patience: Duration) async -> Bool {
    // What is held does not rest.
    if !runsEffects || scheduler.isResting && scheduler.jobCount == 0 { return true }
    return await scheduler.rest(within: patience)
  }
}
