import Testing

@testable import Lensed

@Suite("PresentationMachine: one run at most, and what an earlier one does is void")
struct PresentationMachineTests {
  private final class Run: Sendable {}

  /// What a presentation is, as plainly as can be.
  private enum Model {
    case stopped, running, paused
  }

  @Test func `a run counts from its beginning until whatever ends it`() {
    var machine = PresentationMachine<Run>()
    let (first, second) = (Run(), Run())
    var outcomes: [Bool] = [machine.start(of: first) == nil]
    outcomes.append(machine.start(first))
    outcomes.append(machine.start(of: first) == 1)
    outcomes.append(!machine.start(second))
    outcomes.append(machine.pause() === first)
    outcomes.append(machine.start(of: first) == nil)
    outcomes.append(machine.resume(second))
    // A pause is within one start.
    outcomes.append(machine.start(of: second) == 1)
    outcomes.append(!machine.endRun(first))
    outcomes.append(machine.endRun(second))
    outcomes.append(machine.start(first))
    outcomes.append(machine.start(of: first) == 2)
    #expect(outcomes == Array(repeating: true, count: 12))
  }

  @Test func `it agrees with the model, whatever is called in whatever order`() {
    // Every sequence of seven calls of four kinds.
    for code in 0..<(1 << 14) {
      var (machine, model) = (PresentationMachine<Run>(), Model.stopped)
      var current: Run?
      for step in 0..<7 {
        let run = Run()
        switch (code >> (2 * step)) & 3 {
        case 0:
          let isStarted = machine.start(run)
          #expect(isStarted == (model == .stopped), "code \(code), step \(step)")
          if model == .stopped { (model, current) = (.running, run) }
        case 1:
          _ = machine.makeCalls()
          let stopped = machine.stop()
          #expect(stopped === current, "code \(code), step \(step)")
          // The presenter is told of a stop exactly if it was started.
          let calls = machine.makeCalls()
          #expect(calls == (model == .stopped ? 0 : 1), "code \(code), step \(step)")
          (model, current) = (.stopped, nil)
        case 2:
          let paused = machine.pause()
          #expect(paused === current, "code \(code), step \(step)")
          if model == .running { (model, current) = (.paused, nil) }
        default:
          let isResumed = machine.resume(run)
          #expect(isResumed == (model == .paused), "code \(code), step \(step)")
          if model == .paused { (model, current) = (.running, run) }
        }
        if let current {
          #expect(machine.start(of: current) != nil, "code \(code), step \(step)")
        }
        #expect(machine.start(of: Run()) == nil, "code \(code), step \(step)")
      }
    }
  }
}

extension PresentationMachine {
  /// Makes the calls that are due, and returns how many.
  fileprivate mutating func makeCalls() -> Int {
    var count = 0
    while let call = beginCall() {
      _ = endCall(call)
      count += 1
    }
    return count
  }
}
