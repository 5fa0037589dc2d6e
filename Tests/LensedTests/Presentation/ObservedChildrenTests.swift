import Lensed
import LensedTestSupport
import Testing

@Suite("Observed children: a view of a row is re-rendered for its row", .timeLimit(.minutes(30)))
@MainActor
struct ObservedChildrenTests {
  private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
    var isDone = false
    var steps: [String] = []
  }
  private enum Destination: Sendable, Equatable {
    case home
    case editor(Row)
  }
  private struct App: Sendable {
    var rows: Entities<Row> = [Row(id: 7, title: "seven"), Row(id: 8, title: "eight")]
    var list = [Row(id: 7)]
    var byKey = ["a": Row(id: 1)]
    var sheet: Row?
    var destination = Destination.home
    var left = Row(id: 0)
    var right = Row(id: 0)
  }
  private enum RowAction: Action { case rename(String), toggle }
  private enum Show: Action {
    case sheet(Row?)
    case destination(Destination)
    case add(Row), remove(Int)
  }
  private enum Left {}
  private enum Right {}

  private static let editor = Prism(Destination.editor) {
    if case .editor(let row) = $0 { row } else { nil }
  }
  private static let row = Feature<Row> {
    Constant(\.id)
    Constant(\.steps)
    Mutator(\.title) { (title: inout String, action: RowAction) in
      if case .rename(let new) = action { title = new }
    }
    Mutator(\.isDone) { (isDone: inout Bool, action: RowAction) in
      if case .toggle = action { isDone.toggle() }
    }
  }

  private let warnings = Recorder<StoreWarning>()
  private let store: Store<App>
  private let app: ObservedStore<App>

  init() throws {
    store = try Store(initialState: App(), onWarning: { [warnings] in warnings.append($0) }) {
      Mutator(\.rows) { (rows: inout Entities<Row>, show: Show) in
        switch show {
        case .add(let row): rows.append(row)
        case .remove(let id): rows.remove(id: id)
        default: break
        }
      }
      Self.row.identified().lifted(\.rows, sharing: .meant)
      Self.row.identified().lifted(\.list, sharing: .meant)
      Self.row.keyed(by: String.self).lifted(\.byKey, sharing: .meant)
      Mutator(\.sheet) { (sheet: inout Row?, show: Show) in
        if case .sheet(let new) = show { sheet = new }
      }
      Self.row.optional().lifted(\.sheet, sharing: .meant)
      Mutator(\.destination) { (destination: inout Destination, show: Show) in
        if case .destination(let new) = show { destination = new }
      }
      Self.row.matching(Self.editor).lifted(\.destination, sharing: .meant).tagged(Left.self)
      Self.row.lifted(\.left).tagged(Left.self)
      Self.row.lifted(\.right).tagged(Right.self)
    }
    app = ObservedStore(store)
  }

  @Test func `a view of one row is not re-rendered for another`() throws {
    let (seven, eight) = (
      try #require(app.scope(\.rows, id: 7)), try #require(app.scope(\.rows, id: 8))
    )
    let (sevenTitle, eightTitle) = (Onlooker { _ = seven.title }, Onlooker { _ = eight.title })
    let sevenDone = Onlooker { _ = seven.isDone }
    seven.dispatch(RowAction.rename("7"))
    #expect((sevenTitle.count, eightTitle.count, sevenDone.count) == (1, 0, 0))
    #expect((seven.title, eight.title) == ("7", "eight"))
    sevenTitle.look()
    seven.dispatch(RowAction.rename("7"))
    #expect(sevenTitle.count == 1, "an equal write")
    eight.dispatch(RowAction.toggle)
    #expect((sevenTitle.count, eightTitle.count, sevenDone.count) == (1, 0, 0))
    seven.dispatch([RowAction.rename("a"), .rename("b")])
    #expect((sevenTitle.count, seven.title) == (2, "b"))
    #expect(warnings.count == 0)
  }

  @Test func `a view of the list is re-rendered when a row comes or goes, not when one is edited`()
    throws
  {
    let (seven, nine) = (
      Onlooker { _ = app.scope(\.rows, id: 7) }, Onlooker { _ = app.scope(\.rows, id: 9) }
    )
    let rowIDs = Derived(\App.rows) { $0.ids }
    let ids = Onlooker { _ = app[rowIDs] }
    let row = try #require(app.scope(\.rows, id: 7))
    row.dispatch(RowAction.rename("7"))
    app.dispatch(ElementAction(id: 7, action: RowAction.rename("seven")))
    #expect((seven.count, nine.count, ids.count) == (0, 0, 0))
    app.dispatch(Show.add(Row(id: 9)))
    #expect((seven.count, nine.count, ids.count) == (0, 1, 1))
    #expect(app.scope(\.rows, id: 9)?.id == 9)
    nine.look()
    ids.look()
    app.dispatch(Show.remove(7))
    #expect((seven.count, nine.count, ids.count) == (1, 1, 2))
    #expect(app.scope(\.rows, id: 7) == nil)
  }

  @Test func `a view that is leaving keeps the last values, and dispatches nothing`() throws {
    let row = try #require(app.scope(\.rows, id: 7))
    let view = Onlooker { _ = row.title }
    row.dispatch(RowAction.rename("last"))
    view.look()
    app.dispatch(Show.remove(7))
    #expect((row.title, row.isDone, row.state) == ("last", false, Row(id: 7, title: "last")))
    #expect(view.count == 1, "nothing differs for it")
    row.dispatch(RowAction.rename("late"))
    #expect(row.title == "last")
    #expect(warnings.values.map(\.kind) == [.departedScope])
    app.dispatch(Show.add(Row(id: 7, title: "back")))
    let again = try #require(app.scope(\.rows, id: 7))
    again.dispatch(RowAction.toggle)
    #expect((again.title, again.isDone, row.title) == ("back", true, "back"))
  }

  @Test func `a child that nobody held while many others were asked for shows its last values`()
    throws
  {
    let list = Onlooker { _ = app.scope(\.rows, id: 7) == nil }
    for id in 100..<140 {
      app.dispatch(Show.add(Row(id: id)))
      _ = app.scope(\.rows, id: id)
    }
    let row = try #require(app.scope(\.rows, id: 7))
    row.dispatch(RowAction.rename("last"))
    #expect(list.count == 0)
    app.dispatch(Show.remove(7))
    #expect((row.title, list.count) == ("last", 1))
    #expect(app.scope(\.rows, id: 7) == nil)
  }

  @Test func `a child is one object as long as somebody holds it`() throws {
    let row = try #require(app.scope(\.rows, id: 7))
    #expect(app.scope(\.rows, id: 7) === row)
    #expect(app.scope(\.rows, id: 8) !== row)
    #expect(
      app.scope(\.left, actions: .tagged(Left.self))
        !== app.scope(\.left, actions: .tagged(Right.self)))
    weak let released = app.scope(\.rows, id: 8)
    #expect(released == nil)
    for id in 100..<200 { app.dispatch(Show.add(Row(id: id))) }
    for id in 100..<200 { #expect(app.scope(\.rows, id: id)?.id == id) }
    #expect(app.scope(\.rows, id: 7) === row, "it stays while others are forgotten")
  }

  @Test func `the value of an optional`() throws {
    let presence = Onlooker { _ = app.scope(\.sheet) }
    #expect(app.scope(\.sheet) == nil)
    app.dispatch(Show.sheet(Row(id: 1, title: "a")))
    #expect(presence.count == 1)
    let sheet: ObservedStore<Row> = try #require(app.scope(\.sheet))
    presence.look()
    let title = Onlooker { _ = sheet.title }
    sheet.dispatch(RowAction.rename("b"))
    #expect((presence.count, title.count, app.sheet?.title) == (1, 1, "b"))
    title.look()
    app.dispatch(Show.sheet(nil))
    #expect((presence.count, title.count, sheet.title) == (2, 1, "b"))
    #expect(app.scope(\.sheet) == nil)
  }

  @Test func `one case of an enum, with a tag`() throws {
    let presence = Onlooker { _ = app.scope(\.destination, matching: Self.editor) }
    app.dispatch(Show.destination(.editor(Row(id: 2, title: "draft"))))
    #expect(presence.count == 1)
    let editor = try #require(
      app.scope(\.destination, matching: Self.editor, actions: .tagged(Left.self)))
    #expect(app.scope(\.destination, matching: Self.editor, actions: .tagged(Left.self)) === editor)
    let title = Onlooker { _ = editor.title }
    editor.dispatch(RowAction.rename("final"))
    #expect((title.count, editor.title) == (1, "final"))
    app.dispatch(Show.destination(.home))
    #expect(editor.title == "final")
    editor.dispatch(RowAction.rename("late"))
    #expect(store.destination == .home)
  }

  @Test func `parts that are always there, and children of children`() throws {
    let (left, right) = (
      app.scope(\.left, actions: .tagged(Left.self)),
      app.scope(\.right, actions: .tagged(Right.self))
    )
    let (leftView, rightView) = (Onlooker { _ = left.title }, Onlooker { _ = right.title })
    left.dispatch(RowAction.rename("left"))
    #expect((leftView.count, rightView.count, store.left.title) == (1, 0, "left"))
    app.dispatch(Show.sheet(Row(id: 1, steps: ["pack"])))
    let steps = try #require(app.scope(\.sheet)).scope(\.steps)
    #expect(steps.state == ["pack"])
    #expect(app.scope(\.list, id: 7)?.id == 7)
    #expect(app.scope(\.byKey, id: "a")?.id == 1)
    #expect(app.scope(\.byKey, id: "b") == nil)
  }

  @Test func `a binding to a row writes to the row`() throws {
    @Bindable var row = try #require(app.scope(\.rows, id: 7))
    let title = $row[\.title, send: .action("title", RowAction.rename)]
    title.value = "typed"
    #expect((title.value, store.rows[id: 7]?.title) == ("typed", "typed"))
  }

  @Test func `what others commit arrives at the row alone`() async throws {
    let (seven, eight) = (
      try #require(app.scope(\.rows, id: 7)), try #require(app.scope(\.rows, id: 8))
    )
    let (view, other) = (Onlooker { _ = seven.title }, Onlooker { _ = eight.title })
    let store = store
    _ = await Task.detached {
      store.dispatch(ElementAction(id: 7, action: RowAction.rename("from afar")))
    }.value
    while view.count == 0 { await Task.yield() }
    #expect((seven.title, view.count, other.count) == ("from afar", 1, 0))
  }

  @Test func `made from a scope, it is the same`() throws {
    let row = ObservedStore(try #require(store.scope(\.rows, id: 8)))
    let view = Onlooker { _ = row.title }
    row.dispatch(RowAction.rename("8"))
    app.dispatch(ElementAction(id: 7, action: RowAction.rename("7")))
    #expect((view.count, row.title) == (1, "8"))
    store.dispatch(Show.remove(8))
    #expect(row.title == "8")
  }
}
