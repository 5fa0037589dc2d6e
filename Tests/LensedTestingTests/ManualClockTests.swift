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

@Suite struct `A test scheduler` {
  private actor Ledger {
    private(set) var sum = 0
    func add(_ number: Int) { sum += number }
  }

  @Test func `rests when child tasks and the actors that they call do`() async {
    let (scheduler, gate, ledger) = (TestScheduler(), Gate(), Ledger())
    let task = Task(executorPreference: scheduler) {
      await withTaskGroup { group in
        for number in 1...100 {
          group.addTask {
            await Task.yield()
            await ledger.add(number)
            try? await gate.wait()
          }
        }
      }
    }
    await scheduler.rest()
    #expect(scheduler.isResting)
    #expect(await ledger.sum == 5_050)
    #expect(gate.waiterCount == 100)
    gate.open()
    await scheduler.rest()
    await task.value
  }

  @Test func `rests when code on the main actor has come back`() async {
    let (scheduler, heard) = (TestScheduler(), Recorder<Int>())
    let task = Task(executorPreference: scheduler) {
      for number in 0..<5 { await MainActor.run { heard.append(number) } }
    }
    await scheduler.rest()
    #expect(heard.values == [0, 1, 2, 3, 4])
    withExtendedLifetime(task) {}
  }

  private func order(_ scheduler: TestScheduler) async -> [Int] {
    let (gate, heard) = (Gate(), Recorder<Int>())
    let tasks = (0..<30).map { number in
      Task(executorPreference: scheduler) {
        try await gate.wait()
        heard.append(number)
      }
    }
    await gate.waitForWaiters(30)
    gate.open()
    await scheduler.rest()
    withExtendedLifetime(tasks) {}
    return heard.values
  }

  @Test func `runs what is ready in order, or in the order that a seed stands for`() async {
    #expect(await order(TestScheduler()) == Array(0..<30))
    let shuffled = await order(TestScheduler(seed: 7))
    #expect(shuffled.sorted() == Array(0..<30))
    #expect(shuffled != Array(0..<30))
    #expect(await order(TestScheduler(seed: 8)) != shuffled)
  }

  @Test func `says when it has not come to rest in time`() async {
    let scheduler = TestScheduler()
    let task = Task(executorPreference: scheduler) {
      while !Task.isCancelled { await Task.yield() }
    }
    #expect(await !scheduler.rest(within: .milliseconds(20)))
    task.cancel()
    await scheduler.rest()
  }
}
