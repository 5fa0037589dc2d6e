import LensedTestSupport
import Testing

@testable import Lensed

/// An action with a payload of any layout, and a mark that depends on it.
private struct Carry<Payload: Hashable & Sendable>: Action, Hashable {
  let payload: Payload
}

private struct Empty: Hashable, Sendable {}

/// 25 bytes: one more than an `any Action` has room for.
private struct TwentyFive: Hashable, Sendable {
  var first = 1
  var second = 2
  var third = 3
  var last: UInt8
}

/// As big as the room, and no plain bytes.
private struct Words: Hashable, Sendable {
  var text: String
  var number: Int
}

private struct Ledger: Sendable, Equatable {
  var marks: [Int] = []
  /// Another reducer of the same actions: with two of them the order of the calls could show.
  var hashes: [Int] = []
  /// What a reducer of every action has seen, which is asked one by one.
  var count = 0
}

/// A list is reduced in runs of one type: what lies side by side is reduced at once.
@Suite("A list does what its members do one by one", .timeLimit(.minutes(30)))
struct ActionRunTests {
  /// Makes an action of each type from a number.
  private static let makers: [@Sendable (Int) -> any Action] = [
    { _ in Carry(payload: Empty()) },
    { Carry(payload: UInt8(truncatingIfNeeded: $0)) },
    { Carry(payload: $0) },
    { Carry(payload: SIMD2(Double($0), 1)) },
    { Carry(payload: SIMD4(Double($0), 1, 2, 3)) },
    { Carry(payload: [$0, $0 &+ 1]) },
    { Carry(payload: TwentyFive(last: UInt8(truncatingIfNeeded: $0))) },
    { Carry(payload: Words(text: "a rather long text number \($0)", number: $0)) },
    { Carry(payload: $0.isMultiple(of: 2) ? nil : Optional($0)) },
  ]

  private func makeStore(countingAll: Bool = false) throws -> Store<Ledger> {
    @Sendable func mark<Payload>(_ marks: inout [Int], _ action: Carry<Payload>) {
      marks.append(action.payload.hashValue)
    }
    @Sendable func hash<Payload>(_ hashes: inout [Int], _ action: Carry<Payload>) {
      hashes.append((hashes.last ?? 0) &* 31 &+ action.hashValue)
    }
    return try Store(initialState: Ledger()) {
      Mutator(\.marks) { (marks: inout [Int], action: Carry<Empty>) in mark(&marks, action) }
        .on(Carry<UInt8>.self, mark).on(Carry<Int>.self, mark).on(Carry<SIMD2<Double>>.self, mark)
        .on(Carry<SIMD4<Double>>.self, mark).on(Carry<[Int]>.self, mark)
        .on(Carry<TwentyFive>.self, mark).on(Carry<Words>.self, mark).on(Carry<Int?>.self, mark)
      Mutator(\.hashes) { (hashes: inout [Int], action: Carry<Empty>) in hash(&hashes, action) }
        .on(Carry<UInt8>.self, hash).on(Carry<Int>.self, hash).on(Carry<SIMD2<Double>>.self, hash)
        .on(Carry<SIMD4<Double>>.self, hash).on(Carry<[Int]>.self, hash)
        .on(Carry<TwentyFive>.self, hash).on(Carry<Words>.self, hash).on(Carry<Int?>.self, hash)
      if countingAll {
        Mutator(\.count, Reducer(everyAction: { (count: inout Int, _: any Action) in count += 1 }))
      } else {
        Constant(\.count)
      }
    }
  }

  /// A list with runs of up to six actions of one type.
  private func list(_ random: inout SeededGenerator) -> [any Action] {
    (0..<Int.random(in: 1...8, using: &random)).flatMap { _ in
      let make = Self.makers.randomElement(using: &random)
      return (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
        make?(Int.random(in: 0...1_000, using: &random))
      }
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>, [false, true])
  func `whatever the layout of its members is`(_ seed: UInt64, _ isCounted: Bool) throws {
    var random = SeededGenerator(seed: seed)
    let (listed, single) = (
      try makeStore(countingAll: isCounted), try makeStore(countingAll: isCounted)
    )
    for _ in 0..<10 {
      let actions = list(&random)
      listed.dispatch(actions)
      for action in actions { single.dispatch(action) }
      #expect(listed.state == single.state, "\(actions)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `and a reader of changes, and an effect, are notified of the same actions`(_ seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let (listed, single) = (try makeStore(), try makeStore())
    var changes = listed.changes().makeAsyncIterator()
    let begun = Recorder<Int>()
    let subscription = listed.install(
      Effect(on: Carry<Int>.self, .serial) { action, _ in begun.append(action.payload) })
    let actions = list(&random) + [Carry(payload: 1), Carry(payload: 2), Carry(payload: 2)]
    try await listed.dispatch(actions).finish()
    for action in actions { single.dispatch(action) }
    #expect(listed.state == single.state)
    #expect(begun.values == actions.compactMap { ($0 as? Carry<Int>)?.payload })
    let change = try #require(await changes.next())
    let told = try #require(change.action as? ActionList)
    #expect(told.actions.map { "\($0)" } == actions.map { "\($0)" })
    subscription.cancel()
  }

  /// Reducers see no difference but in the order of their calls.
  @Test func `members of one type that lie side by side are reduced at once`() throws {
    func calls(for actions: [any Action]) throws -> [String] {
      let calls = Recorder<String>()
      let store = try Store(initialState: Ledger(), coverage: .partial) {
        Mutator(\.marks) { (_: inout [Int], action: Carry<Int>) in
          calls.append("marks \(action.payload)")
        }
        .on(Carry<[Int]>.self) { _, action in calls.append("marks \(action.payload[0])") }
        Mutator(\.hashes) { (_: inout [Int], action: Carry<Int>) in
          calls.append("hashes \(action.payload)")
        }
        .on(Carry<[Int]>.self) { _, action in calls.append("hashes \(action.payload[0])") }
      }
      // The first list makes the routes.
      store.dispatch([actions[0]])
      let former = calls.values.count
      store.dispatch(actions)
      return Array(calls.values.dropFirst(former))
    }
    #expect(
      try calls(for: [Carry(payload: 1), Carry(payload: 2)])
        == ["marks 1", "marks 2", "hashes 1", "hashes 2"])
    // An array is no plain bytes, so these are reduced one by one.
    #expect(
      try calls(for: [Carry(payload: [1]), Carry(payload: [2])])
        == ["marks 1", "hashes 1", "marks 2", "hashes 2"])
  }

  @Test func `the types that are read from a list are those of its members, in runs`() {
    let types: [any Action.Type] = Self.makers.map { type(of: $0(1)) }
    for (first, second) in types.indices.flatMap({ first in types.indices.map { (first, $0) } }) {
      let list = [first, first, second].map { Self.makers[$0](1) }
      var runs: [any Action.Type] = []
      list.lendRuns { runs.append($0.type) }
      let expected = first == second ? [types[first]] : [types[first], types[second]]
      #expect(runs.map { ObjectIdentifier($0) } == expected.map { ObjectIdentifier($0) })
    }
    // Otherwise each member would be asked, which takes longer.
    #expect(InlineExistential.isLaidOutAsKnown)
  }

  @Test func `only plain bytes that fit in a list are taken from where they lie`() {
    #expect(InlineExistential.holds(Carry<Empty>.self))
    #expect(InlineExistential.holds(Carry<UInt8>.self))
    #expect(InlineExistential.holds(Carry<Int?>.self))
    #expect(!InlineExistential.holds(Carry<TwentyFive>.self))
    // Aligned by more than a word.
    #expect(!InlineExistential.holds(Carry<SIMD2<Double>>.self))
    // A reference is counted, and a closure might lead anywhere.
    #expect(!InlineExistential.holds(Carry<[Int]>.self))
    #expect(!InlineExistential.holds(Carry<Words>.self))
  }
}
