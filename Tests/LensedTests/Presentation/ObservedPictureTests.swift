import LensedTestSupport
import Observation
import Testing

@testable import Lensed

@Suite(
  "Observed stores of one store show one picture, and tell whoever tracks it",
  .timeLimit(.minutes(30)))
@MainActor
struct ObservedPictureTests {
  fileprivate struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
    var number = 0
  }

  fileprivate enum Page: Sendable, Equatable {
    case home
    case editor(Row)
  }

  fileprivate struct App: Sendable {
    var part = Row(id: 0)
    var sheet: Row? = Row(id: 1)
    var page = Page.editor(Row(id: 2))
    var rows: Entities<Row> = Entities((0..<4).map { Row(id: $0) }) { $1 }
    var byKey = ["a": Row(id: 5)]
    var count = 0
  }

  fileprivate enum Edit: Action { case rename(String), number(Int) }
  private struct All: Action { let title: String }

  nonisolated private static let editor = Prism(Page.editor) {
    if case .editor(let row) = $0 { row } else { nil }
  }

  nonisolated private static let row = Feature<Row> {
    Constant(\.id)
    Mutator(\.title) { (title: inout String, edit: Edit) in
      if case .rename(let new) = edit { title = new }
    }
    Mutator(\.number) { (number: inout Int, edit: Edit) in
      if case .number(let new) = edit { number = new }
    }
  }

  private let store: Store<App>
  private let app: ObservedStore<App>

  init() throws {
    store = try Store(initialState: App(), coverage: .partial) {
      Self.row.lifted(\.part, sharing: .meant)
      Self.row.optional().lifted(\.sheet, sharing: .meant)
      Self.row.matching(Self.editor).lifted(\.page, sharing: .meant)
      Self.row.identified().lifted(\.rows)
      Self.row.keyed(by: String.self).lifted(\.byKey)
      Mutator(\.rows) { (rows: inout Entities<Row>, all: All) in
        for id in rows.ids { rows[id: id]?.title = all.title }
      }
      Mutator(\.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
    }
    app = ObservedStore(store)
  }

  /// A child that is made while it is read, and that nobody holds.
  struct Child: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate let scope: @MainActor @Sendable (ObservedStore<App>) -> ObservedStore<Row>?
    fileprivate let edit: @Sendable (Edit) -> any Action
  }

  nonisolated static let children = [
    Child(testDescription: "a part", scope: { $0.scope(\.part) }, edit: { $0 }),
    Child(testDescription: "an optional", scope: { $0.scope(\.sheet) }, edit: { $0 }),
    Child(testDescription: "a case", scope: { $0.scope(\.page, matching: editor) }, edit: { $0 }),
    Child(
      testDescription: "a row", scope: { $0.scope(\.rows, id: 3) },
      edit: { ElementAction(id: 3, action: $0) }),
    Child(
      testDescription: "the value of a key", scope: { $0.scope(\.byKey, id: "a") },
      edit: { ElementAction(id: "a", action: $0) }),
    Child(
      testDescription: "a part of a part", scope: { $0.scope(\.self).scope(\.part) }, edit: { $0 }),
  ]

  @Test(arguments: children)
  func `a view that reads through a child it does not hold is told, each time`(
    _ child: Child
  ) throws {
    let titles = Onlooker { [app] in _ = child.scope(app)?.title }
    let numbers = Onlooker { [app] in _ = child.scope(app)?[\.number] }
    for round in 1...3 {
      app.dispatch(child.edit(.rename("\(round)")))
      #expect((titles.count, numbers.count) == (round, 0))
      #expect(child.scope(app)?.title == "\(round)")
      titles.look()
    }
    child.scope(app)?.dispatch(Edit.number(7))
    #expect((titles.count, numbers.count) == (3, 1))
  }

  @Test(arguments: children)
  func `what is read through a child that nobody holds is read again, and not added`(
    _ child: Child
  ) throws {
    let view = Onlooker { [app] in _ = child.scope(app)?.title }
    let object = try #require(child.scope(app))
    let count = object.values.count
    for _ in 0..<20 { view.look() }
    #expect(object.values.count == count)
  }

  @Test(arguments: children)
  func `what one of them dispatches, all show before it returns, and each reader is told once`(
    _ child: Child
  ) throws {
    let other = ObservedStore(store)
    let (first, second) = (try #require(child.scope(app)), try #require(child.scope(other)))
    let scoped = ObservedStore(store.asScope)
    let views = [
      Onlooker { _ = first.title }, Onlooker { _ = second.title },
      Onlooker { [app] in _ = child.scope(app)?.state },
      Onlooker { _ = child.scope(scoped)?.title },
      Onlooker { [app] in _ = (app.part, app.sheet, app.page, app.rows, app.byKey) },
    ]
    for (round, sender) in [app, other, scoped].enumerated() {
      let title = "from \(round)"
      sender.dispatch(child.edit(.rename(title)))
      let shown = [
        first.title, second.title, child.scope(app)?.state.title, child.scope(scoped)?.title,
      ]
      #expect(shown == Array(repeating: title, count: 4))
      #expect(views.map(\.count) == Array(repeating: round + 1, count: views.count))
      for view in views { view.look() }
    }
    first.dispatch(Edit.rename("from the child"))
    #expect(views.map(\.count) == Array(repeating: 4, count: views.count))
    #expect([second.title, child.scope(scoped)?.title] == ["from the child", "from the child"])
  }

  @Test(arguments: children)
  func `a first read brings all of them up to date, and whoever read before is told`(
    _ child: Child
  ) async throws {
    let object = try #require(child.scope(app))
    let title = Onlooker { _ = object.title }
    let count = Onlooker { [app] in _ = app.count }
    store.dispatch([child.edit(.rename("new")), CountAction.add(1), child.edit(.number(7))])
    #expect((object.title, app.count) == ("", 0), "it has not arrived")
    #expect(object.number == 7)
    #expect((object.title, app.count) == ("new", 1))
    while count.count == 0 || title.count == 0 { await Task.yield() }
    for _ in 0..<5 { await Task.yield() }
    #expect((title.count, count.count) == (1, 1))
  }

  @Test
  func `a view that reads one value before, and one after it brought all up to date, is told`()
    async throws
  {
    _ = app.count
    store.dispatch([CountAction.add(1), All(title: "new")])
    var seen: (Int, String?) = (0, nil)
    let view = Onlooker { [app] in seen = (app.count, app.scope(\.rows, id: 3)?.title) }
    #expect(seen == (0, "new"), "a picture of two commits")
    while view.count == 0 { await Task.yield() }
    view.look()
    #expect(seen == (1, "new"))
  }

  @Test func `a reader that was told in a first read is told again of what differs later`() async {
    let count = Onlooker { [app] in _ = app.count }
    store.dispatch(CountAction.add(1))
    _ = app.part
    while count.count == 0 { await Task.yield() }
    count.look()
    app.dispatch(CountAction.add(1))
    #expect((count.count, app.count) == (2, 2))
  }

  @Test func `a flush looks at what was touched, however much is observed`() {
    let store = Store(initialState: App(), coverage: .partial)
    func looked(observing count: Int) throws -> [Int] {
      let rows = Entities((0..<count).map { Row(id: $0) }) { $1 }
      store.replaceState(App(rows: rows))
      let app = ObservedStore(store)
      app.reflecting { _ in }
      let views = (0..<count).map { id in
        Onlooker { _ = (app[\.rows, id: id]?.title, app.scope(\.rows, id: id)?.title, app.count) }
      }
      var looked: [Int] = []
      func flush() {
        looked.append(app.tracker.touchedCount)
        app.tracker.showTouched()
      }
      store.dispatch(ElementAction(id: 3, action: Edit.rename("x")))
      flush()
      store.dispatch(CountAction.add(1))
      flush()
      store.dispatch([
        ElementAction(id: 1, action: Edit.rename("y")), .init(id: 2, action: .rename("y")),
      ])
      flush()
      flush()
      withExtendedLifetime(views) {}
      return looked
    }
    #expect(throws: Never.self) {
      try store.register(
        Feature {
          Self.row.identified().lifted(\.rows)
          Mutator(\.count) { (count: inout Int, action: CountAction) in
            if case .add(let amount) = action { count += amount }
          }
        })
      let few = try looked(observing: 10)
      #expect(few == [3, 1, 6, 0], "the row, whether it is there, and its title")
      #expect(try looked(observing: 2_000) == few)
    }
  }

  @Test func `children that views have left are forgotten, and those that are tracked are not`()
    throws
  {
    let rows = Entities((0..<1_000).map { Row(id: $0) }) { $1 }
    store.replaceState(App(rows: rows))
    let kept = Onlooker { [app] in _ = app.scope(\.rows, id: 7)?.title }
    for id in 0..<1_000 {
      // It is read outside of any view.
      _ = app.scope(\.rows, id: id)?.title
    }
    #expect(app.values.count < 200)
    app.dispatch(ElementAction(id: 7, action: Edit.rename("x")))
    #expect((kept.count, app.scope(\.rows, id: 7)?.title) == (1, "x"))
  }

  @Test func `an animation sees all of a dispatch in one step`() throws {
    let row = try #require(app.scope(\.rows, id: 3))
    let seen = Recorder<String>()
    let shown = { @MainActor [app] in "\(row.title) \(app.rows[id: 3]?.title ?? "")" }
    for read in [{ _ = row.title }, { [app] in _ = app.rows }] as [@MainActor () -> Void] {
      withObservationTracking {
        read()
      } onChange: {
        MainActor.assumeIsolated { seen.append(shown()) }
      }
    }
    row.dispatch(Edit.rename("x"))
    #expect(seen.values == [" ", " "])
    #expect(shown() == "x x")
  }

  /// What a user's `deinit` does may show a newer value: the one shown first is told first.
  @Test func `a value is told before those are released that it takes the place of`() {
    final class Marker: Sendable {
      let name: String
      private let log: Recorder<String>

      init(_ name: String, _ log: Recorder<String>) { (self.name, self.log) = (name, log) }

      deinit { log.append("released \(name)") }
    }
    struct Holder: Sendable { var marker: Marker }
    let log = Recorder<String>()
    let state = UnsafeCell(Holder(marker: Marker("a", log)))
    let value = TrackedValue(
      .row(AnyID("marker"), of: \Holder.marker, isCompared: true), on: TouchedValues(),
      in: nil, at: PartPath(Lens(\Holder.marker)),
      compare: { _ in true }, onShow: { log.append("told \($0.name)") })
    value.isWanted = true
    value.load(from: state.place, at: 1)
    value.showLoaded()
    for name in ["b", "c"] {
      state.value.marker = Marker(name, log)
      value.load(from: state.place, at: 2)
    }
    #expect(log.values == ["told a"])
    value.showLoaded()
    #expect(log.values.prefix(2) == ["told a", "told c"])
    #expect(log.values.dropFirst(2).sorted() == ["released a", "released b"])
  }
}
