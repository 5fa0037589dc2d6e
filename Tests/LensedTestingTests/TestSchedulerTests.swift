import LensedTestSupport
import Testing

@testable import LensedTesting

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
    // The last one waits, and its job may have yet to end; opened then, it goes on in that job, before the others.
    await scheduler.rest()
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

/// A scheduler whose turns the test takes one by one.
///
/// On one core, what keeps the thread keeps it from all other code. So a turn has an end, however much is ready.
@Suite struct `A turn of a test scheduler` {
  private let waiting = Recorder<@Sendable () -> Void>()
  private let scheduler: TestScheduler

  init() {
    scheduler = TestScheduler { [waiting] turn in waiting.append(turn) }
  }

  /// Takes the turn that has the number, on a thread of its own.
  private func take(turn number: Int) throws {
    let turns = waiting.values
    try #require(turns.count == number)
    Threads.start { turns[number - 1]() }.wait()
  }

  @Test func `ends after 64 jobs, and another one takes the rest`() async throws {
    let heard = Recorder<Int>()
    let tasks = (0..<100).map { number in
      Task(executorPreference: scheduler) { heard.append(number) }
    }
    #expect(heard.values == [])
    try take(turn: 1)
    #expect(heard.values == Array(0..<64))
    #expect(!scheduler.isResting)
    try take(turn: 2)
    #expect(heard.values == Array(0..<100))
    #expect(scheduler.isResting)
    #expect(waiting.count == 2)
    for task in tasks { await task.value }
  }

  @Test func `ends though a task only gives way`() async throws {
    let heard = Recorder<Int>()
    let task = Task(executorPreference: scheduler) {
      for number in 0..<1_000 where !Task.isCancelled {
        heard.append(number)
        await Task.yield()
      }
    }
    for turn in 1...3 {
      try take(turn: turn)
      // The next job is ready, and has to wait.
      #expect(scheduler.jobCount == 64 * UInt64(turn) + 1)
      #expect(!scheduler.isResting)
    }
    let count = heard.count
    #expect(0 < count && count <= 64 * 3)
    // Between two turns the test goes on, and ends it.
    task.cancel()
    try take(turn: 4)
    #expect(heard.count == count)
    #expect(scheduler.isResting)
    await task.value
  }

  @Test func `is not taken for each job that becomes ready`() async throws {
    let first = Task(executorPreference: scheduler) {}
    let second = Task(executorPreference: scheduler) {}
    #expect(waiting.count == 1)
    try take(turn: 1)
    #expect(scheduler.isResting)
    let third = Task(executorPreference: scheduler) {}
    try take(turn: 2)
    for task in [first, second, third] { await task.value }
    #expect(scheduler.jobCount == 3)
  }

  @Test func `is not taken while the scheduler is held`() async throws {
    let heard = Recorder<Int>()
    scheduler.hold()
    let task = Task(executorPreference: scheduler) { heard.append(1) }
    #expect(waiting.count == 0 && !scheduler.isResting)
    scheduler.release()
    try take(turn: 1)
    #expect(heard.values == [1] && scheduler.isResting)
    scheduler.release()
    #expect(waiting.count == 1)
    await task.value
  }

  @Test func `lets those go on who wait for rest, once nothing is ready`() async throws {
    let heard = Recorder<String>()
    let task = Task(executorPreference: scheduler) {
      heard.append("job")
      await Task.yield()
      heard.append("job")
    }
    async let rest: Void = {
      await scheduler.rest()
      heard.append("rest")
    }()
    try take(turn: 1)
    await rest
    #expect(heard.values == ["job", "job", "rest"])
    await task.value
  }
}
