import LensedTesting
import Testing

@Suite struct `A manual clock` {
  let clock = ManualClock()
  let heard = Recorder<String>()
  let scheduler = TestScheduler()

  private func sleeper(_ name: String, _ pauses: Duration...) -> Task<Void, any Error> {
    Task(executorPreference: scheduler) { [clock, heard] in
      for pause in pauses {
        try await clock.sleep(for: pause)
        heard.append("\(name) at \(clock.now.offset)")
      }
    }
  }

  @Test func `wakes each at its own moment, also those that sleep anew within the interval`() async
  {
    let tasks = [
      sleeper("a", .seconds(1), .seconds(1), .seconds(3)), sleeper("b", .milliseconds(1_500)),
    ]
    await scheduler.rest()
    #expect(clock.deadlines.map(\.offset) == [.seconds(1), .milliseconds(1_500)])
    await clock.advance(by: .seconds(4))
    #expect(heard.values == ["a at 1.0 seconds", "b at 1.5 seconds", "a at 2.0 seconds"])
    #expect(clock.now.offset == .seconds(4))
    #expect(clock.deadlines.map(\.offset) == [.seconds(5)])
    await clock.advance(to: ManualClock.Instant(offset: .seconds(5)))
    #expect(heard.last == "a at 5.0 seconds")
    withExtendedLifetime(tasks) {}
  }

  @Test func `wakes those with one deadline in the order in which they fell asleep`() async {
    let tasks = (0..<20).map { sleeper("\($0)", .seconds(1)) }
    await scheduler.rest()
    await clock.advance(by: .seconds(1))
    #expect(heard.values == (0..<20).map { "\($0) at 1.0 seconds" })
    withExtendedLifetime(tasks) {}
  }

  @Test func `a moment that has passed moves nothing`() async {
    await clock.advance(by: .seconds(2))
    await clock.advance(to: ManualClock.Instant(offset: .seconds(1)))
    await clock.advance(by: .seconds(-1))
    clock.move(by: .seconds(-1))
    #expect(clock.now.offset == .seconds(2))
  }

  @Test func `a deadline that has come is no sleep`() async throws {
    await clock.advance(by: .seconds(2))
    try await clock.sleep(until: ManualClock.Instant(offset: .seconds(2)))
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.sleeperCount == 0)
  }

  @Test func `runs until nobody sleeps`() async {
    let tasks = [sleeper("a", .seconds(1), .seconds(60)), sleeper("b", .seconds(30))]
    await scheduler.rest()
    #expect(await clock.run())
    #expect(heard.values == ["a at 1.0 seconds", "b at 30.0 seconds", "a at 61.0 seconds"])
    #expect(clock.now.offset == .seconds(61))
    withExtendedLifetime(tasks) {}
  }

  @Test func `stops running at the limit for somebody who always sleeps again`() async {
    let task = Task(executorPreference: scheduler) { [clock] in
      while true { try await clock.sleep(for: .seconds(1)) }
    }
    await scheduler.rest()
    #expect(await !clock.run(limit: 50))
    #expect(clock.now.offset == .seconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `who is cancelled before sleeping never sleeps, and hangs nobody`() async {
    let gate = Gate()
    let task = Task(executorPreference: scheduler) { [clock] in
      try? await gate.wait()
      try await clock.sleep(for: .seconds(1))
    }
    await gate.waitForWaiters()
    task.cancel()
    await scheduler.rest()
    #expect(clock.sleeperCount == 0)
    await clock.waitForSleeps(1)
    await clock.advance(by: .seconds(1))
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `without a scheduler it wakes, and the test waits for what comes of it`() async {
    let task = Task { [clock, heard] in
      try await clock.sleep(for: .seconds(1))
      heard.append("awake")
    }
    await clock.waitForSleepers()
    await clock.advance(by: .seconds(1))
    #expect(await heard.waitForCount(1) == ["awake"])
    withExtendedLifetime(task) {}
  }
}
