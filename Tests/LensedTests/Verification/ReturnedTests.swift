import Lensed
import LensedTestSupport
import Testing

/// Each test ends some work very often, while other threads contend for the store.
///
/// After each end the test commits or reads under the lock of the store. So a commit that had begun before
/// the end is never taken for a late one.
@Suite(
  "Once a call that ends some work has returned, no commit of that work begins", .serialized,
  .timeLimit(.minutes(30)))
struct ReturnedTests {
  let rounds = VerificationLength.returnedRounds
  let time = VerificationLength.returnedTime

  /// A thread that contends for the lock of a store.
  static func holder(of store: Store<Trail>, until rest: Counter) -> ThreadGate {
    Threads.start {
      while rest.value == 0 {
        for _ in 0..<8 { store.dispatch(Trail.Hold()) }
        Threads.yield()
      }
    }
  }

  /// Begins and ends work in many rounds, and counts the late commits.
  ///
  /// - Parameters:
  ///   - store: The store in which the work commits stamps.
  ///   - seed: Decides how long each round lasts.
  ///   - isClosed: Whether a round closes when the ending call returns; otherwise the work closes it.
  ///   - sourceLocation: The place of the test.
  ///   - start: Begins the work of a round, and returns the call that ends it.
  private func race(
    _ store: Store<Trail>, seed: UInt64 = 12, isClosed: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ start: @escaping @Sendable (_ round: Int) -> (@Sendable () -> Void)
  ) async {
    let (limit, end) = (rounds, ContinuousClock.now + time)
    let rounds = await Threads.apart {
      let rest = Counter()
      let holder = Self.holder(of: store, until: rest)
      var random = SeededGenerator(seed: seed)
      var round = 0
      while round < limit, round < 20 || .now < end {
        round += 1
        let before = store.tally.stamps
        let stop = start(round)
        Threads.wait { store.tally.stamps > before }
        for _ in 0..<Int.random(in: 0..<20, using: &random) { _ = store.busy }
        stop()
        if isClosed { store.dispatch(Trail.Close(round: round)) }
      }
      rest.increment()
      holder.wait()
      return round
    }
    // A late commit may come very late.
    for _ in 0..<100 { await Task.yield() }
    let tally = store.tally
    #expect(
      tally.late == 0,
      "seed \(seed): \(tally.late) of \(tally.stamps) commits in \(rounds) rounds",
      sourceLocation: sourceLocation)
    #expect(2 * tally.stamps >= rounds, "the work has begun", sourceLocation: sourceLocation)
  }

  @Test func `a cancelled sequence commits nothing more`() async throws {
    let store = try Trail.makeStore()
    await race(store) { round in
      let task = store.dispatch(Trail.Stamps(round: round))
      return { task.cancel() }
    }
  }

  @Test func `a sequence in a cancelled list commits nothing more`() async throws {
    let store = try Trail.makeStore()
    await race(store) { round in
      let task = store.dispatch(
        [Trail.Hold(), AsyncActions(Trail.Stamps(round: round)), Trail.Hold()] as [any Action])
      return { task.cancel() }
    }
  }

  @Test func `an effect of a cancelled dispatch commits nothing more`() async throws {
    let store = try Trail.makeStore { Trail.stamping() }
    await race(store) { round in
      let task = store.dispatch(Trail.Begin(round: round))
      return { task.cancel() }
    }
  }

  @Test func `an effect of a dispatch whose finish() was cancelled commits nothing more`()
    async throws
  {
    let store = try Trail.makeStore { Trail.stamping() }
    await race(store) { round in
      let task = store.dispatch(Trail.Begin(round: round))
      let waiting = Task { try? await task.finish() }
      return {
        waiting.cancel()
        // The cancellation reaches the dispatch when the wait has begun.
        Threads.wait { task.isCancelled }
      }
    }
  }

  @Test func `effects of a cancelled installation commit nothing more`() async throws {
    let store = try Trail.makeStore()
    await race(store) { round in
      let installed = store.install(Trail.stamping())
      store.dispatch(Trail.Begin(round: round))
      return { installed.cancel() }
    }
  }

  @Test func `effects of a released installation commit nothing more`() async throws {
    let store = try Trail.makeStore()
    let installed = Locked<StoreSubscription?>(nil)
    await race(store) { round in
      installed.withLock { $0 = store.install(Trail.stamping()) }
      store.dispatch(Trail.Begin(round: round))
      return {
        // Released outside of the lock of the slot.
        _ = installed.withLock { $0.take() }
      }
    }
  }

  @Test func `sequences that the effects of a cancelled installation left commit nothing more`()
    async throws
  {
    let store = try Trail.makeStore()
    await race(store) { round in
      let installed = store.install(Trail.leaving())
      store.dispatch(Trail.Begin(round: round))
      return { installed.cancel() }
    }
  }

  @Test func `once a newer run of the latest has begun, the older commits nothing more`()
    async throws
  {
    // The newer run itself closes the round of the older one, first of all.
    let store = try Trail.makeStore {
      Effect<Trail>(on: Trail.Begin.self, .latest) { begin, context in
        context.dispatch(Trail.Close(round: begin.round - 1))
        while !Task.isCancelled {
          context.dispatch(Trail.Stamp(round: begin.round))
          await Task.yield()
        }
      }
    }
    await race(store, isClosed: false) { round in
      store.dispatch(Trail.Begin(round: round))
      return {}
    }
    // Ends the last run.
    store.dispatch(Trail.Begin(round: .max)).cancel()
  }

  @Test func `a sequence beside a cancelled one goes on`() async throws {
    let store = try Trail.makeStore()
    let (ended, kept) = await Threads.apart {
      (store.dispatch(Trail.Stamps(round: 1)), store.dispatch(Trail.Stamps(round: 3)))
    }
    ended.cancel()
    store.dispatch(Trail.Close(round: 2))
    let before = store.tally.stamps
    #expect(await Threads.apart { Threads.wait { store.tally.stamps > before + 10 } })
    #expect(store.tally.late == 0)
    kept.cancel()
  }
}
