import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A function of a derived value that reads others through the store", .timeLimit(.minutes(30)))
struct DerivedReadingTests {
  /// A number that cannot be compared, so whatever derives from it is computed anew.
  struct Number: Sendable {
    let value: Int
  }

  /// Derived values, each of the count and two earlier ones, whose functions read earlier ones through the store.
  struct Graph: Sendable {
    let derived: [Derived<Desk, Number>]
    private let inputs: [[Int]]
    private let reads: [[Int]]

    init(using random: inout SeededGenerator, readingIn store: Store<Desk>) {
      var derived = [Derived(\Desk.count) { Number(value: $0) }]
      var (inputs, reads): ([[Int]], [[Int]]) = ([[]], [[]])
      for index in 1..<Int.random(in: 3...10, using: &random) {
        func some(_ range: ClosedRange<Int>) -> [Int] {
          let count = Int.random(in: range, using: &random)
          return (0..<count).map { _ in Int.random(in: 0..<index, using: &random) }
        }
        let (ownInputs, ownReads) = (some(2...2), some(0...3))
        let known = ownReads.map { derived[$0] }
        derived.append(
          Derived(derived[ownInputs[0]], derived[ownInputs[1]]) { [weak store] first, second in
            let read = known.map { store?[$0].value ?? 0 }
            return Number(value: Self.sum([first.value, second.value] + read))
          })
        inputs.append(ownInputs)
        reads.append(ownReads)
      }
      (self.derived, self.inputs, self.reads) = (derived, inputs, reads)
    }

    func value(_ index: Int, of count: Int) -> Int {
      index == 0 ? count : Self.sum((inputs[index] + reads[index]).map { value($0, of: count) })
    }

    private static func sum(_ values: [Int]) -> Int {
      values.enumerated().reduce(1) { ($0 + ($1.offset + 1) * $1.element) % 10_007 }
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `the values are right, whichever values below the functions read`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Desk.makeStore()
    let graph = Graph(using: &random, readingIn: store)
    for count in 0..<8 {
      store.replaceState(Desk(count: count))
      for _ in 0..<3 {
        let index = graph.derived.indices.randomElement(using: &random) ?? 0
        let value = store[graph.derived[index]].value
        #expect(value == graph.value(index, of: count), "seed \(seed), count \(count)")
      }
    }
  }

  @Test func `one that reads a value that is derived from its own traps with a sentence`() async {
    await #expect(processExitsWith: .failure) {
      let store = try Desk.makeStore(Desk(count: 1))
      let upper = Recorder<Derived<Desk, Int>>()
      let lower = Derived(\Desk.count) { [weak store] count in
        count + (upper.last.flatMap { store?[$0] } ?? 0)
      }
      upper.append(Derived(lower) { 2 * $0 })
      _ = store[lower]
    }
  }
}
