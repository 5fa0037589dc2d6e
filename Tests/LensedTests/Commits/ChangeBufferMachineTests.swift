import LensedTestSupport
import Testing

@testable import Lensed

@Suite("What waits for readers of changes, as a machine: loses nothing, or counts what it loses")
struct ChangeBufferMachineTests {
  // MARK: One reader, and a bound

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
  func `for one reader it does what its model does`(seed: UInt64, buffering: ChangeBuffering) {
    var random = SeededGenerator(seed: seed)
    var machine = ChangeBufferMachine<Int>(buffering)
    let reader = machine.addReader()
    var model =
      switch buffering {
      case .unbounded: Model(limit: .max, dropping: .oldest)
      case .bounded(let limit, let end): Model(limit: limit, dropping: end)
      }
    var takes = 0
    for step in 0..<3_000 {
      let place: Comment = "seed \(seed), \(buffering), step \(step)"
      if Int.random(in: 0..<10, using: &random) < (step / 50 % 2 == 0 ? 7 : 3) {
        let expected = model.offer(step)
        #expect(machine.isRefusing == (expected == step), place)
        if machine.isRefusing && Bool.random(using: &random) {
          machine.refuse()
        } else {
          #expect(machine.append(step).all == (expected.map { [$0] } ?? []), place)
        }
      } else {
        let (given, expected) = (machine.nextElement(for: reader), model.take())
        #expect(given?.element == expected?.element, place)
        #expect(given?.dropped == expected?.dropped, place)
        #expect(given?.trash.all == expected.map { [$0.element] }, place)
        if let given {
          #expect(given.isFirst == (takes == 0), place)
          takes += 1
        }
      }
      #expect(machine.hasNext(for: reader) == !model.kept.isEmpty, place)
      #expect(machine.count == model.kept.count, place)
    }
  }

  @Test(arguments: [ChangeBuffering.End.oldest, .newest])
  func `offered is taken, dropped or waiting: nothing else`(end: ChangeBuffering.End) {
    var random = SeededGenerator(seed: 31)
    var machine = ChangeBufferMachine<Int>(.bounded(4, dropping: end))
    let reader = machine.addReader()
    var (offered, accounted) = (0, 0)
    for _ in 0..<2_000 {
      if Bool.random(using: &random) {
        _ = machine.append(offered)
        offered += 1
      } else if let next = machine.nextElement(for: reader) {
        accounted += 1 + next.dropped
      }
    }
    while let next = machine.nextElement(for: reader) { accounted += 1 + next.dropped }
    // What was dropped after the last element is counted on the next one that is accepted.
    _ = machine.append(offered)
    accounted += machine.nextElement(for: reader)?.dropped ?? 0
    #expect(accounted == offered, "seed 31")
  }

  @Test func `room for none traps and says what to do`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = ChangeBufferMachine<Int>(.bounded(0, dropping: .oldest))
    }
    #expect(result.message.contains("room for 0 changes"))
    #expect(result.message.contains("`states`"))
  }

  // MARK: Several readers

  /// All elements there were, and what each reader has been given: nothing is ever forgotten.
  private struct ReadersModel {
    struct Reader {
      var place: Int
      var isActive = false
    }

    let limit: Int
    let dropping: ChangeBuffering.End
    /// Those that were kept, each with how many were refused before it.
    var elements: [(element: Int, refused: Int)] = []
    var refused = 0
    /// The oldest element that some reader is yet to be given.
    var start = 0
    /// The oldest element that was not lost to the limit.
    var kept = 0
    var readers: [Int: Reader] = [:]

    var total: Int { elements.count }
    var hasActive: Bool { readers.values.contains(where: \.isActive) }

    mutating func settle() {
      if let slowest = readers.values.map(\.place).min() { start = max(start, slowest) }
      let needed = readers.values.filter(\.isActive).map(\.place).min() ?? .max
      kept = max(kept, start)
      kept = max(kept, min(total - limit, needed))
    }

    /// Whether it is kept.
    mutating func offer(_ element: Int) -> Bool {
      if dropping == .newest && !hasActive && total - kept >= limit {
        refused += 1
        return false
      }
      elements.append((element, refused))
      refused = 0
      settle()
      return true
    }

    mutating func take(_ id: Int) -> (element: Int, dropped: Int)? {
      guard let reader = readers[id] else { return nil }
      let place = max(reader.place, kept)
      guard place < total else { return nil }
      readers[id]?.place = place + 1
      settle()
      return (elements[place].element, place - reader.place + elements[place].refused)
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>, [ChangeBuffering.End.oldest, .newest])
  func `it gives what a model gives that forgets nothing`(seed: UInt64, end: ChangeBuffering.End) {
    var random = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1...5, using: &random)
    var machine = ChangeBufferMachine<Int>(limit: limit, dropping: end)
    var model = ReadersModel(limit: limit, dropping: end)
    var trash: [Int] = []
    for step in 0..<400 {
      let place: Comment = "seed \(seed), \(end), step \(step)"
      let reader = model.readers.keys.sorted().randomElement(using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3:
        let dropped = machine.append(step).all
        if model.offer(step) { trash += dropped } else { #expect(dropped == [step], place) }
      case 4 where model.readers.count < 3:
        let id = machine.addReader()
        model.readers[id] = ReadersModel.Reader(place: model.start)
      case 5:
        guard let reader else { continue }
        trash += machine.removeReader(reader).all
        model.settle()
        model.readers[reader] = nil
        model.settle()
      case 6:
        guard let reader else { continue }
        let isActive = Bool.random(using: &random)
        trash += machine.setActive(reader, isActive).all
        model.readers[reader]?.isActive = isActive
        model.settle()
      default:
        guard let reader else { continue }
        let (taken, expected) = (machine.nextElement(for: reader), model.take(reader))
        trash += taken?.trash.all ?? []
        #expect(taken?.element == expected?.element, place)
        #expect(taken?.dropped == expected?.dropped, place)
      }
      #expect(machine.count == model.total - model.kept, place)
      if !model.hasActive { #expect(machine.count <= limit, place) }
      // What it no longer has was handed out to be released, each once and in order.
      #expect(trash == model.elements[..<model.kept].map(\.element), place)
    }
  }

  @Test func `a fork has the same elements, and goes its own way`() {
    var machine = ChangeBufferMachine<Int>(limit: 3)
    for element in 0..<2 { _ = machine.append(element) }
    var fork = machine.forked
    _ = machine.append(2)
    let (first, second) = (machine.addReader(), fork.addReader())
    #expect((0..<4).map { _ in machine.nextElement(for: first)?.element } == [0, 1, 2, nil])
    #expect((0..<3).map { _ in fork.nextElement(for: second)?.element } == [0, 1, nil])
  }
}
