import Lensed
import LensedTestSupport
import Testing

@Suite("Dismissing a child from another thread than its work's", .timeLimit(.minutes(30)))
struct ChildRaceTests {
  /// A screen, and what was written to the one that is shown, by whom.
  private struct App: Sendable, Equatable {
    var screen: Screen?
    /// Writes that came from the work of an earlier screen than the one they were written to.
    var late = 0
    var shown = 0
  }
  private struct Screen: Sendable, Equatable {
    /// Not an `id`: two screens are one and the same by identity.
    var number = 0
    var stamps = 0
    var late = 0
  }
  private struct Show: Action { let number: Int }
  private struct Hide: Action {}
  private struct Begin: Action {}
  private struct Stamp: Action { let number: Int }

  private static func makeStore() throws -> Store<App> {
    let screen = Feature<Screen> {
      Constant(\.number)
      Mutator(lens: Lens(\Screen.stamps)) { (screen: Screen, _: Stamp) in screen.stamps + 1 }
      Mutator(lens: Lens(\Screen.late)) { (screen: Screen, stamp: Stamp) in
        screen.late + (stamp.number == screen.number ? 0 : 1)
      }
      Effect<Screen>(on: Begin.self, .concurrent) { _, context in
        let number = context.change.state.number
        // A run that was ended does not look, and goes on as long as its task lives.
        for _ in 0..<50 {
          context.dispatch(Stamp(number: number))
          if Task.isCancelled { return }
        }
      }
    }
    return try Store(initialState: App()) {
      Mutator(lens: Lens(\App.shown)) { (app: App, _: Show) in app.shown + 1 }
      // Added up before the screen is hidden.
      Mutator(lens: Lens(\App.late)) { (app: App, _: Hide) in app.late + (app.screen?.late ?? 0) }
      Mutator(\App.screen) { (screen: inout Screen?, show: Show) in
        screen = Screen(number: show.number)
      }
      .on(Hide.self) { screen, _ in screen = nil }
      screen.optional().lifted(\.screen)
    }
  }

  @Test func `no commit of an earlier screen's effect reaches the screen that took its place`()
    async throws
  {
    let store = try Self.makeStore()
    for round in 0..<600 {
      store.dispatch([Show(number: round), Begin()] as [any Action])
      store.dispatch(Begin())
      if round.isMultiple(of: 3) { await Task.yield() }
      store.dispatch(Hide())
    }
    try await store.settled()
    #expect(store.shown == 600)
    #expect(store.late == 0)
  }

  @Test func `rows come and go on one thread while their work commits on others`() async throws {
    struct Tick: Action { let born: Int }
    struct Item: Sendable, Equatable, Identifiable {
      let id: Int
      let born: Int
      var wrong = 0
    }
    struct List: Sendable, Equatable {
      var items: Entities<Item> = []
      var wrong = 0
    }
    struct Add: Action { let item: Item }
    struct Remove: Action { let id: Int }
    let item = Feature<Item> {
      Constant(\.id)
      Constant(\.born)
      Mutator(lens: Lens(\Item.wrong)) { (item: Item, tick: Tick) in
        item.wrong + (tick.born == item.born ? 0 : 1)
      }
      Effect<Item>(on: Begin.self, .latest) { _, context in
        let born = context.change.state.born
        for _ in 0..<20 where !Task.isCancelled { context.dispatch(Tick(born: born)) }
      }
    }
    let store = try Store(initialState: List()) {
      // Counted before the row goes.
      Mutator(lens: Lens(\List.wrong)) { (list: List, remove: Remove) in
        list.wrong + (list.items[id: remove.id]?.wrong ?? 0)
      }
      Mutator(\List.items) { (items: inout Entities<Item>, add: Add) in items.append(add.item) }
        .on(Remove.self) { items, remove in items[id: remove.id] = nil }
      item.identified().lifted(\.items)
    }
    await withTaskGroup { group in
      for worker in 0..<2 {
        group.addTask {
          for round in 0..<400 {
            let id = worker * 10 + round % 4
            store.dispatch(Add(item: Item(id: id, born: round)))
            store.dispatch(ElementAction(id: id, action: Begin()))
            if round.isMultiple(of: 5) { await Task.yield() }
            store.dispatch(Remove(id: id))
          }
        }
      }
    }
    try await store.settled()
    #expect(store.wrong == 0)
    #expect(store.items.isEmpty)
  }

  private static func makeList(_ count: Int) throws -> (bare: Store<Rows>, lifted: Store<Rows>) {
    let rows = Rows(
      items: Entities((0..<count).map { ListRow(id: $0) }, uniquingIDsWith: { first, _ in first }))
    let renaming = Reducer { (title: inout String, action: RowAction) in
      if case .rename(let new) = action { title = new }
    }
    let noting = Reducer { (note: inout ListRow.Note?, action: RowAction) in
      if case .note(let new) = action { note = new }
    }
    let row = Reducer.combine(renaming.lifted(\ListRow.title), noting.lifted(\ListRow.note))
    let bare = try Store(initialState: rows) {
      Mutator(\Rows.items, row.identified())
    }
    let lifted = try Store(initialState: rows) {
      RowWork().feature().identified().lifted(\.items)
    }
    return (bare, lifted)
  }
  private struct Rows: Sendable { var items: Entities<ListRow> }

  @Test(.enabled(if: countsAllocations))
  func `idle rows with effects cost a dispatch no allocation, however many there are`() async {
    await #expect(processExitsWith: .success) {
      for count in [10, 100_000] {
        let (bare, lifted) = try ChildRaceTests.makeList(count)
        let action = RowAction.rename("x").row(7)
        let plain = allocations { bare.dispatch(action) }
        #expect(allocations { lifted.dispatch(action) } == plain, "\(count) rows")
      }
    }
  }

  @Test(.enabled(if: countsAllocations))
  func `a store with effects in 100,000 idle rows takes no more memory than with 10`() async {
    await #expect(processExitsWith: .success) {
      let made = { (count: Int) throws -> UInt64 in
        let rows = Rows(
          items: Entities(
            (0..<count).map { ListRow(id: $0) }, uniquingIDsWith: { first, _ in first })
        )
        let feature: Feature<Entities<ListRow>> = RowWork().feature().identified()
        return try allocationsOfOneRun {
          _ = try Store(initialState: rows, coverage: .partial) { feature.lifted(\.items) }
        }
      }
      _ = try made(10)
      let (many, few) = (try made(100_000), try made(10))
      // An array uses all of the block that it is given, so it may grow once more or less.
      #expect(many <= few + 2, "\(many), \(few)")
    }
  }
}
