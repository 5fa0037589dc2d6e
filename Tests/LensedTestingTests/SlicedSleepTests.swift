import LensedTestSupport
import Testing

@testable import LensedTesting

@Suite("Patience", .timeLimit(.minutes(30)))
struct SlicedSleepTests {
  private let clock = ManualClock()
  private let ends = Recorder<Bool>()

  private func wait(_ patience: Duration) async -> Task<Void, Never> {
    let task = Task { [clock, ends] in
      let isOver = (try? await runOut(patience, on: clock)) != nil
      ends.append(isOver)
    }
    await clock.waitForSleepers(1)
    return task
  }

  @Test func `is not over because the machine stood still for an hour`() async {
    let task = await wait(.seconds(10))
    clock.move(by: .seconds(3_600))
    await clock.waitForSleepers(1)
    #expect(ends.values == [])
    for _ in 0..<18 {
      await clock.advance(by: .milliseconds(500))
      await clock.waitForSleepers(1)
    }
    #expect(ends.values == [])
    await clock.advance(by: .milliseconds(500))
    await task.value
    #expect(ends.values == [true])
  }

  @Test func `ends early where the task is cancelled`() async {
    let task = await wait(.seconds(10))
    task.cancel()
    await task.value
    #expect(ends.values == [false])
  }
}
