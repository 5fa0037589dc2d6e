import Lensed
import LensedTestSupport
import Testing

@Suite("Values, services and asynchronous mutators in children", .timeLimit(.minutes(30)))
struct ChildValueTests {
  private let log = Recorder<String>()

  private func titles(_ triggers: EffectTriggers = []) -> Effect<ListRow> {
    Effect<ListRow>(whenChanged: \.title, .serial, including: triggers) { title, context in
      log.append("\(context.state.id) \(title)")
    }
  }

  private var row: Feature<ListRow> {
    Feature {
      RowWork().feature()
    }
  }

  @Test func `a changed value is watched in each row, by actions and by whoever edits the whole`()
    async throws
  {
    struct Shout: Action {}
    let store = try Store(initialState: ListApp(rows: [ListRow(id: 1), ListRow(id: 2)])) {
      ListApp.rows.on(Shout.self) { rows, _ in
        for index in rows.indices { rows[index].title += "!" }
      }
      ListApp.others
      row.identified().lifted(\.rows)
      titles().identified().lifted(\.rows)
    }
    try await store.dispatch(RowAction.rename("a").row(2)).finish()
    try await store.dispatch(RowAction.rename("a").row(2)).finish()
    #expect(log.values == ["2 a"])
    // A row that appears has not changed; from then on it is watched.
    try await store.dispatch(ListAction.add(ListRow(id: 3, title: "new"))).finish()
    try await store.dispatch(Shout()).finish()
    #expect(Set(log.values) == ["2 a", "1 !", "2 a!", "3 new!"])
    // One that went and came back is another.
    try await store.dispatch(ListAction.remove(3)).finish()
    try await store.dispatch(ListAction.add(ListRow(id: 3, title: "again"))).finish()
    #expect(log.values.count == 4)
  }

  @Test func `including the installation, it runs for each row that is there or appears`()
    async throws
  {
    let store = try ListApp.makeStore([ListRow(id: 1, title: "a")]) {
      row.identified().lifted(\.rows)
      titles(.installation).identified().lifted(\.rows)
    }
    await log.waitForCount(1)
    try await store.dispatch(ListAction.add(ListRow(id: 2, title: "b"))).finish()
    #expect(log.values == ["1 a", "2 b"])
    store.replaceState(ListApp(rows: [ListRow(id: 1, title: "z")]))
    try await store.dispatch(RowAction.rename("y").row(1)).finish()
    #expect(log.values == ["1 a", "2 b", "1 y"])
  }

  @Test func `a tie in a row ends the work of that row`() async throws {
    let gate = Gate()
    let noting = Effect<ListRow>(on: Save.self) { _, context in
      log.append("begin \(context.state.id)")
      do { try await gate.wait() } catch { log.append("cancelled \(context.state.id)") }
    }
    .tied(to: \.note)
    let note = ListRow.Note()
    let store = try ListApp.makeStore([
      ListRow(id: 1, note: note), ListRow(id: 2, note: note), ListRow(id: 3),
    ]) {
      row.identified().lifted(\.rows)
      noting.identified().lifted(\.rows)
    }
    let one = store.dispatch(Save().row(1))
    let two = store.dispatch(Save().row(2))
    try await store.dispatch(Save().row(3)).finish()
    await log.waitForCount(2)
    store.dispatch(RowAction.note(nil).row(1))
    try await one.finish()
    gate.open()
    try await two.finish()
    #expect(Set(log.values) == ["begin 1", "begin 2", "cancelled 1"])
  }

  @Test func `a service of a child is installed when it appears and removed when it goes`()
    async throws
  {
    let service = Feature<ListRow>(
      "row",
      onInstall: { row in
        log.append("install \(row.state.id)")
        row.dispatch(RowAction.rename("installed"))
      },
      onRemove: { log.append("remove") }
    ) {
      Effect(on: Save.self) { _, context in log.append("save \(context.state.id)") }
    }
    let store = try ListApp.makeStore([ListRow(id: 1)]) {
      row.identified().lifted(\.rows)
      service.identified().lifted(\.rows)
    }
    #expect(log.values == ["install 1"])
    #expect(store.rows[0].title == "installed")
    store.dispatch(ListAction.add(ListRow(id: 2)))
    try await store.dispatch(Save().row(2)).finish()
    store.dispatch(ListAction.remove(1))
    store.dispatch(RowAction.rename("x").row(2))
    #expect(log.values == ["install 1", "install 2", "save 2", "remove"])
  }

  @Test func `a service that is always there is installed once, with its part`() throws {
    struct App: Sendable, Equatable { var row = ListRow(id: 5) }
    let service = Feature<ListRow>(
      "row", onInstall: { log.append("install \($0.state.id)") }, onRemove: { log.append("remove") }
    ) {}
    var store: Store<App>? = try Store(initialState: App()) {
      Feature {
        row
        service
      }
      .lifted(\.row)
    }
    #expect(log.values == ["install 5"])
    _ = store?.state
    store = nil
    #expect(log.values == ["install 5", "remove"])
  }

  private struct Page: Sendable, Equatable, Identifiable {
    let id: Int
    var text = "empty"
    var seen = 0
  }
  private struct Book: Sendable, Equatable { var pages: Entities<Page> = [] }
  private struct Load: Action { let text: String }
  private enum BookAction: Action { case remove(Int), add(Page) }

  private func page(_ gate: Gate) -> Feature<Page> {
    Feature {
      Constant(\.id)
      Mutator(\.seen) { (seen: inout Int, _: Save) in seen += 1 }
      AsyncMutator(\.text) { (text: String, load: Load) -> AsyncResult<String> in
        AsyncResult {
          try await gate.wait()
          return text + " " + load.text
        }
        .whileLoading("loading")
      }
      .afterEach { text, _ in log.append(text) }
    }
  }

  private func makeBook(_ gate: Gate) throws -> Store<Book> {
    try Store(initialState: Book(pages: [Page(id: 1), Page(id: 2)])) {
      Mutator(\Book.pages) { (pages: inout Entities<Page>, action: BookAction) in
        switch action {
        case .remove(let id): pages[id: id] = nil
        case .add(let page): pages.append(page)
        }
      }
      page(gate).identified().lifted(\.pages)
    }
  }

  @Test func `an asynchronous mutator has a queue for each child`() async throws {
    let gate = Gate()
    let store = try makeBook(gate)
    let tasks = [
      store.dispatch(ElementAction(id: 1, action: Load(text: "a"))),
      store.dispatch(ElementAction(id: 1, action: Load(text: "b"))),
      store.dispatch(ElementAction(id: 2, action: Load(text: "c"))),
    ]
    await gate.waitForWaiters(2)
    #expect(store.pages.map(\.text) == ["loading", "loading"])
    gate.open()
    for task in tasks { try await task.finish() }
    #expect(store.pages.map(\.text) == ["empty a b", "empty c"])
  }

  @Test func `what it was loading for a child that went is neither written nor put back`()
    async throws
  {
    let gate = Gate()
    let store = try makeBook(gate)
    let task = store.dispatch(ElementAction(id: 1, action: Load(text: "a")))
    let queued = store.dispatch(ElementAction(id: 1, action: Load(text: "b")))
    await gate.waitForWaiters()
    store.dispatch(BookAction.remove(1))
    store.dispatch(BookAction.add(Page(id: 1, text: "another")))
    try await task.finish()
    try await queued.finish()
    #expect(store.pages[id: 1] == Page(id: 1, text: "another"))
    #expect(log.values == [])
  }

  @Test func `a child at an offset that becomes another ends the work there`() async throws {
    struct List: Sendable, Equatable { var rows: [ListRow] = [ListRow(id: 1), ListRow(id: 2)] }
    struct DropFirst: Action {}
    let work = RowWork()
    let store = try Store(initialState: List()) {
      Mutator(\List.rows) { (rows: inout [ListRow], _: DropFirst) in rows.removeFirst() }
      work.feature().offset().lifted(\.rows)
    }
    let task = store.dispatch(ElementAction(id: 0, action: Reload()))
    await work.log.waitForCount(1)
    store.dispatch(DropFirst())
    try await task.finish()
    #expect(work.log.values == ["begin 1", "cancelled 1"])
    #expect(store.rows == [ListRow(id: 2)])
  }

  @Test func `what is in a row of a row counts for that inner row`() async throws {
    struct Outer: Sendable, Equatable, Identifiable { let id: String; var rows: [Int: ListRow] }
    struct App: Sendable, Equatable { var outers: Entities<Outer> }
    struct Drop: Action { let key: Int }
    let work = RowWork()
    let outer = Feature<Outer> {
      Constant(\.id)
      Mutator(\.rows) { (rows: inout [Int: ListRow], drop: Drop) in rows[drop.key] = nil }
      work.feature().keyed().lifted(\.rows)
    }
    let inner = [1: ListRow(id: 1), 2: ListRow(id: 2)]
    let store = try Store(
      initialState: App(outers: [Outer(id: "a", rows: inner), Outer(id: "b", rows: inner)])
    ) {
      outer.identified().lifted(\.outers)
    }
    let at = { (outer: String, key: Int) in
      ElementAction(id: outer, action: ElementAction(id: key, action: Reload()))
    }
    let tasks = [
      store.dispatch(at("a", 1)), store.dispatch(at("a", 2)), store.dispatch(at("b", 1)),
    ]
    await work.log.waitForCount(3)
    store.dispatch(ElementAction(id: "a", action: Drop(key: 1)))
    work.gate.open()
    for task in tasks { try await task.finish() }
    #expect(store.outers[id: "a"]?.rows == [2: ListRow(id: 2, loads: 1)])
    #expect(store.outers[id: "b"]?.rows[1]?.loads == 1)
    #expect(work.log.values.filter { $0.hasPrefix("cancelled") } == ["cancelled 1"])
  }
}

@Suite("Rows of a feature are sub-states", .timeLimit(.minutes(30)))
struct FeatureRowTests {
  private struct App: Sendable { var rows: Entities<ListRow> = [ListRow(id: 1), ListRow(id: 2)] }
  private struct Shout: Action {}

  @Test
  func `a row is woken by actions for it and by the mutator of the list, and by no other row`()
    throws
  {
    let store = try Store(initialState: App()) {
      Mutator(\App.rows) { (rows: inout Entities<ListRow>, _: Shout) in
        rows[id: 1]?.title = "shouted"
      }
      RowWork().feature().identified().lifted(\.rows)
    }
    let titles = Recorder<String?>()
    let subscription = store.states(\.rows, id: 1, repeats: .kept).subscribe {
      titles.append($0?.title)
    }
    store.dispatch(RowAction.rename("other").row(2))
    store.dispatch(RowAction.rename("own").row(1))
    store.dispatch(Shout())
    // Two parts of the feature take the action, and one commit is one call.
    #expect(titles.values == ["", "own", "shouted"])
    subscription.cancel()
  }
}
