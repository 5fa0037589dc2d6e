import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite struct `A test store, however it is made` {
  let clock = ManualClock()

  @Test func `a feature alone, and in the rows of an app`() async throws {
    struct Row: Sendable, Equatable, Identifiable { var id: Int; var title = "" }
    struct Rename: Action, Hashable { var title: String }
    struct Reload: Action, Hashable {}
    struct App: Sendable, Equatable { var rows: [Row] = [Row(id: 1), Row(id: 2)] }
    let clock = clock
    let row = Feature<Row> {
      Mutator(\.title) { (title: inout String, action: Rename) in title = action.title }
      Constant(\.id)
      Effect(on: Reload.self, .latest) { _, context in
        try await clock.sleep(for: .seconds(1))
        return Rename(title: "row \(context.state.id)")
      }
    }
    let alone = try TestStore(initialState: Row(id: 7), row)
    await alone.dispatch(Reload())
    await clock.advance(by: .seconds(1))
    await alone.receive(Rename(title: "row 7")) { $0.title = "row 7" }
    await alone.finish()

    let test = try TestStore(initialState: App()) { row.identified().lifted(\.rows) }
    await test.dispatch(ElementAction(id: 2, action: Reload()))
    await test.dispatch(ElementAction(id: 1, action: Reload()))
    await clock.advance(by: .seconds(1))
    await test.receive(ElementAction(id: 2, action: Rename(title: "row 2"))) {
      $0.rows[1].title = "row 2"
    }
    await test.receive(ElementAction<Int, Rename>.self) { $0.rows[0].title = "row 1" }
    let heard = await issues {
      await test.dispatch(ElementAction(id: 9, action: Rename(title: "a")))
      await test.finish()
    }
    #expect(heard.count == 1)
    #expect(heard.first?.hasPrefix("The store warns. Lensed: `ElementAction") == true)
  }

  @Test func `a store that the app makes`() async throws {
    let clock = clock
    let test = try TestStore(exhaustivity: .except(\.log)) {
      try Store(initialState: Search()) { searchParts(.offline, clock) }
    }
    await test.dispatch(QueryChanged("a")) { $0.query = "a" }
    await clock.run()
    await test.receiveError(Offline.self)
    await test.finish()
  }

  @Test func `a warning that a test expects`() async throws {
    struct Go: Action {}
    let kept = Recorder<EffectContext<Desk>>()
    let test = try TestStore(initialState: Desk()) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
      Effect(on: Go.self) { _, context in kept.append(context) }
    }
    await test.dispatch(Go())
    kept.last?.dispatch(CountAction.add(1))
    await test.receive(CountAction.add(1)) { $0.count = 1 }
    let warning = await test.receiveWarning(.endedEffect)
    #expect(warning?.action as? CountAction == .add(1))
    await test.finish()
  }

  @Test func `two test stores side by side, with one clock`() async throws {
    let (left, right) = (try searchTest(.stub, clock), try searchTest(.stub, clock))
    await left.dispatch(QueryChanged("l")) { $0.query = "l" }
    await right.dispatch(QueryChanged("r")) { $0.query = "r" }
    await clock.advance(by: .seconds(1))
    await right.receive(Found(["rc"])) { $0.results = ["rc"] }
    await left.receive(Found(["lc"])) { $0.results = ["lc"] }
    await left.finish()
    await right.finish()
  }
}
