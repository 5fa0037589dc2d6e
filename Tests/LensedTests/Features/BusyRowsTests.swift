import Lensed
import LensedTestSupport
import Testing

@Suite(
  "Rows with work under way cost by their own number, whatever the number of rows",
  .enabled(if: countsAllocations), .timeLimit(.minutes(30)))
struct BusyRowsTests {
  private struct List: Sendable {
    var rows: Entities<ListRow>
  }

  /// How often this thread allocated for a hundred actions, in each stage.
  private struct Costs {
    var idle: UInt64 = 0
    var beginning: UInt64 = 0
    var during: UInt64 = 0
    var afterwards: UInt64 = 0
  }

  private static func costs(among count: Int) async throws -> Costs {
    let work = RowWork()
    let store = try Store(
      initialState: List(rows: Entities((0..<count).map { ListRow(id: $0, title: "x") }))
    ) {
      work.feature().identified().lifted(\.rows)
    }
    func rename() -> UInt64 {
      let action = ElementAction(id: 150, action: RowAction.rename("y"))
      return allocationsOfOneRun { for _ in 0..<100 { store.dispatch(action) } }
    }
    _ = rename()
    var costs = Costs(idle: rename())
    costs.beginning = allocationsOfOneRun {
      for id in 0..<100 { store.dispatch(ElementAction(id: id, action: Reload())) }
    }
    await work.log.waitForCount(100)
    costs.during = rename()
    work.gate.open()
    try await store.settled()
    // The threads of the last jobs leave their rows a little after these have ended.
    repeat {
      costs.afterwards = rename()
      await Task.yield()
    } while costs.afterwards > costs.idle
    #expect((0..<100).allSatisfy { store.state.rows[id: $0]?.loads == 1 })
    return costs
  }

  @Test func `a hundred busy rows of 100,000 cost what a hundred of 200 do, and idle ones nothing`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let (few, many) = (
        try await BusyRowsTests.costs(among: 200), try await BusyRowsTests.costs(among: 100_000)
      )
      #expect(few.beginning >= 100)
      #expect(many.beginning <= few.beginning * 11 / 10, "\(few.beginning), \(many.beginning)")
      #expect(many.during <= few.during * 11 / 10, "\(few.during), \(many.during)")
      // Nothing of the work is left: a row costs what it did before.
      #expect(few.afterwards == few.idle && many.afterwards == many.idle)
      #expect(many.idle == few.idle)
    }
  }
}
