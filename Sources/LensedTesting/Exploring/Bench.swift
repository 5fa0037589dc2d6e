internal import Lensed

/// A fresh store on a scheduler and a clock of its own, to try steps on.
struct Bench<State: Sendable>: Sendable {
  let store: Store<State>
  let scheduler = TestScheduler()
  private let clock = ManualClock()

  /// A bench with a fresh store.
  ///
  /// - Parameters:
  ///   - make: Makes the store.
  ///   - initial: The state to begin with; nil is that of the store.
  /// - Throws: What `make` throws.
  init(_ make: @Sendable (ManualClock) throws -> Store<State>, from initial: State?) throws {
    let clock = clock
    store = try StoreProbe.$current.withValue(StoreProbe(executor: scheduler)) { try make(clock) }
    if let initial { store.replaceState(initial) }
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
      if let next = clock.deadlines.first { await clock.advance(to: next) }
    case .dispatch(let action): store.dispatch(action)
    case .replay(let actions, let site): store.replay(actions, from: site)
    case .state(let state): store.replaceState(state)
    }
    if scheduler.isResting && scheduler.jobCount == 0 { return true }
    return await scheduler.rest(within: patience)
  }
}
