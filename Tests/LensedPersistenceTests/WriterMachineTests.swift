import Testing

@testable import LensedPersistence

@Suite struct WriterMachineTests {
  private func makeMachine(
    _ writing: PersistenceWriting = .debounced(for: .milliseconds(50), atMost: .seconds(1))
  ) -> WriterMachine<Int> {
    WriterMachine(writing)
  }

  @Test func `the first touch starts a timer, and further ones start none`() {
    var machine = makeMachine()
    #expect(machine.touch() == .startTimer(lull: .milliseconds(50), limit: .seconds(1)))
    #expect(machine.touch() == .none)
    #expect(machine.endTimer() == .queueTurn)
  }

  @Test func `without a lull each touch makes a turn due`() {
    var machine = makeMachine(.eachCommit)
    #expect(machine.touch() == .queueTurn)
    #expect(machine.beginTurn() == [])
    #expect(machine.touch() == .none)
    #expect(machine.endTurn(failed: false) == .queueTurn)
  }

  @Test func `a caller that waits is answered by a turn that begins after it came`() {
    var machine = makeMachine()
    #expect(machine.wait(1) == .queueTurn)
    #expect(machine.beginTurn() == [1])
    #expect(machine.wait(2) == .none)
    #expect(machine.endTurn(failed: false) == .queueTurn)
    #expect(machine.beginTurn() == [2])
    #expect(machine.endTurn(failed: false) == .none)
  }

  @Test func `each failure doubles the delay of the next attempt, up to ten seconds`() {
    var machine = makeMachine()
    _ = machine.wait(1)
    var delays: [Duration] = []
    for _ in 0..<9 {
      _ = machine.beginTurn()
      if case .startRetry(let delay) = machine.endTurn(failed: true) { delays.append(delay) }
      _ = machine.endRetry()
    }
    #expect(
      delays == [
        .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800),
        .milliseconds(1_600), .milliseconds(3_200), .milliseconds(6_400), .seconds(10),
        .seconds(10),
      ])
  }

  @Test func `a timer rings after a lull without a commit`() {
    var timer = WriteTimer(lull: .milliseconds(50), limit: .seconds(1), commits: 1)
    #expect(timer.nextLook(after: .zero) == .milliseconds(50))
    #expect(!timer.isDue(after: .milliseconds(50), commits: 2))
    #expect(timer.isDue(after: .milliseconds(100), commits: 2))
  }

  @Test func `a timer rings at the limit, whatever is committed`() {
    var timer = WriteTimer(lull: .milliseconds(400), limit: .seconds(1), commits: 1)
    #expect(!timer.isDue(after: .milliseconds(400), commits: 2))
    #expect(!timer.isDue(after: .milliseconds(800), commits: 3))
    #expect(timer.nextLook(after: .milliseconds(800)) == .milliseconds(200))
    #expect(timer.isDue(after: .seconds(1), commits: 4))
  }
}
