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
        .on(LogOut.self) { count, _ in count = 0 }
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
          CountAction, LogOut
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
