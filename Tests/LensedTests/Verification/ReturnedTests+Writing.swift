import Lensed
import LensedTestSupport
import Testing

extension ReturnedTests {
  /// Ends a writer of `side` once a round, and checks that `side` no longer changes.
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

  @Test(.warnsOnPurpose) func `an unregistered mutator writes nothing more`() async throws {
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

  @Test func `an asynchronous mutator writes no result of an older event after replaceState`()
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

  @Test func `a released store runs no reducer`() async throws {
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
        // The read waits for a commit that had already begun.
        _ = handle?.state
        gone.increment()
        for _ in 0..<3 { _ = handle?.state }
      }
      Threads.yield()
      return (late.value, round)
    }
    #expect(late == 0, "\(late) late runs in \(rounds) rounds")
  }

  @Test func `a cancelled subscription makes no call but the one that is running`()
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
