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

  /// How many bytes this thread asks for to rename one row, each of `count` rows with an effect under way.
  private static func bytesBesideBusy(_ count: Int) async throws -> UInt64 {
    let work = RowWork()
    let store = try Store(
      initialState: List(rows: Entities((0..<count).map { ListRow(id: $0, title: "x") }))
    ) {
      work.feature().identified().lifted(\.rows)
    }
    for id in 0..<count { store.dispatch(ElementAction(id: id, action: Reload())) }
    await work.log.waitForCount(count)
    let action = ElementAction(id: 3, action: RowAction.rename("y"))
    store.dispatch(action)
    let bytes = allocatedBytes { for _ in 0..<10 { store.dispatch(action) } }
    work.gate.open()
    try await store.settled()
    #expect(store.state.rows.allSatisfy { $0.loads == 1 })
    return bytes
  }

  /// How many bytes this thread asks for to rename one row, each of `count` rows with a service in an optional.
  private static func bytesBesideServices(_ count: Int) throws -> UInt64 {
    let (come, left) = (Counter(), Counter())
    let store = try Store(
      initialState: List(
        rows: Entities((0..<count).map { ListRow(id: $0, note: ListRow.Note()) }))
    ) {
      Feature<ListRow> {
        Constant(\.id)
        Constant(\.loads)
        Mutator(\.title) { (title: inout String, action: RowAction) in
          if case .rename(let new) = action { title = new }
        }
        Mutator(\.note) { (note: inout ListRow.Note?, action: RowAction) in
          if case .note(let new) = action { note = new }
        }
        Feature<ListRow.Note> {
          Feature("s", onInstall: { _ in come.increment() }, onRemove: { left.increment() }) {}
        }.optional().lifted(\.note)
      }.identified().lifted(\.rows)
    }
    let close = ElementAction(id: 3, action: RowAction.note(nil))
    let open = ElementAction(id: 3, action: RowAction.note(ListRow.Note(text: "z")))
    func turn() {
      store.dispatch(close)
      store.dispatch(open)
    }
    turn()
    let bytes = allocatedBytes { for _ in 0..<10 { turn() } }
    #expect(come.value == count + 11 && left.value == 11)
    return bytes
  }

  @Test
  func `a row costs the same where each of many has an effect under way as where each of few has`()
    async
  {
    await #expect(processExitsWith: .success) {
      let few = try await BusyRowsTests.bytesBesideBusy(50)
      let many = try await BusyRowsTests.bytesBesideBusy(800)
      #expect(many <= few * 11 / 10, "\(few), \(many)")
    }
  }

  @Test func `a service in an optional of a row comes and goes at the same cost among many rows`()
    async
  {
    await #expect(processExitsWith: .success) {
      let few = try BusyRowsTests.bytesBesideServices(50)
      let many = try BusyRowsTests.bytesBesideServices(800)
      #expect(many <= few * 11 / 10, "\(few), \(many)")
    }
  }
}
