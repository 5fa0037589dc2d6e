import Lensed
import LensedTestSupport
import Testing

@Suite("A feature is one value, lifted as a whole", .timeLimit(.minutes(30)))
struct FeatureTests {
  private let work = RowWork()

  @Test func `it runs alone, as an app of its own`() async throws {
    work.gate.open()
    let store = try Store(initialState: ListRow(id: 1), work.feature())
    store.dispatch(RowAction.rename("a"))
    try await store.dispatch(Reload()).finish()
    #expect(store.state == ListRow(id: 1, title: "a", loads: 1))
  }

  private struct Pair: Sendable, Equatable {
    var left = ListRow(id: 1)
    var right = ListRow(id: 2)
  }
  private enum Left {}
  private enum Right {}

  @Test(.warnsOnPurpose) func `two instances of one feature stay apart`() async throws {
    work.gate.open()
    let row = work.feature()
    let store = try Store(initialState: Pair()) {
      row.tagged(Left.self).lifted(\.left)
      row.lifted(\.right).tagged(Right.self)
    }
    store.dispatch(RowAction.rename("l").tagged(Left.self))
    try await store.dispatch(Reload().tagged(Right.self)).finish()
    #expect(store.state == Pair(left: ListRow(id: 1, title: "l"), right: ListRow(id: 2, loads: 1)))
    try await store.dispatch(Reload()).finish()
    #expect(store.right.loads == 1)
  }

  @Test func `its effect reads and answers in terms of its row`() async throws {
    work.gate.open()
    let store = try ListApp.makeStore([ListRow(id: 7), ListRow(id: 8)]) {
      work.feature().identified().lifted(\.rows)
    }
    try await store.dispatch(Reload().row(8)).finish()
    #expect(store.rows == [ListRow(id: 7), ListRow(id: 8, loads: 1)])
    #expect(work.log.values == ["begin 8", "end 8"])
  }

  @Test func `a blueprint takes features, and each store runs its own effects`() async throws {
    work.gate.open()
    let blueprint = try StoreBlueprint<ListApp> {
      ListApp.rows
      ListApp.others
      work.feature().identified().lifted(\.rows)
    }
    let one = blueprint.makeStore(initialState: ListApp(rows: [ListRow(id: 1)]))
    let two = blueprint.makeStore(initialState: ListApp(rows: [ListRow(id: 1)]))
    try await two.dispatch(Reload().row(1)).finish()
    #expect(one.rows == [ListRow(id: 1)])
    #expect(two.rows == [ListRow(id: 1, loads: 1)])
  }

  @Test func `an array of parts becomes a feature of rows, as a mutator does`() throws {
    let title = Mutator(\ListRow.title) { (title: inout String, action: RowAction) in
      if case .rename(let new) = action { title = new }
    }
    let loads = Mutator(\ListRow.loads) { (loads: inout Int, _: Loaded) in loads += 1 }
    let store = try ListApp.makeStore([ListRow(id: 7), ListRow(id: 8)]) {
      [
        StorePart(title), StorePart(loads), StorePart(Constant(\ListRow.id)),
        StorePart(Constant(\ListRow.note)),
      ]
      .identified().lifted(\.rows)
    }
    store.dispatch(RowAction.rename("a").row(8))
    store.dispatch(Loaded().row(7))
    #expect(store.rows == [ListRow(id: 7, loads: 1), ListRow(id: 8, title: "a")])
  }

  private struct Shop: Sendable, Equatable {
    var rows: Entities<ListRow> = []
    var byName: [String: ListRow] = [:]
    var row: ListRow?
    var destination = Destination.none

    enum Destination: Sendable, Equatable { case none, row(ListRow), rows([ListRow]) }
  }
  private enum ShopAction: Action { case present(ListRow?), go(Shop.Destination) }

  private static let rowCase = Prism<Shop.Destination, ListRow>(
    embed: Shop.Destination.row,
    extract: { if case .row(let row) = $0 { row } else { nil } })
  private static let rowsCase = Prism<Shop.Destination, [ListRow]>(
    embed: Shop.Destination.rows,
    extract: { if case .rows(let rows) = $0 { rows } else { nil } })
  private enum Sheet {}
  private enum Page {}

  private func makeShop(_ shop: Shop) throws -> Store<Shop> {
    let row = work.feature()
    return try Store(initialState: shop) {
      row.identified().lifted(\.rows)
      row.keyed(by: String.self).lifted(\.byName)
      row.optional().tagged(Sheet.self).lifted(\.row)
      Mutator(\.row) { (row: inout ListRow?, action: ShopAction) in
        if case .present(let new) = action { row = new }
      }
      row.tagged(Page.self).matching(Self.rowCase).lifted(\.destination)
      row.identified().matching(Self.rowsCase).lifted(\.destination).tagged(Page.self)
      Mutator(\.destination) { (destination: inout Shop.Destination, action: ShopAction) in
        if case .go(let new) = action { destination = new }
      }
    }
  }

  @Test func `every kind of child is reached, and no other`() async throws {
    work.gate.open()
    let store = try makeShop(
      Shop(rows: [ListRow(id: 1)], byName: ["a": ListRow(id: 2)], row: ListRow(id: 3)))
    try await store.dispatch(Reload().row(1)).finish()
    try await store.dispatch(ElementAction(id: "a", action: Reload())).finish()
    try await store.dispatch(Reload().tagged(Sheet.self)).finish()
    try await store.dispatch(Reload().tagged(Page.self)).finish()
    #expect(
      store.state
        == Shop(
          rows: [ListRow(id: 1, loads: 1)], byName: ["a": ListRow(id: 2, loads: 1)],
          row: ListRow(id: 3, loads: 1)))
    store.dispatch(ShopAction.go(.row(ListRow(id: 4))))
    try await store.dispatch(Reload().tagged(Page.self)).finish()
    #expect(store.destination == .row(ListRow(id: 4, loads: 1)))
    store.dispatch(ShopAction.go(.rows([ListRow(id: 5), ListRow(id: 6)])))
    try await store.dispatch(Reload().row(6).tagged(Page.self)).finish()
    #expect(store.destination == .rows([ListRow(id: 5), ListRow(id: 6, loads: 1)]))
  }

  @Test(.warnsOnPurpose) func `an effect for a child that is not there does not begin`()
    async throws
  {
    work.gate.open()
    let store = try makeShop(Shop(rows: [ListRow(id: 1)]))
    try await store.dispatch(Reload().row(2)).finish()
    try await store.dispatch(Reload().tagged(Sheet.self)).finish()
    try await store.dispatch(Reload().tagged(Page.self)).finish()
    try await store.dispatch(ElementAction(id: "x", action: Reload())).finish()
    #expect(work.log.values == [])
  }

  private enum AppAction: Action {
    case row(Int, RowAction)
    case reload(Reload)
    case loaded(Loaded)
  }

  @Test func `lifted to a wide action, its reducers and effects are of what the prism matches`()
    async throws
  {
    work.gate.open()
    let reloads = Prism<AppAction, Reload>(
      embed: AppAction.reload, extract: { if case .reload(let action) = $0 { action } else { nil } }
    )
    let loaded = Prism<AppAction, Loaded>(
      embed: AppAction.loaded, extract: { if case .loaded(let action) = $0 { action } else { nil } }
    )
    let store = try Store(
      initialState: ListRow(id: 1), work.feature().lifted(action: reloads).lifted(action: loaded))
    try await store.dispatch(AppAction.reload(Reload())).finish()
    #expect(store.loads == 1)
  }

  #if os(Linux) || os(macOS)
    @Test func `a feature that is made in itself traps, and says how trees are kept`() async throws
    {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        struct Folder: Sendable, Identifiable {
          var id = 0
          var name = ""
          var folders: [Folder] = []
          static var feature: Feature<Folder> {
            Feature {
              Mutator(\.name) { (name: inout String, _: Reload) in name = "" }
              Folder.feature.identified().lifted(\.folders)
            }
          }
        }
        _ = try Store(initialState: Folder(), Folder.feature)
      }
      #expect(result.message.contains("a feature of `Folder` is made between the braces of itself"))
      #expect(result.message.contains("with the id of the parent in each"))
    }
  #endif

  @Test func `a feature can be made of itself where that has an end`() throws {
    struct Folder: Sendable, Identifiable {
      var id = 0
      var name = ""
      var folders: [Folder] = []
      static func feature(levels: Int) -> Feature<Folder> {
        Feature {
          Constant(\.id)
          Mutator(\.name) { (name: inout String, _: Reload) in name += "\(levels)" }
          if levels > 1 {
            feature(levels: levels - 1).identified().lifted(\.folders)
          } else {
            Constant(\.folders)
          }
        }
      }
    }
    let store = try Store(
      initialState: Folder(folders: [Folder(id: 1, folders: [Folder(id: 2)])]),
      coverage: .partial
    ) { Folder.feature(levels: 3) }
    store.dispatch(Reload().element(2).element(1))
    #expect(store.folders[0].folders[0].name == "1")
  }
}
