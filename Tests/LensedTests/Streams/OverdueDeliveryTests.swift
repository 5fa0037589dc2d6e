import Lensed
import LensedTestSupport
import Testing

@Suite("More commits than observers can follow are reported", .timeLimit(.minutes(30)))
struct OverdueDeliveryTests {
  private struct Step: Action {}

  /// The warnings of a store with an observer that dispatches many actions before it returns.
  private func warnings(after count: Int) throws -> [StoreWarning] {
    let warnings = Recorder<StoreWarning>()
    let store = try Store(initialState: 0, onWarning: { warnings.append($0) }) {
      Mutator(\Int.self) { (number: inout Int, _: Step) in number += 1 }
    }
    let last = Counter()
    let subscription = store.states.subscribe { [weak store] number in
      _ = last.increment()
      if number == 1 { for _ in 0..<count { store?.dispatch(Step()) } }
    }
    for _ in 0..<2 { store.dispatch(Step()) }
    #expect(store.state == count + 2)
    #expect(last.value == count + 3)
    subscription.cancel()
    return warnings.values
  }

  // As many commits take seconds where the code is not optimised.
  @Test(.enabled(if: isOptimized)) func `once, beyond 100,000`() throws {
    let warnings = try warnings(after: 100_002)
    #expect(warnings.map(\.kind) == [.overdueDeliveries])
    #expect(warnings.first?.description.contains("`for await`") == true)
  }

  @Test func `and not below`() throws {
    #expect(try warnings(after: 1_000).isEmpty)
  }
}
