import Lensed
import LensedTestSupport
import Testing

@Suite("A warning names the first child on the way that is not there", .timeLimit(.minutes(30)))
struct ChildWarningTests {
  private struct Sheet: Sendable, Equatable {
    var text = ""
  }

  private enum Pane: Sendable, Equatable {
    case closed
    case open(Sheet)
  }

  private struct Item: Sendable, Equatable, Identifiable {
    let id: String
    var text = ""
  }

  private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var text = ""
    var sheet: Sheet?
    var pane = Pane.closed
    var items: [Item] = []
  }

  private struct Board: Sendable, Equatable {
    var rows = [
      Row(id: 1), Row(id: 2, sheet: Sheet(), pane: .open(Sheet()), items: [Item(id: "a")]),
    ]
    var byKey = ["k": Row(id: 3)]
    var entities: Entities<Row> = [Row(id: 4)]
  }

  private enum Left {}

  private struct Write: Action, Hashable { var text = "x" }
  private struct Draw: Action, Hashable {}
  private struct Look: Action, Hashable {}
  private enum Wide: Action { case write(Write), look }
  private enum Show: Action { case rows([Row]) }

  private let warnings = Recorder<StoreWarning>()
  private let begun = Recorder<String>()

  private static let open = Prism<Pane, Sheet>(Pane.open) {
    if case .open(let sheet) = $0 { sheet } else { nil }
  }

  private func makeStore(
    @StoreBuilder<Board> _ parts: () -> [StorePart<Board>]
  ) throws -> Store<Board> {
    try Store(
      initialState: Board(), coverage: .partial, onWarning: { [warnings] in warnings.append($0) }
    ) { parts() }
  }

  /// What was found to be missing since the last time, in the order of the dispatches.
  private func found(by dispatch: () -> Void) -> [String] {
    let count = warnings.count
    dispatch()
    let new = warnings.values.dropFirst(count)
    #expect(new.allSatisfy { $0.kind == .missingElement })
    return new.map { $0.missing ?? "nothing" }
  }

  private func element<ID: Hashable & Sendable, A: Action>(_ id: ID, _ action: A) -> ElementAction<
    ID, A
  > {
    ElementAction(id: id, action: action)
  }

  // MARK: Reducers

  private static let text = Reducer { (text: inout String, action: Write) in text = action.text }

  @Test func `of reducers: the row, or what is in it`() throws {
    let sheet: Reducer<Sheet> = Self.text.lifted(\.text)
    let row = Reducer<Row>.combine(
      sheet.optional().lifted(\Row.sheet),
      sheet.tagged(Left.self).matching(Self.open).lifted(\Row.pane),
      Self.text.lifted(\Item.text).identified().lifted(\Row.items))
    let store = try makeStore { Mutator(\.rows, row.identified()) }
    #expect(found { store.dispatch(element(2, Write())) } == [])
    #expect(found { store.dispatch(element(7, Write())) } == ["`rows[7]`"])
    #expect(
      warnings.last?.description.contains(
        "for 7, which `rows` does not have: nothing has changed.") == true)
    #expect(found { store.dispatch(element(1, Write())) } == ["`rows[1].sheet`"])
    #expect(
      warnings.last?.description.contains(
        "for 1, and `rows[1].sheet` is not there: nothing has changed.") == true)
    #expect(warnings.last?.property == "`rows`")
    let tagged = Write().tagged(Left.self)
    #expect(found { store.dispatch(element(2, tagged)) } == [])
    #expect(found { store.dispatch(element(1, tagged)) } == ["`rows[1].pane`"])
    #expect(found { store.dispatch(element(2, element("a", Write()))) } == [])
    #expect(found { store.dispatch(element(2, element("b", Write()))) } == ["`rows[2].items[b]`"])
    #expect(found { store.dispatch(element(8, element("b", Write()))) } == ["`rows[8]`"])
    #expect(
      found { store.dispatch([1, 9].map { element($0, element("c", Write())) }) } == [
        "`rows[1].items[c]`", "`rows[9]`",
      ])
    // Once for each.
    #expect(found { store.dispatch(element(1, Write())) } == [])
  }

  @Test func `of reducers in dictionaries, by offset, in entities, and behind lenses of functions`()
    throws
  {
    let row: Reducer<Row> = Self.text.lifted(\Row.text)
    let rows = Lens<Board, [Row]>(
      name: "rows", get: { $0.rows },
      set: { board, rows in
        var board = board
        board.rows = rows
        return board
      })
    let store = try makeStore {
      Mutator(lens: rows, reducer: row.tagged(Left.self).offset())
      Mutator(\.byKey, row.keyed())
      Mutator(\.entities, row.identified())
    }
    #expect(
      found { store.dispatch(element(5, Write().tagged(Left.self))) } == ["`rows[5]`"])
    #expect(found { store.dispatch(element("b", Write())) } == ["`byKey[b]`"])
    #expect(found { store.dispatch(element(5, Write())) } == ["`entities[5]`"])
    #expect(found { store.dispatch(element("k", Write())) } == [])
  }

  @Test func `of several parts, all that are missing`() throws {
    let row: Reducer<Row> = Self.text.lifted(\Row.text)
    let store = try makeStore {
      Mutator(\.rows, row.identified())
      Mutator(\.entities, row.identified())
    }
    #expect(found { store.dispatch(element(4, Write())) } == [])
    #expect(found { store.dispatch(element(7, Write())) } == ["`rows[7]`, `entities[7]`"])
    #expect(
      warnings.last?.description.contains("for 7, and `rows[7]`, `entities[7]` are not there")
        == true)
  }

  @Test func `an action that a row is there for, and that its reducer passes over, is no finding`()
    throws
  {
    let prism = Prism(Wide.write) { if case .write(let action) = $0 { action } else { nil } }
    let row: Reducer<Row> = Self.text.lifted(\Row.text).lifted(action: prism)
    let store = try makeStore { Mutator(\.rows, row.identified()) }
    #expect(found { store.dispatch(element(1, Wide.look)) } == [])
    #expect(found { store.dispatch(element(7, Wide.write(Write()))) } == ["`rows[7]`"])
    #expect(store.rows[0].text == "")
  }

  // MARK: Features

  private var sheet: Feature<Sheet> {
    Feature<Sheet> {
      Mutator(\.text, Self.text)
      Effect(on: Draw.self) { [begun] _, _ in begun.append("sheet") }
    }
  }

  private var row: Feature<Row> {
    Feature<Row> {
      sheet.optional().lifted(\.sheet)
      sheet.tagged(Left.self).matching(Self.open).lifted(\.pane)
      Feature<Item> { Effect(on: Draw.self) { [begun] item, _ in begun.append("item") } }
        .identified().lifted(\.items)
      Effect(on: Look.self) { [begun] _, context in begun.append("row \(context.state.id)") }
    }
  }

  @Test func `of a feature's reducers`() throws {
    let store = try makeStore { row.identified().lifted(\.rows) }
    #expect(found { store.dispatch(element(2, Write())) } == [])
    #expect(found { store.dispatch(element(7, Write())) } == ["`rows[7]`"])
    #expect(found { store.dispatch(element(1, Write())) } == ["`rows[1].sheet`"])
    #expect(
      found { store.dispatch(element(1, Write().tagged(Left.self))) } == ["`rows[1].pane`"])
  }

  @Test func `of effects, where nothing else handles the action`() async throws {
    let store = try makeStore { row.identified().lifted(\.rows) }
    #expect(found { store.dispatch(element(1, Look())) } == [])
    let line = UInt(#line) + 1
    #expect(found { store.dispatch(element(7, Look())) } == ["`rows[7]`"])
    #expect(
      warnings.last?.description == """
        Lensed: `ElementAction<Int, Look>` was dispatched at \
        LensedTests/ChildWarningTests.swift:\(line) for 7, which `rows` does not have: nothing has changed. \
        Dispatch it while the element is there, or let what dispatches it end with the element.
        """)
    #expect(warnings.last?.property == "`rows`" && warnings.last?.element == "7")
    #expect(found { store.dispatch(element(1, Draw())) } == ["`rows[1].sheet`"])
    #expect(found { store.dispatch(element(1, Draw().tagged(Left.self))) } == ["`rows[1].pane`"])
    #expect(found { store.dispatch(element(2, element("b", Draw()))) } == ["`rows[2].items[b]`"])
    #expect(
      found { store.dispatch([8, 2, 9].map { element($0, Draw()) }) } == ["`rows[8]`", "`rows[9]`"])
    try await store.settled()
    #expect(begun.values.sorted() == ["row 1", "sheet"])
  }

  @Test func `effects look for their child in the state after the whole list`() async throws {
    let store = try makeStore {
      Mutator(\.rows) { (rows: inout [Row], show: Show) in
        if case .rows(let new) = show { rows = new }
      }
      row.identified().lifted(\.rows)
    }
    let (look, add) = (element(7, Look()), Show.rows([Row(id: 7)]))
    #expect(found { store.dispatch([look, add] as [any Action]) } == [])
    try await store.settled()
    #expect(found { store.dispatch([Show.rows([]), look] as [any Action]) } == ["`rows[7]`"])
    #expect(begun.values == ["row 7"])
  }

  @Test func `an action that some effect takes is no finding`() async throws {
    let store = try makeStore {
      row.identified().lifted(\.rows)
      row.identified().lifted(\.entities)
    }
    // The one collection has the row, and the other one has not.
    #expect(found { store.dispatch(element(4, Look())) } == [])
    #expect(found { store.dispatch(element(9, Look())) } == ["`rows[9]`, `entities[9]`"])
    let all = store.install(Effect(on: ElementAction<Int, Look>.self) { _, _ in })
    #expect(found { store.dispatch(element(10, Look())) } == [])
    all.cancel()
    #expect(found { store.dispatch(element(11, Look())) } == ["`rows[11]`, `entities[11]`"])
    try await store.settled()
    #expect(begun.values == ["row 4"])
  }

  @Test func `of what ends effects, and of an asynchronous mutator`() async throws {
    let store = try makeStore {
      Feature<Row> {
        AsyncMutator(\.text) { (text: String, action: Write) in AsyncResult(value: action.text) }
        Effect(on: Draw.self) { _, _ in }.cancelled(on: Look.self)
      }
      .identified().lifted(\.rows)
    }
    #expect(found { store.dispatch(element(7, Look())) } == ["`rows[7]`"])
    #expect(found { store.dispatch(element(1, Look())) } == [])
    #expect(found { store.dispatch(element(7, Write())) } == ["`rows[7]`"])
    #expect(found { store.dispatch(element(1, Write())) } == [])
    try await store.settled()
    #expect(store.rows[0].text == "x")
  }

  // MARK: Ids

  /// The text of an id is a user's code, which may enter the store.
  @Test func `an id is described without the lock`() throws {
    struct Name: Hashable, Sendable, CustomStringConvertible {
      let name: String
      let describe: Recorder<@Sendable () -> Void>

      var description: String {
        describe.last?()
        return name
      }
      static func == (left: Name, right: Name) -> Bool { left.name == right.name }
      func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
    struct Named: Sendable { var rows: [Name: Row] = [:] }
    let described = Recorder<@Sendable () -> Void>()
    let store = try Store(
      initialState: Named(), coverage: .partial, onWarning: { [warnings] in warnings.append($0) }
    ) {
      row.keyed(by: Name.self).lifted(\.rows)
    }
    let counts = Recorder<Int?>()
    // Weak: the store holds the warnings, and they hold the ids.
    described.append { [weak store] in counts.append(store?.rows.count) }
    store.dispatch(element(Name(name: "a", describe: described), Write()))
    store.dispatch(element(Name(name: "b", describe: described), Look()))
    #expect(warnings.values.map(\.missing) == ["`rows[a]`", "`rows[b]`"])
    #expect(counts.count > 0 && counts.values.allSatisfy { $0 == 0 })
  }
}
