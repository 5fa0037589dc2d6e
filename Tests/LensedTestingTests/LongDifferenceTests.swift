import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A part that has to be said` {
  private struct Big: Sendable, Equatable {
    var rows: [Int]
    var results: [Int] = []
  }

  private struct Fill: Action, Hashable { var results = [1] }

  private func big(_ count: Int, _ exhaustivity: Exhaustivity<Big>) throws -> TestStore<Big> {
    try TestStore(
      initialState: Big(rows: Array(repeating: 0, count: count)), exhaustivity: exhaustivity
    ) {
      Mutator(\Big.self) { (big: inout Big, action: Fill) in
        big.rows = big.rows.map { $0 + 1 }
        big.results = action.results
      }
    }
  }

  @Test(arguments: [.only(\.results), .except(\.rows)] as [Exhaustivity<Big>])
  private func `is found behind a long difference of a part that is skipped`(
    exhaustivity: Exhaustivity<Big>
  ) async throws {
    let unreceived = try big(300, exhaustivity)
    unreceived.store.dispatch(Fill())
    let heard = await issues { await unreceived.finish() }
    #expect(heard.count == 1)
    #expect(heard.first?.hasPrefix("`Fill(results: [1])` was not received by any step:") == true)

    let unsaid = try big(3_000, exhaustivity)
    let about = await issues { await unsaid.dispatch(Fill()) }
    #expect(
      about == [
        """
        `Fill(results: [1])` changed the state, and the step says nothing of it:
          results: expected [], is [1]
          dispatched at LensedTestingTests/LongDifferenceTests.swift
        """
      ])
    // The rows change again, and nothing else does.
    await unsaid.dispatch(Fill())
    unsaid.store.dispatch(Fill())
    await unsaid.finish()
  }

  @Test func `has to hold where a step says it, whatever else differs`() async throws {
    let test = try big(3_000, .off)
    let heard = await issues { await test.dispatch(Fill()) { $0.results = [2] } }
    #expect(
      heard == [
        """
        `Fill(results: [1])` did not change the state as the step says:
          results: expected [2], is [1]
          dispatched at LensedTestingTests/LongDifferenceTests.swift
        """
      ])
    let last = await issues { await test.dispatch(Fill()) { $0.rows[2_999] = 7 } }
    #expect(last.count == 1)
    #expect(last.first?.contains("\n  rows[2999]: expected 7, is 2\n") == true)
    await test.finish()
  }
}
