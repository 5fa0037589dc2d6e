import Lensed
import LensedTestSupport
import Testing

@Suite(
  "Subscribing costs the same among many sub-states as among few",
  .enabled(if: countsAllocations), .timeLimit(.minutes(30)))
struct SubscribingCostTests {
  private struct Wide: Sendable {
    var counter = 0
    var others: [Int]
  }

  private struct Add: Action {}

  private static func lens(_ place: Int) -> Lens<Wide, Int> {
    Lens(
      name: "others[\(place)]", get: { $0.others[place] },
      modify: { state, change in change(&state.others[place]) })
  }

  /// How often this thread allocates for a subscription to a part with a name, and for one to a part with bytes.
  private static func costs(among count: Int) throws -> (named: UInt64, placed: UInt64) {
    let store = Store(
      initialState: Wide(others: Array(repeating: 0, count: count)), coverage: .partial)
    try store.register(Mutator(\.counter) { (count: inout Int, _: Add) in count += 1 })
    for place in 0..<count {
      try store.register(Mutator(lens: lens(place)) { (other: inout Int, _: Add) in other += 1 })
    }
    let lens = lens(7)
    return (
      allocations(10) { store.states(lens).subscribe { _ in }.cancel() },
      allocations(10) { store.states(\.counter).subscribe { _ in }.cancel() }
    )
  }

  @Test func `a subscription compares its part with few of a thousand`() async {
    await #expect(processExitsWith: .success) {
      let few = try SubscribingCostTests.costs(among: 16)
      let many = try SubscribingCostTests.costs(among: 512)
      #expect(many.named == few.named && many.placed == few.placed, "\(few), \(many)")
    }
  }
}
