import LensedTestSupport
import Testing

@testable import Lensed

@Suite("BufferMachine: loses nothing, or counts what it loses")
struct BufferMachineTests {
  /// Every offer in order, marked kept or dropped; what a take counts is read off the marks.
  private struct Model {
    enum Mark { case kept, dropped, taken }

    let limit: Int
    let dropping: ChangeBuffering.End
    var log: [(element: Int, mark: Mark)] = []

    var kept: [Int] { log.indices.filter { log[$0].mark == .kept } }

    mutating func offer(_ element: Int) -> Int? {
      let kept = kept
      if kept.count < limit {
        log.append((element, .kept))
        return nil
      }
      switch dropping {
      case .newest:
        log.append((element, .dropped))
        return element
      case .oldest:
        log[kept[0]].mark = .dropped
        log.append((element, .kept))
        return log[kept[0]].element
      }
    }

    mutating func take() -> (element: Int, dropped: Int)? {
      guard let next = kept.first else { return nil }
      let dropped = log[..<next].count { $0.mark == .dropped }
      defer { log.removeSubrange(...next) }
      return (log[next].element, dropped)
    }
  }

  @Test(
    arguments: [21, 22, 23] as [UInt64],
    [
      .unbounded, .bounded(1, dropping: .oldest), .bounded(1, dropping: .newest),
      .bounded(3, dropping: .oldest), .bounded(3, dropping: .newest),
    ] as [ChangeBuffering])
  func `it does what its model does`(seed: UInt64, buffering: ChangeBuffering) {
    var random = SeededGenerator(seed: seed)
    var machine = BufferMachine<Int>(buffering)
    var model =
      switch buffering {
      case .unbounded: Model(limit: .max, dropping: .oldest)
      case .bounded(let limit, let end): Model(limit: limit, dropping: end)
      }
    for step in 0..<3_000 {
      let place: Comment = "seed \(seed), \(buffering), step \(step)"
      if Int.random(in: 0..<10, using: &random) < (step / 50 % 2 == 0 ? 7 : 3) {
        let expected = model.offer(step)
        #expect(machine.isRefusing == (expected == step), place)
        if machine.isRefusing && Bool.random(using: &random) {
          machine.refuse()
        } else {
          #expect(machine.offer(step) == expected, place)
        }
      } else {
        let (given, expected) = (machine.popFirst(), model.take())
        #expect(given?.element == expected?.element, place)
        #expect(given?.dropped == expected?.dropped, place)
      }
      #expect(machine.isEmpty == model.kept.isEmpty, place)
    }
  }

  @Test(arguments: [ChangeBuffering.End.oldest, .newest])
  func `offered is taken, dropped or waiting: nothing else`(end: ChangeBuffering.End) {
    var random = SeededGenerator(seed: 31)
    var machine = BufferMachine<Int>(.bounded(4, dropping: end))
    var (offered, accounted) = (0, 0)
    for _ in 0..<2_000 {
      if Bool.random(using: &random) {
        _ = machine.offer(offered)
        offered += 1
      } else if let next = machine.popFirst() {
        accounted += 1 + next.dropped
      }
    }
    while let next = machine.popFirst() { accounted += 1 + next.dropped }
    // What was dropped after the last element is counted on the next one that is accepted.
    _ = machine.offer(offered)
    accounted += machine.popFirst()?.dropped ?? 0
    #expect(accounted == offered, "seed 31")
  }

  @Test func `room for none traps and says what to do`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = BufferMachine<Int>(.bounded(0, dropping: .oldest))
    }
    #expect(result.message.contains("room for 0 changes"))
    #expect(result.message.contains("`states`"))
  }
}
