import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("Effects: the scopes of their contexts", .timeLimit(.minutes(30)))
struct EffectScopeTests {
  private enum Left {}

  private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
  }

  private struct List: Sendable, Equatable {
    var rows = [Row(id: 1), Row(id: 2)]
    var sheet: Row?
    var desk = Desk()
  }

  private struct App: Sendable, Equatable {
    var left = List()
    var right = List()
  }

  private static func list(@StoreBuilder<List> _ parts: () -> [StorePart<List>]) -> Feature<List> {
    let parts = parts()
    return Feature {
      Mutator(
        \List.rows,
        Reducer { (row: inout Row, action: TitleAction) in
          if case .rename(let title) = action { row.title = title }
        }
        .identified())
      Constant(\List.sheet)
      Mutator(
        lens: Lens(\List.desk),
        reducer: Reducer { (desk: inout Desk, action: CountAction) in
          if case .add(let amount) = action { desk.count += amount }
        })
      parts
    }
  }

  private static func makeStore(
    onWarning: StoreWarningHandler? = nil,
    @StoreBuilder<List> _ parts: () -> [StorePart<List>]
  ) throws -> Store<App> {
    try StoreBlueprint<App>(coverage: .partial) {
      list(parts).lifted(\App.left).tagged(Left.self)
    }
    .makeStore(initialState: App(), onWarning: onWarning)
  }

  @Test func `a scope of a row dispatches in the terms of the effect's feature`() async throws {
    let store = try Self.makeStore {
      Effect<List>(on: ClearAction.self) { _, context in
        _ = context.scope(\.rows, id: 2)?.dispatch(TitleAction.rename("two"))
      }
    }
    try await store.dispatch(ClearAction().tagged(Left.self)).finish()
    #expect(store.left.rows == [Row(id: 1), Row(id: 2, title: "two")])
  }

  @Test func `a scope of a part dispatches in the terms of the effect's feature`() async throws {
    let store = try Self.makeStore {
      Effect<List>(on: ClearAction.self) { _, context in
        context.scope(\.desk).dispatch(CountAction.add(1))
        context.asScope.dispatch(CountAction.add(10))
        let count = context.scope(\.desk).dispatch(CountAction.add(100), focusingOn: \.count)
        #expect(count == 111)
      }
    }
    try await store.dispatch(ClearAction().tagged(Left.self)).finish()
    #expect(store.left.desk.count == 111)
    #expect(store.right.desk.count == 0)
  }

  @Test func `what a scope of a cancelled effect dispatches is ignored`() async throws {
    let (gate, ended) = (Gate(), Gate())
    let store = try Self.makeStore {
      Effect<List>(on: ClearAction.self) { _, context in
        let desk = context.scope(\.desk)
        try? await gate.wait()
        desk.dispatch(CountAction.add(1))
        desk.dispatch([CountAction.add(1), .add(1)])
        ended.open()
      }
    }
    let task = store.dispatch(ClearAction().tagged(Left.self))
    await gate.waitForWaiters()
    task.cancel()
    try await ended.wait()
    #expect(store.left.desk.count == 0)
  }

  @Test func `a scope that outlives its effect warns when it dispatches`() async throws {
    let (scopes, warnings) = (Recorder<ScopedStore<Desk>>(), Recorder<StoreWarning>())
    let store = try Self.makeStore(onWarning: { warnings.append($0) }) {
      Effect<List>(on: ClearAction.self) { _, context in scopes.append(context.scope(\.desk)) }
    }
    try await store.dispatch(ClearAction().tagged(Left.self)).finish()
    try #require(scopes.values.first).dispatch(CountAction.add(1))
    #expect(store.left.desk.count == 1)
    #expect(warnings.values.map(\.kind) == [.endedEffect])
  }
}
