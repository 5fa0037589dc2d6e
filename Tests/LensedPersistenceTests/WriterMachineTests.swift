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
    var answer = machine.touch()
    #expect(answer == .startTimer(lull: .milliseconds(50), limit: .seconds(1)))
    answer = machine.touch()
    #expect(answer == .none)
    answer = machine.endTimer()
    #expect(answer == .queueTurn)
  }

  @Test func `without a lull each touch makes a turn due`() {
    var machine = makeMachine(.eachCommit)
    var answer = machine.touch()
    #expect(answer == .queueTurn)
    let answered = machine.beginTurn()
    #expect(answered == [])
    answer = machine.touch()
    #expect(answer == .none)
    answer = machine.endTurn(failed: false)
    #expect(answer == .queueTurn)
  }

  @Test func `a caller that waits is answered by a turn that begins after it came`() {
    var machine = makeMachine()
    var answer = machine.wait(1)
    #expect(answer == .queueTurn)
    var answered = machine.beginTurn()
    #expect(answered == [1])
    answer = machine.wait(2)
    #expect(answer == .none)
    answer = machine.endTurn(failed: false)
    #expect(answer == .queueTurn)
    answered = machine.beginTurn()
    #expect(answered == [2])
    answer = machine.endTurn(failed: false)
    #expect(answer == .none)
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
    var isDue = timer.isDue(after: .milliseconds(50), commits: 2)
    #expect(!isDue)
    isDue = timer.isDue(after: .milliseconds(100), commits: 2)
    #expect(isDue)
  }

  @Test func `a timer rings at the limit, whatever is committed`() {
    var timer = WriteTimer(lull: .milliseconds(400), limit: .seconds(1), commits: 1)
    var isDue = timer.isDue(after: .milliseconds(400), commits: 2)
    #expect(!isDue)
    isDue = timer.isDue(after: .milliseconds(800), commits: 3)
    #expect(!isDue)
    #expect(timer.nextLook(after: .milliseconds(800)) == .milliseconds(200))
    isDue = timer.isDue(after: .seconds(1), commits: 4)
    #expect(isDue)
  }
}
