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
    outcomes.append(!machine.endFollowing(first))
    outcomes.append(machine.endFollowing(second))
    outcomes.append(machine.start(first))
    outcomes.append(machine.start(of: first) == 2)
    #expect(outcomes == Array(repeating: true, count: 12))
  }

  @Test func `a run is followed after its onStart, and after all that followed earlier runs`() {
    var machine = PresentationMachine<Run>()
    let (first, second, third) = (Run(), Run(), Run())
    _ = machine.start(first)
    let start = machine.beginCall()
    let early = machine.beginFollowing()
    if let start { machine.endCall(start) }
    let followed = machine.beginFollowing()
    #expect(early == nil && followed === first)
    _ = machine.pause()
    _ = machine.resume(second)
    _ = machine.pause()
    _ = machine.resume(third)
    let tooSoon = machine.beginFollowing()
    let isEnded = machine.endFollowing(first)
    let next = machine.beginFollowing()
    #expect(tooSoon == nil && !isEnded && next === third)
  }

  @Test func `it agrees with the model, whatever is called in whatever order`() {
    // Every sequence of six calls of six kinds.
    for code in 0..<46_656 {
      var (machine, model) = (PresentationMachine<Run>(), Model.stopped)
      var (current, followed): (Run?, Run?)
      var rest = code
      for step in 0..<6 {
        let (run, kind) = (Run(), rest % 6)
        rest /= 6
        var isStop = false
        switch kind {
        case 0:
          let isStarted = machine.start(run)
          #expect(isStarted == (model == .stopped), "code \(code), step \(step)")
          if model == .stopped { (model, current) = (.running, run) }
        case 1:
          let stopped = machine.stop()
          #expect(stopped === current, "code \(code), step \(step)")
          isStop = model != .stopped
          (model, current) = (.stopped, nil)
        case 2:
          let paused = machine.pause()
          #expect(paused === current, "code \(code), step \(step)")
          if model == .running { (model, current) = (.paused, nil) }
        case 3:
          let isResumed = machine.resume(run)
          #expect(isResumed == (model == .paused), "code \(code), step \(step)")
          if model == .paused { (model, current) = (.running, run) }
        case 4:
          // The store was released.
          let isResumed = machine.resume(nil)
          #expect(isResumed == (model == .paused), "code \(code), step \(step)")
          isStop = model == .paused
          if model == .paused { model = .stopped }
        default:
          guard let ended = followed else { continue }
          let isCurrent = machine.endFollowing(ended)
          #expect(isCurrent == (current === ended), "code \(code), step \(step)")
          isStop = isCurrent
          if isCurrent { (model, current) = (.stopped, nil) }
          followed = nil
        }
        // The presenter is told of a stop exactly if it was started.
        let stops = machine.makeCalls()
        #expect(stops == (isStop ? 1 : 0), "code \(code), step \(step)")
        let next = machine.beginFollowing()
        #expect(next == nil || followed == nil, "code \(code), step \(step)")
        if followed == nil { #expect(next === current, "code \(code), step \(step)") }
        followed = followed ?? next
        if let current {
          #expect(machine.start(of: current) != nil, "code \(code), step \(step)")
        }
        #expect(machine.start(of: Run()) == nil, "code \(code), step \(step)")
      }
    }
  }
}

extension PresentationMachine {
  /// Makes the calls that are due, and returns how many of them are stops.
  fileprivate mutating func makeCalls() -> Int {
    var count = 0
    while let call = beginCall() {
      if case .stop = call { count += 1 }
      endCall(call)
    }
    return count
  }
}
