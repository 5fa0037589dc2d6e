import Lensed
import LensedTestSupport
import Testing

private let counter = Reducer { (count: inout Int, action: CountAction) in
  if case .add(let amount) = action { count += amount }
}

private struct Chore: Identifiable, Equatable, Sendable {
  let id: String
  var steps = 0

  static let reducer = Reducer { (chore: inout Chore, action: CountAction) in
    if case .add(let amount) = action { chore.steps += amount }
  }
}

private func element<ID: Sendable>(
  _ id: ID, _ amount: Int
) -> ElementAction<ID, CountAction> {
  ElementAction(id: id, action: .add(amount))
}

@Suite("Reducer: keyed")
struct KeyedTests {
  @Test func `it reduces the value of one key`() {
    var counts = ["a": 1, "b": 2]
    counter.keyed().reduce(&counts, element("b", 5))
    #expect(counts == ["a": 1, "b": 7])
  }

  @Test func `a missing key leaves the dictionary untouched`() {
    var counts = ["a": 1]
    counter.keyed().reduce(&counts, element("z", 5))
    #expect(counts == ["a": 1])
  }

  @Test func `an id of another type is another action`() {
    var counts = ["a": 1]
    counter.keyed().reduce(&counts, element(0, 5))
    counter.keyed(by: String.self).reduce(&counts, CountAction.add(5))
    #expect(counts == ["a": 1])
  }

  @Test func `it agrees with a model`() {
    for seed: UInt64 in 0..<50 {
      var generator = SeededGenerator(seed: seed)
      var (counts, model) = ([1: 0, 2: 0, 3: 0], [1: 0, 2: 0, 3: 0])
      let reducer = counter.keyed(by: Int.self)
      for amount in 1...30 {
        let key = Int.random(in: 0...4, using: &generator)
        reducer.reduce(&counts, element(key, amount))
        if let count = model[key] { model[key] = count + amount }
        #expect(counts == model, "seed \(seed)")
      }
    }
  }
}

@Suite("Reducer: offset")
struct OffsetTests {
  @Test func `it reduces one element`() {
    var counts = [1, 2, 3]
    counter.offset().reduce(&counts, element(1, 5))
    #expect(counts == [1, 7, 3])
  }

  @Test(arguments: [-1, 3, 4, Int.max, Int.min])
  func `an offset out of range leaves the array untouched`(_ offset: Int) {
    var counts = [1, 2, 3]
    counter.offset().reduce(&counts, element(offset, 5))
    #expect(counts == [1, 2, 3])
    var none: [Int] = []
    counter.offset().reduce(&none, element(offset, 5))
    #expect(none == [])
  }
}

@Suite("Reducer: identified")
struct IdentifiedTests {
  @Test func `it reduces the element with that identity, wherever it is`() {
    var chores = [Chore(id: "a"), Chore(id: "b"), Chore(id: "c")]
    Chore.reducer.identified().reduce(&chores, element("b", 5))
    #expect(chores == [Chore(id: "a"), Chore(id: "b", steps: 5), Chore(id: "c")])
    chores.reverse()
    chores.removeFirst()
    Chore.reducer.identified().reduce(&chores, element("b", 1))
    #expect(chores == [Chore(id: "b", steps: 6), Chore(id: "a")])
  }

  @Test func `an identity that is not there leaves the array untouched`() {
    var chores = [Chore(id: "a")]
    Chore.reducer.identified().reduce(&chores, element("z", 5))
    #expect(chores == [Chore(id: "a")])
  }
}

@Suite("Reducer: collections nest")
struct NestedCollectionTests {
  @Test func `a dictionary of arrays takes an action within an action`() {
    var counts = ["a": [1, 2], "b": [3]]
    let reducer = counter.offset().keyed(by: String.self)
    reducer.reduce(&counts, ElementAction(id: "a", action: element(1, 5)))
    #expect(counts == ["a": [1, 7], "b": [3]])
    reducer.reduce(&counts, ElementAction(id: "b", action: element(1, 5)))
    reducer.reduce(&counts, ElementAction(id: "z", action: element(0, 5)))
    #expect(counts == ["a": [1, 7], "b": [3]])
  }

  @Test func `an array of optionals, and an optional array`() {
    var sparse: [Int?] = [1, nil]
    counter.optional().offset().reduce(&sparse, element(0, 5))
    counter.optional().offset().reduce(&sparse, element(1, 5))
    #expect(sparse == [6, nil])
    var maybe: [Int]? = [1]
    counter.offset().optional().reduce(&maybe, element(0, 5))
    counter.offset().optional().reduce(&maybe, element(1, 5))
    #expect(maybe == [6])
  }

  @Test func `several action types of an element are all addressed`() {
    let reducer = counter.on(ClearAction.self) { count, _ in count = 0 }.keyed(by: String.self)
    var counts = ["a": 1, "b": 2]
    reducer.reduce(&counts, element("a", 1))
    reducer.reduce(&counts, ElementAction(id: "b", action: ClearAction()))
    #expect(counts == ["a": 2, "b": 0])
  }

  @Test func `ids of various sizes find their element`() {
    struct Wide: Hashable, Sendable {
      var (a, b, c) = (UInt8(1), UInt64(2), "three")
    }
    var (small, wide): ([UInt8: Int], [Wide: Int]) = ([7: 0], [Wide(): 0])
    counter.keyed().reduce(&small, element(UInt8(7), 3))
    counter.keyed().reduce(&wide, element(Wide(), 4))
    counter.keyed().reduce(&wide, element(Wide(a: 2, b: 2, c: ""), 4))
    #expect(small == [7: 3])
    #expect(wide == [Wide(): 4])
  }
}
