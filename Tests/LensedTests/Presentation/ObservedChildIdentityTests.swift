import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Observed children: what was asked for in two ways is two objects")
@MainActor
struct ObservedChildIdentityTests {
  private struct Row: Sendable, Equatable, Identifiable {
    let id: UInt64
  }
  private struct App: Sendable {
    var rows: [Row]
    var named: [UInt64: Row?]? = [:]
    var other: [Row] = []
  }
  private enum RowAction: Action { case touch }
  private enum WideAction: Action {
    case row(RowAction)
    case element(ElementAction<UInt64, RowAction>)
  }
  private enum Left {}
  private enum Right {}

  private static let all = Prism<[Row], [Row]>(embed: { $0 }, extract: { $0 })
  private static let first = Prism<[Row], Row>(embed: { [$0] }, extract: { $0.first })
  private static let wideRow = Prism(WideAction.row) {
    if case .row(let row) = $0 { row } else { nil }
  }
  private static let wideElement = Prism(WideAction.element) {
    if case .element(let element) = $0 { element } else { nil }
  }

  private static let ids: [UInt64] = [0, 1, 2]

  private let app = ObservedStore(
    Store(initialState: App(rows: ids.map { Row(id: $0) }), coverage: .partial))

  /// Everything that one key path, and another one, can be asked for.
  private func children() throws -> [(String, AnyObject)] {
    let rows: ObservedStore<[Row]> = app.scope(\.rows)
    let optional: ObservedStore<[UInt64: Row?]> = try #require(app.scope(\.named))
    let whole: ObservedStore<[UInt64: Row?]?> = app.scope(\.named)
    var children: [(String, AnyObject)] = [
      ("part", rows), ("another part", app.scope(\.other)),
      ("part, tagged", app.scope(\.rows, actions: .tagged(Left.self))),
      ("part, tagged otherwise", app.scope(\.rows, actions: .tagged(Right.self))),
      ("part, wide", app.scope(\.rows, actions: .case(Self.wideRow))),
      ("value", optional), ("optional", whole),
      (
        "value, tagged",
        try #require(
          app.scope(\.named, actions: .tagged(Left.self)) as ObservedStore<[UInt64: Row?]>?)
      ),
      (
        "optional, tagged",
        app.scope(\.named, actions: .tagged(Left.self)) as ObservedStore<[UInt64: Row?]?>
      ),
      (
        "value, wide",
        try #require(
          app.scope(\.named, actions: .case(Self.wideRow)) as ObservedStore<[UInt64: Row?]>?)
      ),
      (
        "optional, wide",
        app.scope(\.named, actions: .case(Self.wideRow)) as ObservedStore<[UInt64: Row?]?>
      ),
      ("case", try #require(app.scope(\.rows, matching: Self.all))),
      ("first case", try #require(app.scope(\.rows, matching: Self.first))),
      (
        "case, tagged",
        try #require(app.scope(\.rows, matching: Self.all, actions: .tagged(Left.self)))
      ),
      (
        "case, wide",
        try #require(app.scope(\.rows, matching: Self.all, actions: .case(Self.wideRow)))
      ),
    ]
    for id in Self.ids {
      children += [
        ("row \(id)", try #require(app.scope(\.rows, id: id))),
        ("row \(id), tagged", try #require(app.scope(\.rows, id: id, actions: .tagged(Left.self)))),
        (
          "row \(id), wide",
          try #require(app.scope(\.rows, id: id, actions: .case(Self.wideElement)))
        ),
      ]
    }
    return children
  }

  @Test func `each form of each scope has an object of its own, as long as it is held`() throws {
    let (children, again) = (try children(), try children())
    let (objects, others) = (
      children.map { ObjectIdentifier($0.1) }, again.map { ObjectIdentifier($0.1) }
    )
    #expect(objects == others)
    for (number, object) in objects.enumerated() {
      let same = objects.indices.filter { objects[$0] == object }.map { children[$0].0 }
      #expect(same == [children[number].0])
    }
    withExtendedLifetime((children, again)) {}
  }

  @Test func `a prism that is composed of the same prisms is the same one each time`() throws {
    let identity = try #require(app.scope(\.rows, matching: Prism.identity))
    let appended = try #require(app.scope(\.rows, matching: Self.all.appending(Self.first)))
    for _ in 0..<3 {
      #expect(app.scope(\.rows, matching: Prism.identity) === identity)
      #expect(app.scope(\.rows, matching: Self.all.appending(Self.first)) === appended)
      #expect(
        app.scope(\.rows, matching: Self.all.appending(Self.first).appending(.identity))
          === appended)
      #expect(
        app.scope(\.rows, matching: Self.all.appending(Self.all.appending(Self.first))) !== appended
      )
    }
    #expect(app.scope(\.rows, matching: Self.first) !== appended)
  }
}

@Suite("Observed children that leave and come back")
@MainActor
struct ReturningChildTests {
  private struct Sheet: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
    var number = 0
  }
  private struct App: Sendable, Equatable { var sheet: Sheet? }
  private struct Show: Action { let sheet: Sheet? }

  private let store: Store<App>

  init() throws {
    store = try Store(initialState: App(sheet: Sheet(id: 1, title: "one"))) {
      Mutator(\.sheet) { (sheet: inout Sheet?, show: Show) in sheet = show.sheet }
    }
  }

  private func show(_ app: ObservedStore<App>, _ sheet: Sheet?) { app.dispatch(Show(sheet: sheet)) }

  @Test func `are the same object as long as it is held, whatever was in their place`() throws {
    let app = ObservedStore(store)
    let first = try #require(app.scope(\.sheet))
    show(app, Sheet(id: 2))
    let second = try #require(app.scope(\.sheet))
    #expect(second !== first)
    show(app, Sheet(id: 1, title: "again"))
    #expect(app.scope(\.sheet) === first)
    #expect(first.title == "again")
    show(app, nil)
    show(app, Sheet(id: 2, number: 2))
    #expect(app.scope(\.sheet) === second)
    #expect(second.number == 2)
  }

  @Test func `show one commit when they have left again, read before or not`() throws {
    let app = ObservedStore(store)
    let first = try #require(app.scope(\.sheet))
    #expect(first.title == "one")
    show(app, Sheet(id: 2))
    let second = try #require(app.scope(\.sheet))
    for number in 1...3 {
      show(app, Sheet(id: 1, title: "\(number)", number: number))
      #expect(first.title == "\(number)")
      show(app, number == 2 ? nil : Sheet(id: 2, title: "second", number: number))
    }
    // The number is read for the first time, the title was read while it was there.
    #expect([first.title, "\(first.number)"] == ["3", "3"])
    #expect(first.state == Sheet(id: 1, title: "3", number: 3))
    #expect(second.title == "second" && second.number == 3)
  }

  @Test func `are let go of when nobody holds them, and many others were there`() throws {
    let app = ObservedStore(store)
    weak var gone: ObservedStore<Sheet>?
    var held: [ObservedStore<Sheet>] = []
    for id in 0..<40 {
      show(app, Sheet(id: id))
      let sheet = try #require(app.scope(\.sheet))
      #expect(sheet.id == id)
      if id.isMultiple(of: 10) { held.append(sheet) } else { gone = sheet }
    }
    #expect(gone == nil)
    for (index, sheet) in held.enumerated() { #expect(sheet.id == index * 10) }
  }
}
