@testable import Lensed
import LensedTestSupport
import Testing

@Suite("The backlog of a run, as a machine")
struct BacklogMachineTests {
  /// All elements there were, and what each reader has been given: nothing is ever forgotten.
  private struct Model {
    struct Reader {
      var place: Int
      var isActive = false
    }

    let limit: Int
    var total = 0
    /// The oldest element that some reader is yet to be given.
    var start = 0
    /// The oldest element that was not lost to the limit.
    var kept = 0
    var readers: [Int: Reader] = [:]

    mutating func settle() {
      if let slowest = readers.values.map(\.place).min() { start = max(start, slowest) }
      let needed = readers.values.filter(\.isActive).map(\.place).min() ?? .max
      kept = max(kept, start)
      kept = max(kept, min(total - limit, needed))
    }

    mutating func take(_ id: Int) -> (element: Int, dropped: Int)? {
      guard let reader = readers[id] else { return nil }
      let place = max(reader.place, kept)
      guard place < total else { return nil }
      readers[id]?.place = place + 1
      settle()
      return (place, place - reader.place)
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `it gives what a model gives that forgets nothing`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1...5, using: &random)
    var machine = BacklogMachine<Int>(limit: limit)
    var model = Model(limit: limit)
    var trash: [Int] = []
    for _ in 0..<400 {
      let reader = model.readers.keys.sorted().randomElement(using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3:
        trash += machine.append(model.total)
        model.total += 1
        model.settle()
      case 4 where model.readers.count < 3:
        let id = machine.addReader()
        model.readers[id] = Model.Reader(place: model.start)
      case 5:
        guard let reader else { continue }
        trash += machine.removeReader(reader)
        model.settle()
        model.readers[reader] = nil
        model.settle()
      case 6:
        guard let reader else { continue }
        let isActive = Bool.random(using: &random)
        trash += machine.setActive(reader, isActive)
        model.readers[reader]?.isActive = isActive
        model.settle()
      default:
        guard let reader else { continue }
        let (taken, expected) = (machine.nextElement(for: reader), model.take(reader))
        trash += taken?.trash ?? []
        #expect(taken?.element == expected?.element, "seed \(seed)")
        #expect(taken?.dropped == expected?.dropped, "seed \(seed)")
      }
      #expect(machine.count == model.total - model.kept, "seed \(seed)")
      if !model.readers.values.contains(where: \.isActive) { #expect(machine.count <= limit) }
      // What it no longer has was handed out to be released, each once and in order.
      #expect(trash == Array(0..<model.kept), "seed \(seed)")
    }
  }

  @Test func `a fork has the same elements, and goes its own way`() {
    var machine = BacklogMachine<Int>(limit: 3)
    for element in 0..<2 { _ = machine.append(element) }
    var fork = machine.forked
    _ = machine.append(2)
    let (first, second) = (machine.addReader(), fork.addReader())
    #expect((0..<4).map { _ in machine.nextElement(for: first)?.element } == [0, 1, 2, nil])
    #expect((0..<3).map { _ in fork.nextElement(for: second)?.element } == [0, 1, nil])
  }
}
