import Lensed
import Testing

/// Two answers of one owner to one type of action share their state, so that over an array they take
/// turns like any others: each action meets the first answer, then the second.
@Suite("An array of actions, answered twice by one owner")
struct ArrayTurnsTests {
  struct App: Sendable, Equatable {
    var value = 0
  }

  enum Grow: Action { case once }

  static func grown(by actions: [Grow]) throws -> [Int] {
    let adding = Reducer { (value: inout Int, _: Grow) in value += 1 }
    let doubling = Reducer { (value: inout Int, _: Grow) in value *= 2 }
    let combined = try Store(initialState: App()) {
      Mutator(\.value, .combine(adding, doubling))
    }
    let extended = try Store(initialState: App()) {
      Mutator(\.value) { (value: inout Int, _: Grow) in value += 1 }
        .on(Grow.self) { value, _ in value *= 2 }
    }
    combined.dispatch(actions)
    extended.dispatch(actions)
    return [combined.state.value, extended.state.value]
  }

  @Test("is reduced action by action")
  func turns() throws {
    // ((0 + 1) * 2 + 1) * 2, where all additions first would give 8.
    #expect(try Self.grown(by: [.once, .once]) == [6, 6])
  }

  @Test("comes to what the same actions come to one by one", arguments: 0...9)
  func oneByOne(count: Int) throws {
    var expected = 0
    for _ in 0..<count { expected = (expected + 1) * 2 }
    #expect(
      try Self.grown(by: Array(repeating: .once, count: count)) == [expected, expected])
  }
}
