import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A scope of a child is nil without the child, and outlives it without a word",
  .timeLimit(.minutes(30)))
struct ChildScopeTests {
  private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
    var notes: [Int] = []
  }

  private enum Destination: Sendable, Equatable {
    case home
    case editor(Row)
  }

  private struct App: Sendable {
    var rows = [Row(id: 7), Row(id: 8)]
    var entities = [Row(id: 1)]
    var byKey = ["a": Row(id: 9)]
    var sheet: Row?
    var destination = Destination.home
    var count = 0
  }

  private enum Show: Action {
    case sheet(Row?)
    case destination(Destination)
    case rows([Row])
  }

  private enum Left {}

  private enum Wide: Action {
    case row(ElementAction<Int, TitleAction>)
    case title(TitleAction)
  }

  private static let row = Reducer { (row: inout Row, action: TitleAction) in
    if case .rename(let title) = action { row.title = title }
  }

  private static let editor = Prism<Destination, Row>(Destination.editor) {
    if case .editor(let row) = $0 { row } else { nil }
  }

  private let warnings = Recorder<StoreWarning>()

  private func makeStore() throws -> Store<App> {
    try Store(
      initialState: App(), coverage: .partial, onWarning: { [warnings] in warnings.append($0) }
    ) {
      Mutator(\.rows, Self.row.identified())
        .on(Show.self) { rows, show in if case .rows(let new) = show { rows = new } }
      Mutator(\.byKey, Self.row.keyed())
      Mutator(\.sheet, Self.row.optional())
        .on(Show.self) { sheet, show in if case .sheet(let new) = show { sheet = new } }
      Mutator(\.destination, Self.row.tagged(Left.self).matching(Self.editor))
        .on(Show.self) { value, show in if case .destination(let new) = show { value = new } }
      Mutator(\.count) { (count: inout Int, _: CountAction) in count += 1 }
    }
  }

  @Test func `a row by its id, or its key, dispatches to that row alone`() throws {
    let store = try makeStore()
    #expect(store.scope(\.rows, id: 3) == nil)
    let row: ScopedStore<Row> = try #require(store.scope(\.rows, id: 7))
    row.dispatch(TitleAction.rename("seven"))
    row.dispatch([TitleAction.rename("x"), .rename("7")])
    try #require(store.scope(\.byKey, id: "a")).dispatch(TitleAction.rename("nine"))
    #expect(row.title == "7")
    #expect(store.rows.map(\.title) == ["7", ""])
    #expect(store.byKey["a"]?.title == "nine")
    #expect(warnings.count == 0)
  }

  @Test func `a row that has gone is shown as it was made, and dispatches nothing, with a warning`()
    throws
  {
    let store = try makeStore()
    store.dispatch(ElementAction(id: 7, action: TitleAction.rename("first")))
    let row = try #require(store.scope(\.rows, id: 7))
    row.dispatch(TitleAction.rename("last"))
    #expect(row.state.title == "last")
    store.dispatch(Show.rows([Row(id: 8)]))
    #expect(row.state.title == "first")
    row.dispatch(TitleAction.rename("late"))
    row.dispatch(TitleAction.rename("later"))
    #expect(row.title == "first")
    #expect(store.rows == [Row(id: 8)])
    #expect(warnings.values.map(\.kind) == [.departedScope])
    #expect(warnings.last?.property?.contains("rows") == true)
    #expect(warnings.last?.action is TitleAction)
    #expect(warnings.last?.site?.fileID.contains("ChildScopeTests") == true)
    store.dispatch(Show.rows([Row(id: 7)]))
    row.dispatch(TitleAction.rename("back"))
    #expect(row.title == "back")
  }

  @Test func `an optional, and a case of an enum`() throws {
    let store = try makeStore()
    #expect(store.scope(\.sheet) == nil)
    #expect(store.scope(\.destination, matching: Self.editor) == nil)
    store.dispatch([Show.sheet(Row(id: 1)), .destination(.editor(Row(id: 2)))])
    let sheet: ScopedStore<Row> = try #require(store.scope(\.sheet))
    let editor = try #require(
      store.scope(\.destination, matching: Self.editor, actions: .tagged(Left.self)))
    sheet.dispatch(TitleAction.rename("sheet"))
    editor.dispatch(TitleAction.rename("editor"))
    #expect((sheet.title, editor.title) == ("sheet", "editor"))
    store.dispatch([Show.sheet(nil), .destination(.home)])
    sheet.dispatch(TitleAction.rename("late"))
    editor.dispatch(TitleAction.rename("late"))
    #expect((sheet.title, editor.title) == ("", ""), "as they were made")
    #expect((store.sheet, store.destination) == (nil, .home))
    #expect(warnings.count == 2)
  }

  @Test func `a scope in a child has gone when the outer one has`() throws {
    let store = try makeStore()
    store.dispatch(Show.sheet(Row(id: 1, notes: [5])))
    let notes = try #require(store.scope(\.sheet)).scope(\.notes)
    #expect(notes.state == [5])
    store.dispatch(Show.sheet(nil))
    notes.dispatch(TitleAction.rename("late"))
    #expect(notes.state == [5])
    #expect(warnings.values.map(\.kind) == [.departedScope])
  }

  @Test func `with action, a wide enum wraps the actions`() throws {
    let store = Store(initialState: App(), coverage: .partial)
    let rowCase = Prism(Wide.row) { if case .row(let action) = $0 { action } else { nil } }
    let titleCase = Prism(Wide.title) { if case .title(let action) = $0 { action } else { nil } }
    try store.register(
      Feature {
        Mutator(\.rows, Self.row.identified().lifted(action: rowCase))
        Mutator(\.sheet, Self.row.optional().lifted(action: titleCase))
          .on(Show.self) { sheet, show in if case .sheet(let new) = show { sheet = new } }
      })
    store.dispatch(Show.sheet(Row(id: 1)))
    try #require(store.scope(\.rows, id: 8, actions: .case(rowCase))).dispatch(
      TitleAction.rename("8"))
    try #require(store.scope(\.sheet, actions: .case(titleCase))).dispatch(TitleAction.rename("s"))
    #expect(store.rows.map(\.title) == ["", "8"])
    #expect(store.sheet?.title == "s")
  }

  @Test func `the changes of a scope have its part, and its own actions`() async throws {
    let store = try makeStore()
    let row = try #require(store.scope(\.rows, id: 7))
    var changes = row.changes(keepingPrevious: true).makeAsyncIterator()
    row.dispatch(TitleAction.rename("a"))
    store.dispatch(CountAction.keep)
    store.dispatch(ElementAction(id: 8, action: TitleAction.rename("b")))
    let first = await changes.next()
    #expect(first?.action as? TitleAction == .rename("a"))
    #expect(first?.state.title == "a")
    #expect(first?.previous?.title == "")
    #expect(await changes.next()?.action is CountAction)
    #expect(await changes.next()?.action is ElementAction<Int, TitleAction>)
  }

  @Test @MainActor func `changes reach the main actor one by one, in order, until cancelled`()
    async throws
  {
    let store = try makeStore()
    let revisions = Recorder<UInt64>()
    let subscription = store.changes().subscribe(onMain: { change in
      revisions.append(change.revision)
    })
    for _ in 0..<100 { store.dispatch(CountAction.keep) }
    #expect(await revisions.waitForCount(100) == Array(1...100))
    subscription.cancel()
    store.dispatch(CountAction.keep)
    for _ in 0..<10 { await Task.yield() }
    #expect(revisions.count == 100)
  }

  @Test func `the streams of a scope end with no foreign value when the child goes`() async throws {
    let store = try makeStore()
    store.dispatch(Show.sheet(Row(id: 1, title: "a")))
    let titles = Recorder<String>()
    let sheet = try #require(store.scope(\.sheet))
    let subscription = sheet.states(\.title).subscribe { titles.append($0) }
    sheet.dispatch(TitleAction.rename("b"))
    store.dispatch(Show.sheet(nil))
    #expect(titles.values == ["a", "b"])
    subscription.cancel()
  }

  @Test func `a scope by a path that forces an optional traps with a sentence`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Home: Sendable { var sheet: Row? }
      let store = Store(initialState: Home(sheet: Row(id: 1)), coverage: .partial)
      _ = store.scope(\.sheet!)
    }
    #expect(result?.message.contains("would trap whenever the optional in it is nil") == true)
  }

  /// A child comes and goes while others read it and dispatch to it.
  @Test func `on many threads a scope is nil, present or gone, and never traps`() throws {
    let store = try makeStore()
    Threads.run(4) { thread in
      for number in 0..<(400 * VerificationLength.factor) {
        switch thread {
        case 0: store.dispatch(Show.sheet(number.isMultiple(of: 2) ? Row(id: number) : nil))
        case 1: store.dispatch(Show.rows(number.isMultiple(of: 2) ? [Row(id: 7)] : []))
        case 2:
          guard let row = store.scope(\.rows, id: 7) else { continue }
          row.dispatch(TitleAction.rename("x"))
          if row.state.id != 7 { Issue.record("another row") }
        default:
          guard let sheet = store.scope(\.sheet) else { continue }
          sheet.dispatch(TitleAction.rename("s"))
          if !sheet.state.id.isMultiple(of: 2) { Issue.record("no such sheet") }
        }
      }
    }
  }
}
