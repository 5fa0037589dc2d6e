import Foundation
import Lensed
import LensedTestSupport
import Testing

@Suite("wiring: who owns what, as a value", .timeLimit(.minutes(30)))
struct StoreWiringTests {
  private struct Row: Sendable, Identifiable, Equatable {
    let id: Int
    var title = ""
  }

  private struct App: Sendable {
    var count = 0
    var rows: Entities<Row> = []
    var page = ""
    var query = ""
    var session: Row?
    let version = 1
  }

  private enum CountAction: Action { case add }
  private struct RowAction: Action {}
  private struct Load: Action {}
  private struct LogOut: Action {}
  private enum Left {}

  private static let row = Feature<Row> {
    Constant(\.id)
    Mutator(\.title, fileID: "App/Row.swift", line: 8) { (title: inout String, _: RowAction) in }
    Effect(on: RowAction.self, .first) { _, _ in }.named("save")
  }

  private static func makeStore() throws -> Store<App> {
    try Store(initialState: App()) {
      Mutator(\.count, fileID: "App/Count.swift", line: 12) { (_: inout Int, _: CountAction) in }
        .on(LogOut.self, fileID: "App/Count.swift", line: 15) { count, _ in count = 0 }
      Mutator(\.rows, fileID: "App/App.swift", line: 3) { (_: inout Entities<Row>, _: LogOut) in }
      row.identified().lifted(\.rows).tagged(Left.self)
      AsyncMutator(\.page, fileID: "App/App.swift", line: 5) { (page: String, _: Load) in
        AsyncResult(value: page)
      }
      Mutator(
        lens: Lens(\.query), fileID: "App/App.swift", line: 7,
        everyAction: { app, _ in app.query })
      Constant(\.session)
      Constant(\.version)
      Effect(whenChanged: \.query, .latest) { _, _ in }
        .cancelled(on: LogOut.self).tied(to: \.session).named("search")
    }
  }

  @Test func `it prints the parts and the effects with their actions`() throws {
    let text = try Self.makeStore().wiring.description
    #expect(
      text == """
        count: Int, reduced at App/Count.swift:12
          CountAction, LogOut at App/Count.swift:15
        rows: Entities<Row>, reduced at App/App.swift:3
          LogOut
        rows[…], children
          Tagged<Left, ElementAction<Int, RowAction>>
          rows[…].id: Int, constant
          rows[…].title: String, reduced at App/Row.swift:8
            RowAction
        page: String, reduced asynchronously at App/App.swift:5
          Load
        query: String, reduced at App/App.swift:7
          any Action
        session: Optional<Row>, constant
        version: Int, constant
        effect save of rows[…], first
          on Tagged<Left, ElementAction<Int, RowAction>>
        effect search, latest
          when query changes
          cancelled on LogOut
          tied to session
        """)
  }

  @Test func `it names each thing, and where the mutator of it is written by default`() throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    #expect(store.wiring == StoreWiring.nothing)
    try store.register(Mutator(\.count) { (_: inout Int, _: CountAction) in })
    let line = #line - 1
    let part = try #require(store.wiring.parts.first)
    #expect(part.site == "LensedTests/StoreWiringTests.swift:\(line)")
    #expect((part.owner, part.name, part.type) == (.mutator, "count", "Int"))
  }

  @Test func `it says where each "on" of a mutator is written, however it is lifted`() throws {
    struct Page: Sendable { var left = 0; var right = 0; var query = "" }
    struct First: Action {}
    struct Second: Action {}
    struct Third: Action {}
    struct Fourth: Action {}
    struct Fifth: Action {}
    struct Book: Sendable { var page = Page(); var pages: [String: Page] = [:]; var sheet: Page? }
    let start = #line
    let feature = Feature<Page> {
      Mutator(\.left) { (_: inout Int, _: First) in }
        .on(Second.self) { _, _ in }
        .on(Third.self, reading: \.right) { _, _, _ in }
        .on(Fourth.self, reading: Lens(\Page.right)) { _, _, _ in }
        .on(Fifth.self, given: String.self) { _, _, _ in }
        .on(Second.self) { _, _ in }
      Mutator(\.right) { (_: inout Int, _: Fourth) in }
      AsyncMutator(\.query) { (query: String, _: First) in AsyncResult(value: query) }
        .on(Second.self) { query, _ in AsyncResult(value: query) }
        .on(Third.self, given: String.self) { query, _, _ in AsyncResult(value: query) }
    }
    .giving("given")
    let own = [[2, 3, 4, 5, 6], [8], [9, 10, 11]]
    func lines(_ part: StoreWiring.Part) -> [Int] {
      part.sites.compactMap { site in
        (site?.split(separator: ":").last).flatMap { Int($0) }.map { $0 - start }
      }
    }
    let alone = try Store(initialState: Page()) { feature }
    #expect(alone.wiring.parts.map(lines) == own)
    let action = Prism<ElementAction<String, Second>, Second>(
      embed: { $0.element("a") }, extract: { $0.action })
    let book = Store(initialState: Book(), coverage: .partial)
    try book.register(feature.tagged(Page.self).lifted(Lens(name: "page", \.page)))
    #expect(book.wiring.parts.map(lines) == own)
    let former = book.wiring.parts.count
    try book.register(feature.keyed().lifted(\Book.pages))
    try book.register(feature.lifted(action: action).optional().lifted(\Book.sheet))
    for children in book.wiring.parts[former...] where children.owner == .children {
      #expect(children.sites.allSatisfy { $0 == nil })
      #expect(children.parts.prefix(2).map(lines) == Array(own.prefix(2)))
    }
  }

  @Test func `a fault of a reducer names the place of the "on" that it is of`() throws {
    let store = Store(initialState: App(), coverage: .partial)
    let mutator = Mutator(\App.count) { (_: inout Int, _: CountAction) in }
      .on([LogOut].self) { _, _ in }
    let line = #line - 1
    let error = #expect(throws: RegistrationError.self) { try store.register(mutator) }
    #expect(error?.description.contains("StoreWiringTests.swift:\(line)") == true)
  }

  @Test func `it follows what is registered, replaced, installed and removed`() throws {
    let store = try Desk.makeStore()
    #expect(store.wiring.parts.map(\.actions).first == ["CountAction", "ClearAction"])
    try store.replace(Mutator(\.count) { (_: inout Int, _: StrayAction) in })
    #expect(store.wiring.parts.map(\.actions).first == ["StrayAction"])
    let former = store.wiring
    let installed = store.install(Effect(on: StrayAction.self) { _, _ in }.named("stray"))
    #expect(store.wiring.effects.map(\.name) == ["stray"])
    #expect(former.effects == [])
    installed.cancel()
    #expect(store.wiring == former)
    store.unregister(\.count)
    #expect(store.wiring.parts.map(\.name) == ["title", "notes"])
  }

  @Test func `it can be kept as JSON`() throws {
    let wiring = try Self.makeStore().wiring
    let data = try JSONEncoder().encode(wiring)
    #expect(try JSONDecoder().decode(StoreWiring.self, from: data) == wiring)
  }
}

extension StoreWiring {
  /// That of a store of no parts.
  fileprivate static var nothing: StoreWiring {
    Store(initialState: 0, coverage: .partial).wiring
  }
}
