import Lensed
import LensedTestSupport
import Testing

@Suite("The log of big collections, and of actions that reach nothing", .timeLimit(.minutes(30)))
struct BoundedLogTests {
  private struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var isDone = false
    var text = "text"
  }

  private struct Opaque: Sendable { var numbers = [1, 2, 3] }

  private enum Screen: Sendable, Equatable { case list, detail(Row) }

  private struct App: Sendable {
    var rows: [Row] = []
    var byName: [String: Row] = [:]
    var tags: Set<Int> = []
    var child: Row?
    var screen = Screen.list
    var opaque = Opaque()
    var text = ""
  }

  private enum RowAction: Action { case toggle, rename(String) }
  private struct Edit: Action { let edit: @Sendable (inout App) -> Void }

  private static let row = Reducer { (row: inout Row, action: RowAction) in
    switch action {
    case .toggle: row.isDone.toggle()
    case .rename(let text): row.text = text
    }
  }

  private static let prism = Prism<Screen, Row>(
    embed: Screen.detail, extract: { if case .detail(let row) = $0 { row } else { nil } })

  private func log(_ app: App, _ actions: any Action...) throws -> [[String]] {
    let log = Recorder<String>()
    let store = Store(
      initialState: app, coverage: .partial, middleware: [ActionLogger<App> { log.append($0) }])
    try store.register(
      Feature {
        Mutator(\App.rows, Self.row.identified())
        Mutator(\App.byName, Self.row.keyed())
        Mutator(\App.child, Self.row.optional())
        Mutator(\App.screen, Self.row.matching(Self.prism).tagged(Screen.self))
      })
    for action in actions {
      if let edit = action as? Edit {
        var app = store.state
        edit.edit(&app)
        store.replaceState(app)
      } else {
        store.dispatch(action)
      }
    }
    return log.values.map { text in
      text.split(separator: "\n").dropFirst().map { $0.trimmingPrefix("  ") }.map(String.init)
    }
  }

  private func difference(_ app: App, _ edit: @escaping @Sendable (inout App) -> Void) throws
    -> [String]
  {
    try log(app, Edit(edit: edit)).first ?? []
  }

  private let many = App(rows: (0..<10_000).map { Row(id: $0) })

  @Test func `one toggle among 10,000 is one short line`() throws {
    let lines = try log(many, ElementAction(id: 7_000, action: RowAction.toggle))
    #expect(lines == [["rows[7000].isDone: false → true"]])
  }

  @Test func `what is added and what is removed, and how many`() throws {
    let base = App(rows: (0..<4).map { Row(id: $0, text: "t") })
    let added = try difference(base) { $0.rows.insert(Row(id: 9, text: "n"), at: 1) }
    #expect(added.count == 2)
    #expect(added.first == "rows: 4 → 5 elements")
    #expect(added.last?.hasPrefix("rows[1]: added ") == true)
    #expect(added.last?.contains("id: 9") == true)
    let removed = try difference(base) { $0.rows.removeLast(2) }
    #expect(removed.first == "rows: 4 → 2 elements")
    #expect(removed.count == 3)
    #expect(removed.dropFirst().allSatisfy { $0.contains("]: removed ") })
  }

  @Test func `a dictionary by key, a set by member`() throws {
    let base = App(byName: ["a": Row(id: 1), "b": Row(id: 2)], tags: Set(0..<100))
    let lines = try difference(base) { app in
      app.byName["a"]?.isDone = true
      app.byName["b"] = nil
      app.tags = Set(1...100)
    }
    #expect(lines.contains(#"byName["a"].isDone: false → true"#))
    #expect(lines.contains { $0.hasPrefix(#"byName["b"]: removed "#) })
    #expect(lines.contains("tags: added 100"))
    #expect(lines.contains("tags: removed 0"))
  }

  @Test func `inside of an optional and of what cannot be compared`() throws {
    let base = App(child: Row(id: 1))
    #expect(try difference(base) { $0.child?.text = "new" } == [#"child.text: "text" → "new""#])
    #expect(
      try difference(base) { $0.opaque.numbers[1] = 9 } == ["opaque.numbers: [1, 2, 3] → [1, 9, 3]"]
    )
    #expect(try difference(base) { $0.child = nil }.first?.hasSuffix("→ nil") == true)
  }

  @Test func `no text is long, whatever differs`() throws {
    let texts = [
      try difference(many) { app in for row in app.rows.indices { app.rows[row].isDone = true } },
      try difference(many) { $0.rows = [] },
      try difference(many) { $0.rows.removeFirst(5_000) },
      try difference(App()) { $0.rows = (0..<10_000).map { Row(id: $0) } },
      try difference(App()) { $0.text = String(repeating: "x", count: 100_000) },
      try difference(App()) { app in
        for number in 0..<5_000 { app.byName["\(number)"] = Row(id: number) }
      },
      try difference(App()) { $0.tags = Set(0..<5_000) },
      try difference(App()) { app in
        app.child = Row(id: 0, text: String(repeating: "y", count: 50_000))
      },
    ]
    for lines in texts {
      #expect(!lines.isEmpty)
      #expect(lines.count <= 22)
      #expect(lines.joined().count < 8_000)
    }
    #expect(texts[0].last?.contains("more") == true, "it says that there is more")
  }

  @Test func `no text of actions is long, whatever they hold and however many they are`() throws {
    let log = Recorder<String>()
    let store = try Store(
      initialState: App(), coverage: .partial, middleware: [ActionLogger<App> { log.append($0) }],
      onWarning: { _ in }
    ) {}
    let long = RowAction.rename(String(repeating: "x", count: 100_000))
    store.dispatch(long)
    store.dispatch(ElementAction(id: 1, action: long).tagged(Screen.self))
    store.dispatch(Array(repeating: RowAction.toggle, count: 10_000))
    store.dispatch(ActionList(Array(repeating: long, count: 100)))
    #expect(log.values.allSatisfy { $0.count < 8_000 })
    #expect(log.values.map { $0.split(separator: "\n").count } == [2, 2, 22, 22])
    let last = log.values[2].split(separator: "\n").dropLast().last
    #expect(last == "#3 … and 9980 more actions")
  }

  @Test(.warnsOnPurpose) func `an element or a key that is not there is said to be missing`() throws
  {
    let lines = try log(
      App(), ElementAction(id: 7, action: RowAction.toggle),
      ElementAction(id: "k", action: RowAction.toggle), StrayAction())
    #expect(lines[0].count == 1)
    #expect(lines[0].first?.contains("no reducer ran: `rows` has no element 7") == true)
    #expect(lines[1].first?.contains(#"`byName` has no element "k""#) == true)
    #expect(lines[2] == ["no reducer handles it"])
  }

  @Test(.warnsOnPurpose) func `a child that is nil, or another case, is said to be missing`() throws
  {
    let lines = try log(App(), RowAction.toggle, RowAction.toggle.tagged(Screen.self))
    #expect(lines[0].first?.contains("no reducer ran: `child` has nothing") == true)
    #expect(lines[1].first?.contains("no reducer ran: `screen` has nothing") == true)
  }

  @Test func `an error's sentence ends once`() async throws {
    struct Failure: Error, CustomStringConvertible { let description: String }
    let errors = Recorder<EffectError>()
    let store = try Store(
      initialState: Desk(), coverage: .partial, onEffectError: { errors.append($0) }
    ) {
      Effect<Desk>(on: TitleAction.self) { action, _ -> Void in
        if case .rename(let text) = action { throw Failure(description: text) }
      }
    }
    let texts = ["It broke.", "It broke", "It broke!", "Wait… ", "a.b."]
    for text in texts { try await store.dispatch(TitleAction.rename(text)).finish() }
    let ends = [": It broke.", ": It broke.", ": It broke!", ": Wait…", ": a.b."]
    try #require(errors.values.count == ends.count)
    for (error, end) in zip(errors.values, ends) {
      #expect("\(error)".hasSuffix(end))
      // What to do is said where no handler is given the error.
      #expect(error.descriptionWithAdvice.contains("\(end) Give it a `catch:`"))
    }
  }
}
