import Lensed
import LensedTestSupport
import Testing

@Suite(
  "Derived values that share inputs: twice as many take twice the work, and no more",
  .enabled(if: countsAllocations), .timeLimit(.minutes(30)))
struct DerivedWorkTests {
  private struct House: Sendable { var desk: Desk? = Desk(count: 1) }

  /// So many layers of ten values, each derived from two of the layer below, and one of all.
  private static func layers(_ count: Int) -> Derived<Desk, Int> {
    var layer = (0..<10).map { number in Derived(\Desk.count) { $0 + number } }
    for _ in 0..<count {
      layer = layer.indices.map { [layer] index in
        Derived(layer[index], layer[(index + 1) % 10]) { ($0 &+ $1) % 1_009 }
      }
    }
    return layer.dropFirst().reduce(layer[0]) { Derived($0, $1) { $0 &+ $1 } }
  }

  /// The allocations of what is done with a store, and a value of so many layers.
  private static func allocations(
    _ layers: Int, _ work: (Store<Desk>, Derived<Desk, Int>) -> () -> Void
  ) throws -> Int {
    let (store, derived) = (try Desk.makeStore(Desk(count: 1)), Self.layers(layers))
    let run = work(store, derived)
    return Int(allocationsOfOneRun(run))
  }

  private static func expectLinear(
    _ name: String, _ work: (Store<Desk>, Derived<Desk, Int>) -> () -> Void
  ) throws {
    let (few, many) = (try allocations(20, work), try allocations(40, work))
    #expect(many <= few * 5 / 2 + 100, "\(name): \(few), \(many)")
  }

  @Test func `read for the first time, after a commit, and by a subscription`() async {
    await #expect(processExitsWith: .success) {
      try DerivedWorkTests.expectLinear("the first read") { store, derived in { _ = store[derived] }
      }
      try DerivedWorkTests.expectLinear("a read after a commit") { store, derived in
        _ = store[derived]
        store.dispatch(CountAction.add(1))
        return { _ = store[derived] }
      }
      try DerivedWorkTests.expectLinear("a subscription") { store, derived in
        let subscription = store.states(derived).subscribe { _ in }
        return {
          store.dispatch(CountAction.add(1))
          withExtendedLifetime(subscription) {}
        }
      }
    }
  }

  @Test func `read in a child that might not be there, and in one that has gone`() async {
    await #expect(processExitsWith: .success) {
      for isGone in [false, true] {
        try DerivedWorkTests.expectLinear("gone: \(isGone)") { _, derived in
          let house = Store(initialState: House(), coverage: .partial)
          let desk = house.scope(\.desk)
          if isGone { house.replaceState(House(desk: nil)) }
          return { _ = desk?[derived] }
        }
      }
    }
  }
}
