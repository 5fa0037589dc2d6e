import Foundation
import Lensed
import LensedTestSupport
import Testing

@testable import countdown

@Suite("The forty-line example", .timeLimit(.minutes(30)))
struct CountdownTests {
  @Test func `it counts down, and who boils anew starts anew`() async throws {
    let clock = ManualClock()
    let test = try TestStore { try Countdown.makeStore(clock) }
    await test.dispatch(Boil(eggs: 2, seconds: 3)) {
      $0.eggs = 2
      $0.secondsLeft = 3
    }
    await clock.advance(by: .seconds(1))
    await test.receive(Time.self) { $0.secondsLeft = 2 }
    await test.dispatch(Boil(eggs: 1, seconds: 2)) {
      $0.eggs = 1
      $0.secondsLeft = 2
    }
    await clock.run()
    await test.receive(Time.self) { $0.secondsLeft = 1 }
    await test.receive(Time.self) { $0.secondsLeft = 0 }
    await test.finish()
  }

  @Test func `it fits on a screen`() throws {
    let file = CodeRegions.package.appending(path: "Sources/countdown/Countdown.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 41)
  }
}
