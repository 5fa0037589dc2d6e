import Lensed
import LensedTestSupport
import Testing

@Suite("A feature that runs alone is a store like any other", .timeLimit(.minutes(30)))
struct FeatureAloneTests {
  private struct Failure: Error {}
  private struct Fail: Action {}
  private struct Stray: Action {}

  private final class Seen: Middleware {
    typealias State = ListRow
    let actions = Recorder<String>()
    func didReduce(_ change: Change<ListRow>) {
      if let action = change.action { actions.append("\(type(of: action))") }
    }
  }

  private let feature = Feature<ListRow> {
    Mutator(\.title) { (title: inout String, action: RowAction) in
      if case .rename(let new) = action { title = new }
    }
    Effect(on: Fail.self) { _, _ -> Void in throw Failure() }.named("failing")
  }

  @Test func `its middleware, its errors and its warnings go where its maker says`() async throws {
    let (errors, warnings, seen) = (Recorder<String>(), Recorder<StoreWarning>(), Seen())
    let store = try Store(
      initialState: ListRow(id: 7), feature, coverage: .partial, middleware: [seen],
      onEffectError: { errors.append($0.effect) }, onWarning: { warnings.append($0) })
    store.dispatch(RowAction.rename("a"))
    store.dispatch(Stray())
    store.dispatch(Fail())
    try await store.settled()
    #expect(store.title == "a")
    #expect(warnings.values.map(\.kind) == [.unhandledAction])
    #expect(errors.values == ["the effect failing"])
    #expect(seen.actions.values == ["RowAction", "Stray", "Fail"])
  }

  @Test func `so do those of a store of its blueprint`() async throws {
    let warnings = Recorder<StoreWarning>()
    let blueprint = try StoreBlueprint(coverage: .partial, feature)
    let store = blueprint.makeStore(
      initialState: ListRow(id: 7), onWarning: { warnings.append($0) })
    store.dispatch(Stray())
    #expect(warnings.values.map(\.kind) == [.unhandledAction])
  }
}
