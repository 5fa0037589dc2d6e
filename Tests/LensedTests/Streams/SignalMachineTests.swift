import LensedTestSupport
import Testing

@testable import Lensed

@Suite("SignalMachine: what a waiting reader may be told")
struct SignalMachineTests {
  /// The same in plain words: at most one waiter, at most one raise kept.
  private struct Model {
    var waiter: Int?
    var isRaised = false
    var isOver = false

    mutating func wait(_ id: Int) -> Int? {
      if isOver { return id }
      if isRaised {
        isRaised = false
        return id
      }
      waiter = id
      return nil
    }

    mutating func raise() -> Int? {
      if isOver { return nil }
      if let resumed = waiter.take() { return resumed }
      isRaised = true
      return nil
    }

    mutating func end() -> Int? {
      isOver = true
      return waiter.take()
    }
  }

  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func `it does what its model does, whatever the order of calls`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<400 {
      var machine = SignalMachine<Int>()
      var model = Model()
      for step in 0..<20 {
        let place: Comment = "seed \(seed), round \(round), step \(step)"
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<6 where model.waiter == nil:
          let (given, expected) = (machine.wait(step), model.wait(step))
          #expect(given == expected, place)
        case 11:
          let (given, expected) = (machine.end(), model.end())
          #expect(given == expected, place)
        default:
          let (given, expected) = (machine.raise(), model.raise())
          #expect(given == expected, place)
        }
        #expect(machine.isOver == model.isOver, place)
      }
    }
  }

  @Test func `a raise that finds nobody ends the next wait, once`() {
    var machine = SignalMachine<String>()
    let resumed = [
      machine.raise(), machine.raise(), machine.wait("first"), machine.wait("second"),
      machine.raise(),
    ]
    #expect(resumed == [nil, nil, "first", nil, "second"])
  }

  @Test func `once over, every wait ends at once`() {
    var machine = SignalMachine<String>()
    let resumed = [
      machine.wait("waiting"), machine.end(), machine.wait("late"), machine.raise(), machine.end(),
    ]
    #expect(resumed == [nil, "waiting", "late", nil, nil])
    #expect(machine.isOver)
  }

  @Test func `a second waiter traps and says that an iterator belongs to one task`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var machine = SignalMachine<Int>()
      _ = machine.wait(1)
      _ = machine.wait(2)
    }
    #expect(result.message.contains("iterator belongs to one task"))
  }
}
