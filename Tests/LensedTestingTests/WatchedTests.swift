import Lensed
import LensedTestSupport
import Testing

@testable import LensedTesting

@Suite(.timeLimit(.minutes(30))) struct `A wait that has ended` {
  @Test func `at a gate leaves nothing, also where it is cancelled after it was woken`()
    async throws
  {
    for isCancelled in [false, true] {
      let (gate, scheduler) = (Gate(), TestScheduler())
      let task = Task(executorPreference: scheduler) { try await gate.wait() }
      await gate.waitForWaiters()
      // The scheduler holds the task back, so it is cancelled between its wake and its return.
      scheduler.hold()
      gate.open()
      if isCancelled { task.cancel() }
      scheduler.release()
      try await task.value
      #expect(gate.comingCount == 0)
    }
  }

  @Test func `on a clock leaves nothing, also where it is cancelled after it was woken`()
    async throws
  {
    for isCancelled in [false, true] {
      let (clock, scheduler) = (ManualClock(), TestScheduler())
      let task = Task(executorPreference: scheduler) { try await clock.sleep(for: .seconds(1)) }
      await clock.waitForSleepers()
      scheduler.hold()
      clock.move(by: .seconds(1))
      if isCancelled { task.cancel() }
      scheduler.release()
      try await task.value
      #expect(clock.comingCount == 0)
    }
  }

  @Test func `before it began leaves nothing`() async {
    let (gate, clock) = (Gate(), ManualClock())
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try? await gate.wait()
      try? await clock.sleep(for: .seconds(1))
    }
    task.cancel()
    await task.value
    #expect(gate.comingCount == 0 && gate.waiterCount == 0)
    #expect(clock.comingCount == 0 && clock.sleeperCount == 0)
  }
}

@Suite(.timeLimit(.minutes(30))) struct `The sleepers of a clock` {
  private func sleeper(_ id: UInt64, until deadline: Int) async -> SleepList.Sleeper {
    await withCheckedContinuation { made in
      Task {
        try await withCheckedThrowingContinuation { continuation in
          made.resume(
            returning: SleepList.Sleeper(
              id: id, deadline: .seconds(deadline), sleep: WorkSleep(), continuation: continuation))
        }
      }
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `wake, sleep and are cancelled as in a plain list`(seed: UInt64) async {
    var (random, list) = (SeededGenerator(seed: seed), SleepList())
    var model: [(deadline: Int, id: UInt64)] = []
    var now = 0
    var over: [SleepList.Sleeper] = []
    for _ in 0..<300 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0..<3:
        let (id, deadline) = (list.makeID(), now + Int.random(in: 1...20, using: &random))
        let sleeper = await sleeper(id, until: deadline)
        #expect(list.add(sleeper) == nil)
        model.append((deadline, id))
      case 3:
        guard let one = model.randomElement(using: &random) else { continue }
        list.cancel(one.id).map { over.append($0) }
        model.removeAll { $0.id == one.id }
      case 4:
        let due = list.takeNext()
        over += due
        let first = model.map(\.deadline).min()
        #expect(due.map(\.id) == model.filter { $0.deadline == first }.map(\.id))
        model.removeAll { $0.deadline == first }
        now = first ?? now
      default:
        let due = list.move(by: .seconds(3))
        over += due
        now += 3
        #expect(due.map(\.id) == model.filter { $0.deadline <= now }.sorted { $0 < $1 }.map(\.id))
        model.removeAll { $0.deadline <= now }
      }
      #expect(list.sleepers.map(\.id) == model.sorted { $0 < $1 }.map(\.id), "seed \(seed)")
      #expect(list.now == .seconds(now) && list.coming.count == 0)
    }
    for sleeper in over + list.sleepers { sleeper.wake(with: .success(())) }
  }
}
