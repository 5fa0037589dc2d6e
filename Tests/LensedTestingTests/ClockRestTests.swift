import Testing

@testable import LensedTesting

@Suite("A manual clock that is moved waits", .timeLimit(.minutes(30)))
struct ClockRestTests {
  private let clock = ManualClock()
  private let one = TestScheduler()
  private let other = TestScheduler()

  /// Two schedulers set each other to work, for as long as nobody ends it, and one of them is idle at any time.
  private func pingPong() -> Task<Void, Never> {
    Task(executorPreference: one) { [other] in
      while !Task.isCancelled { await Task(executorPreference: other) {}.value }
    }
  }

  @Test func `not for others of the test that never rest together`() async {
    let task = pingPong()
    await clock.advance(by: .seconds(1))
    #expect(one.waitCount <= 2)
    #expect(other.waitCount <= 2)
    task.cancel()
    await task.value
  }

  @Test func `at most twice for one that does not sleep on it, at however many moments`()
    async throws
  {
    let moments = 50
    let scheduler = TestScheduler()
    let sleeper = Task(executorPreference: scheduler) { [clock] in
      for _ in 0..<moments { try await clock.sleep(for: .seconds(1)) }
    }
    await scheduler.rest()
    let task = pingPong()
    let before = (one.waitCount, other.waitCount)
    await clock.advance(by: .seconds(moments))
    #expect(one.waitCount - before.0 <= 2)
    #expect(other.waitCount - before.1 <= 2)
    try await sleeper.value
    task.cancel()
    await task.value
  }

  @Test func `for one that is about to sleep on it for the first time`() async throws {
    let task = Task(executorPreference: one) { [clock] in
      for _ in 0..<100 { await Task.yield() }
      await MainActor.run {}
      try await clock.sleep(for: .seconds(1))
    }
    await clock.advance(by: .seconds(1))
    #expect(clock.now.offset == .seconds(1))
    #expect(clock.sleeperCount == 0)
    try await task.value
  }

  @Test func `for one that a sleeper sets to work when it wakes`() async throws {
    let awake = Recorder<Int>()
    let chain = Task(executorPreference: one) { [clock, other] in
      try await clock.sleep(for: .seconds(1))
      awake.append(1)
      return Task(executorPreference: other) {
        for _ in 0..<100 { await Task.yield() }
        try await clock.sleep(for: .seconds(1))
        awake.append(2)
        for _ in 0..<100 { await Task.yield() }
        awake.append(3)
      }
    }
    await clock.advance(by: .seconds(2))
    #expect(awake.values == [1, 2, 3])
    try await chain.value.value
  }

  @Test func `until those that sleep on it rest together`() async throws {
    let done = Recorder<Int>()
    let first = Task(executorPreference: one) { [clock, other] in
      try await clock.sleep(for: .seconds(1))
      for number in 0..<100 {
        await Task(executorPreference: other) { await Task.yield() }.value
        done.append(number)
      }
    }
    await clock.advance(by: .seconds(1))
    #expect(done.count == 100)
    try await first.value
  }

  @Test(arguments: [-1, 0, Int.min]) func `for nothing where it is to run no moment`(
    limit: Int
  ) async throws {
    let sleeper = Task(executorPreference: one) { [clock] in try await clock.sleep(for: .seconds(1))
    }
    #expect(await !clock.run(limit: limit))
    #expect(clock.now.offset == .zero)
    await clock.advance(by: .seconds(1))
    try await sleeper.value
  }
}
