import Lensed
import LensedTestSupport
import Testing

/// Each test ends some work from outside, very often, while other threads contend for the store.
///
/// That the end has returned is itself committed or read under the lock of the store, so a commit
/// that had begun before the end is never taken for a late one.
@Suite(
  "Once the end of some work has returned, none of its commits begins", .serialized,
  .timeLimit(.minutes(5)))
struct ReturnedTests {
  private let rounds = VerificationLength.returnedRounds
  private let time = VerificationLength.returnedTime

  /// A thread that contends for the lock of a store.
  private static func holder(of store: Store<Trail>, until rest: Counter) -> ThreadGate {
    Threads.start {
      while rest.value == 0 {
        for _ in 0..<8 { store.dispatch(Trail.Hold()) }
        Threads.yield()
      }
    }
  }

  /// Has the work of many rounds begin and end, and counts what was committed too late.
  ///
  /// - Parameters:
  ///   - store: Where the work stamps.
  ///   - seed: Decides how long each round lasts.
  ///   - isClosed: Whether a round is over when its end has returned; else the work says so.
  ///   - sourceLocation: Where the race is asked for.
  ///   - start: Begins the work of a round, and gives what ends it.
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
    // What is late may come very late.
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

  @Test func `a sequence inside of a cancelled list commits nothing more`() async throws {
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

  @Test func `once a newer run of the latest has begun, the older commits nothing more`()
    async throws
  {
    // The newer run itself says, as its first deed, that the older one is over.
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
    // Sets the last run free.
    store.dispatch(Trail.Begin(round: .max)).cancel()
  }

  @Test func `a sequence that nobody ended goes on`() async throws {
    // The other side of the promise: what was not ended goes on.
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

  /// Has `side` written by something that is ended once a round, and looks whether it still changes.
  private func watch(
    _ store: Store<Trail>, sourceLocation: SourceLocation = #_sourceLocation,
    _ round: @escaping @Sendable (_ round: Int, _ hasWritten: @escaping () -> Void) -> Void
  ) async {
    let (limit, end) = (rounds, ContinuousClock.now + time)
    let (faults, rounds) = await Threads.apart {
      let rest = Counter()
      let holder = Self.holder(of: store, until: rest)
      var faults: [String] = []
      var number = 0
      while number < limit, number < 20 || .now < end {
        number += 1
        let before = store.side
        round(number) { Threads.wait { store.side != before } }
        let after = store.side
        for _ in 0..<3 { _ = store.busy }
        if number % 16 == 0 { Threads.yield() }
        let later = store.side
        if after != later { faults.append("round \(number): \(after) became \(later)") }
      }
      rest.increment()
      holder.wait()
      return (faults, number)
    }
    #expect(
      faults.isEmpty, "\(faults.count) of \(rounds) rounds: \(faults.first ?? "")",
      sourceLocation: sourceLocation)
  }

  @Test func `an unregistered mutator writes nothing more`() async throws {
    let store = try Trail.makeStore()
    let rest = Counter()
    let writer = Threads.start {
      while rest.value == 0 {
        for _ in 0..<8 { store.dispatch(Trail.Begin(round: 0)) }
        Threads.yield()
      }
    }
    await watch(store) { _, hasWritten in
      try? store.register(Mutator(\.side) { (side: inout Int, _: Trail.Begin) in side += 1 })
      hasWritten()
      store.unregister(\.side)
    }
    rest.increment()
    await Threads.apart { writer.wait() }
  }

  @Test func `an unregistered asynchronous mutator writes nothing more`() async throws {
    let store = try Trail.makeStore()
    await watch(store) { _, hasWritten in
      try? store.register(
        AsyncMutator(\.side) { (side: Int, _: Trail.Begin) in AsyncResult { side + 1 } })
      for _ in 0..<8 { store.dispatch(Trail.Begin(round: 0)) }
      hasWritten()
      store.unregister(\.side)
    }
  }

  @Test func `a cancelled event of an asynchronous mutator writes nothing more`() async throws {
    let store = try Trail.makeStore {
      AsyncMutator(\Trail.side) { (side: Int, _: Trail.Begin) in AsyncResult { side + 1 } }
    }
    await watch(store) { _, hasWritten in
      let first = store.dispatch(Trail.Begin(round: 0))
      let tasks = (0..<6).map { _ in store.dispatch(Trail.Begin(round: 0)) }
      hasWritten()
      for task in tasks + [first] { task.cancel() }
    }
  }

  @Test func `no outcome of an event from before a replacement is written after it`()
    async throws
  {
    let store = try Trail.makeStore {
      AsyncMutator(\Trail.side) { (side: Int, _: Trail.Begin) in AsyncResult { side + 1 } }
    }
    await watch(store) { round, hasWritten in
      for _ in 0..<8 { store.dispatch(Trail.Begin(round: 0)) }
      hasWritten()
      var state = store.state
      state.side = round * 1_000
      store.replaceState(state)
    }
  }

  @Test func `once a store was released, none of its reducers runs`() async throws {
    let (limit, end) = (rounds, ContinuousClock.now + time)
    let (late, rounds) = await Threads.apart {
      let late = Counter()
      var round = 0
      while round < limit, round < 20 || .now < end {
        round += 1
        let (runs, gone) = (Counter(), Counter())
        var store: Store<Trail>? = try? Store(initialState: Trail(), coverage: .partial) {
          Mutator(\Trail.side) { (side: inout Int, _: Trail.Stamp) in
            runs.increment()
            if gone.value > 0 { late.increment() }
          }
          Trail.stamping()
        }
        _ = store?.dispatch(Trail.Begin(round: round))
        _ = store?.dispatch(Trail.Stamps(round: round))
        Threads.wait { runs.value > 2 }
        let handle = store?.scope(\.side)
        store = nil
        // A commit that had begun ends before the state can be read.
        _ = handle?.state
        gone.increment()
        for _ in 0..<3 { _ = handle?.state }
      }
      Threads.yield()
      return (late.value, round)
    }
    #expect(late == 0, "\(late) late runs in \(rounds) rounds")
  }

  @Test func `after a subscription was cancelled, at most the call that was running is made`()
    async throws
  {
    let store = try Trail.makeStore()
    let (limit, end) = (rounds, ContinuousClock.now + time)
    let (running, more, rounds) = await Threads.apart {
      let rest = Counter()
      let writers = (0..<2).map { _ in Self.holder(of: store, until: rest) }
      var (running, more, rounds) = (0, 0, 0)
      while rounds < limit, rounds < 20 || .now < end {
        rounds += 1
        let (ended, late, calls) = (Counter(), Counter(), Counter())
        let subscription = store.states(\.busy, repeats: .kept).subscribe { _ in
          if ended.value > 0 { late.increment() }
          calls.increment()
        }
        Threads.wait { calls.value > 1 }
        subscription.cancel()
        ended.increment()
        for _ in 0..<20 { _ = store.busy }
        if late.value == 1 { running += 1 }
        if late.value > 1 { more += 1 }
      }
      rest.increment()
      for writer in writers { writer.wait() }
      return (running, more, rounds)
    }
    // A call that was about to run its first line cannot be told from one that runs it.
    #expect(more == 0, "\(more) of \(rounds) rounds; in \(running) one call was running")
    #expect(running * 10 <= rounds, "\(running) of \(rounds) rounds")
  }
}
