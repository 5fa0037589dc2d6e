import Lensed
import LensedTestSupport
import Testing

@Suite("Entities that stay sorted are rows like any other", .timeLimit(.minutes(30)))
struct SortedRowsTests {
  private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title: String
    var saves = 0
  }

  private struct App: Sendable {
    var rows = Entities([Row(id: 1, title: "a"), Row(id: 2, title: "b")]) { first, _ in first }
      .sorted { $0.title < $1.title }
    var copy = SortedEntities<Row> { $0.title < $1.title }
  }

  private enum RowAction: Action { case rename(String), saved }
  private struct Save: Action {}
  private enum ListAction: Action { case insert(Row), remove(Int) }

  private static let row = Feature<Row> {
    Constant(\.id)
    Mutator(\.title) { (title: inout String, action: RowAction) in
      if case .rename(let new) = action { title = new }
    }
    Mutator(\.saves) { (saves: inout Int, action: RowAction) in
      if case .saved = action { saves += 1 }
    }
    Effect(on: Save.self) { _, _ in RowAction.saved }
  }

  private let warnings = Recorder<StoreWarning>()

  private func makeStore() throws -> Store<App> {
    try Store(initialState: App(), onWarning: { [warnings] in warnings.append($0) }) {
      Mutator(\.rows) { (rows: inout SortedEntities<Row>, action: ListAction) in
        switch action {
        case .insert(let row): rows.insert(row)
        case .remove(let id): rows.remove(id: id)
        }
      }
      Self.row.identified().lifted(\.rows)
      Constant(\.copy)
    }
  }

  @Test func `a reducer, a mutator, an asynchronous one, an effect and a service take them`()
    async throws
  {
    let title = Reducer { (row: inout Row, action: RowAction) in
      if case .rename(let new) = action { row.title = new }
    }
    var rows = App().rows
    let all: Reducer<SortedEntities<Row>> = title.identified()
    all.reduce(&rows, ElementAction(id: 1, action: RowAction.rename("c")))
    #expect(rows.map(\.id) == [2, 1])
    let installed = Recorder<Int>()
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(\Row.saves) { (saves: inout Int, action: RowAction) in saves += 1 }
        .identified().lifted(\.rows)
      AsyncMutator(\Row.title) { (_: String, _: Save) in AsyncResult(value: "z") }
        .identified().lifted(\.copy)
      Effect<Row>(on: Save.self) { _, _ in RowAction.saved }.identified().lifted(\.rows)
      Feature<Row>("rows", onInstall: { context in installed.append(context.state.id) }) {}
        .identified().lifted(\.rows)
    }
    try await store.dispatch(ElementAction(id: 2, action: Save())).finish()
    try await store.settled()
    #expect(store.rows.map(\.saves) == [0, 1])
    #expect(await installed.waitForCount(2).sorted() == [1, 2])
  }

  @Test func `a row that is edited moves to its place, and effects and scopes follow its id`()
    async throws
  {
    let store = try makeStore()
    let one = try #require(store.scope(\.rows, id: 1))
    one.dispatch(RowAction.rename("z"))
    #expect(store.rows.map(\.id) == [2, 1])
    #expect((one.title, store[\.rows, id: 1]?.title) == ("z", "z"))
    try await one.dispatch(Save()).finish()
    #expect(store.rows.map(\.saves) == [0, 1])
    store.dispatch(ListAction.remove(1))
    one.dispatch(RowAction.rename("late"))
    store.dispatch(ElementAction(id: 1, action: RowAction.rename("late")))
    #expect(warnings.values.map(\.kind) == [.departedScope, .missingElement])
    #expect(warnings.last?.missing == "`rows[1]`")
  }

  @Test func `an action for a row wakes its observers, and no other row's`() throws {
    let store = try makeStore()
    let (ones, twos) = (Recorder<String?>(), Recorder<String?>())
    let subscriptions = [
      store.states(\.rows, id: 1).subscribe { ones.append($0?.title) },
      store.states(\.rows, id: 2).subscribe { twos.append($0?.title) },
    ]
    store.dispatch(ElementAction(id: 1, action: RowAction.rename("z")))
    store.dispatch(ListAction.insert(Row(id: 3, title: "m")))
    #expect((ones.values, twos.values) == (["a", "z"], ["b"]))
    #expect(store.rows.map(\.id) == [2, 3, 1])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a change knows what was edited, and that a row has moved`() async throws {
    let store = try makeStore()
    var changes = store.changes(keepingPrevious: true).makeAsyncIterator()
    store.dispatch(ElementAction(id: 1, action: RowAction.rename("z")))
    store.dispatch(ElementAction(id: 1, action: RowAction.saved))
    store.dispatch(ListAction.insert(Row(id: 3, title: "m")))
    let moved = try #require(await changes.next()).difference(of: \.rows)
    #expect((moved.edited, moved.isReordered) == ([1], true))
    let edited = try #require(await changes.next()).difference(of: \.rows)
    #expect((edited.edited, edited.isReordered) == ([1], false))
    #expect(try #require(await changes.next()).difference(of: \.rows).inserted == [3])
  }

  @Test @MainActor func `an observed row is re-rendered for itself, and an array comes first`()
    throws
  {
    let app = ObservedStore(try makeStore())
    let (one, two) = (
      Onlooker { _ = app[\.rows, id: 1]?.title }, Onlooker { _ = app[\.rows, id: 2]?.title }
    )
    app.dispatch(ElementAction(id: 1, action: RowAction.rename("z")))
    #expect(try #require(app.scope(\.rows, id: 1)).title == "z")
    #expect((one.count, two.count) == (1, 0))
    // Without a context, it is the feature of an array.
    let feature = Self.row.identified()
    #expect(type(of: feature) == Feature<[Row]>.self)
  }
}
