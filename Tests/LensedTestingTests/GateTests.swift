import LensedTesting
import Testing

@Suite struct `A gate` {
  @Test func `lets everybody through once it is open, in the order of their arrival`() async throws
  {
    let (gate, heard, scheduler) = (Gate(), Recorder<Int>(), TestScheduler())
    let tasks = (0..<10).map { number in
      Task(executorPreference: scheduler) {
        try await gate.wait()
        heard.append(number)
      }
    }
    await gate.waitForWaiters(10)
    #expect(!gate.isOpen && gate.waiterCount == 10)
    gate.open()
    for task in tasks { try await task.value }
    #expect(heard.values == Array(0..<10))
    try await gate.wait()
    gate.open()
    #expect(gate.isOpen && gate.waiterCount == 0)
  }

  @Test func `a cancelled waiter leaves, before and after it has arrived`() async {
    let gate = Gate()
    let waiter = Task { try await gate.wait() }
    await gate.waitForWaiters()
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    #expect(gate.waiterCount == 0)
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      try await gate.wait()
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(gate.waiterCount == 0)
  }
}

@Suite struct `A recorder` {
  @Test func `has what every thread added, and wakes whoever waits for so many`() async {
    let recorder = Recorder<Int>()
    await withTaskGroup { group in
      for number in 0..<100 { group.addTask { recorder.append(number) } }
      #expect(await recorder.waitForCount(50).count >= 50)
    }
    #expect(recorder.values.sorted() == Array(0..<100))
    #expect(recorder.count == 100)
  }
}
