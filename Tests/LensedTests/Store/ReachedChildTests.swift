import Lensed
import LensedTestSupport
import Testing

@Suite(
  "An action that reaches its element anywhere is no finding, and one that reaches none is",
  .timeLimit(.minutes(30)))
struct ReachedChildTests {
  private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var text = ""
  }

  private struct Board: Sendable {
    var one: [Row] = []
    var two: Entities<Row> = []
    var count = 0
  }

  private struct Write: Action { var text = "x" }
  private enum Wide: Action { case write(Write), look }
  private struct Show: Action { var rows: [Row] }

  private static let write = Prism(Wide.write) {
    if case .write(let action) = $0 { action } else { nil }
  }

  /// How a collection handles `Wide.look` for its elements.
  private enum Handling: CaseIterable {
    case reducer, reducerThatPassesOver, effect, effectThatPassesOver, asynchronously, notAtAll

    /// The feature of a row; nil where there is none.
    var row: Feature<Row>? {
      let writing = Mutator(\Row.text) { (text: inout String, action: Write) in text = action.text }
      return switch self {
      case .reducer:
        Feature { Mutator(\Row.text) { (text: inout String, _: Wide) in text = "taken" } }
      case .reducerThatPassesOver: Feature { writing }.lifted(action: ReachedChildTests.write)
      case .effect: Feature { Effect<Row>(on: Wide.self) { _, _ in } }
      case .effectThatPassesOver:
        Feature { Effect<Row>(on: Write.self) { _, _ in } }.lifted(action: ReachedChildTests.write)
      case .asynchronously:
        Feature {
          AsyncMutator(\Row.text) { (_: String, _: Wide) in AsyncResult(value: "taken") }
        }
      case .notAtAll: nil
      }
    }
  }

  private enum Form: CaseIterable { case alone, array, list }

  private let warnings = Recorder<StoreWarning>()

  private func makeStore(
    _ state: Board = Board(), @StoreBuilder<Board> _ parts: () -> [StorePart<Board>]
  ) throws -> Store<Board> {
    try Store(
      initialState: state, coverage: .partial, onWarning: { [warnings] in warnings.append($0) },
      parts: parts)
  }

  @Test func `in two collections, whoever handles the action, however it is dispatched`()
    async throws
  {
    for one in Handling.allCases {
      for two in Handling.allCases {
        for presence in 0..<4 {
          for form in Form.allCases {
            try await check(one, two, isInOne: presence & 1 != 0, isInTwo: presence & 2 != 0, form)
          }
        }
      }
    }
  }

  private func check(
    _ one: Handling, _ two: Handling, isInOne: Bool, isInTwo: Bool, _ form: Form
  ) async throws {
    var board = Board()
    if isInOne { board.one = [Row(id: 7)] }
    if isInTwo { board.two = [Row(id: 7)] }
    let count = warnings.count
    let store = try makeStore(board) {
      if let row = one.row { row.identified().lifted(\.one) }
      if let row = two.row { row.identified().lifted(\.two) }
      Mutator(\.count) { (count: inout Int, _: CountAction) in count += 1 }
    }
    let look = ElementAction(id: 7, action: Wide.look)
    switch form {
    case .alone: store.dispatch(look)
    case .array: store.dispatch([look])
    case .list: store.dispatch([CountAction.keep, look] as [any Action])
    }
    var expected: Set<String> = []
    if one != .notAtAll && !isInOne { expected.insert("`one[7]`") }
    if two != .notAtAll && !isInTwo { expected.insert("`two[7]`") }
    if one != .notAtAll && isInOne || two != .notAtAll && isInTwo { expected = [] }
    let new = Array(warnings.values.dropFirst(count))
    let missing = Set(new.flatMap { ($0.missing ?? "").split(separator: ", ").map(String.init) })
    let isHandled = one != .notAtAll || two != .notAtAll
    let about: Comment = "\(one), \(two), \(isInOne), \(isInTwo), \(form)"
    if isHandled {
      #expect(new.count == (expected.isEmpty ? 0 : 1), about)
      #expect(new.allSatisfy { $0.kind == .missingElement }, about)
      #expect(missing == expected, about)
    } else {
      #expect(new.map(\.kind) == [.unhandledAction], about)
    }
    try await store.settled()
  }

  @Test func `of an array, those that reach no element, though others reach theirs`() throws {
    let store = try makeStore(Board(one: [Row(id: 1), Row(id: 3)])) {
      Handling.reducer.row?.identified().lifted(\.one) ?? Feature {}
    }
    store.dispatch([1, 2, 3, 4].map { ElementAction(id: $0, action: Wide.look) })
    #expect(warnings.values.map(\.missing) == ["`one[2]`", "`one[4]`"])
    #expect(store.one.map(\.text) == ["taken", "taken"])
  }

  @Test
  func
    `an effect finds its element that a later action of the list adds, where reducers miss theirs`()
    async throws
  {
    let store = try makeStore {
      Mutator(\.two) { (two: inout Entities<Row>, show: Show) in
        two = []
        for row in show.rows { two.append(row) }
      }
      Feature { Mutator(\Row.text) { (text: inout String, _: Wide) in text = "taken" } }
        .identified().lifted(\.one)
      Feature<Row> { Effect(on: Wide.self) { _, _ in } }.identified().lifted(\.two)
    }
    let look = ElementAction(id: 7, action: Wide.look)
    store.dispatch([look, Show(rows: [Row(id: 7)])] as [any Action])
    #expect(warnings.count == 0)
    store.dispatch([Show(rows: []), look] as [any Action])
    #expect(warnings.values.map(\.missing) == ["`one[7]`, `two[7]`"])
    #expect(warnings.last?.property == "`one`, `two`")
    try await store.settled()
  }

  @Test func `an effect of every action does not stand for an element that is not there`()
    async throws
  {
    let store = try makeStore {
      Effect<Board>(ofEveryAction: .concurrent) { _, _ in }
      Feature<Row> { Effect(on: Wide.self) { _, _ in } }.identified().lifted(\.one)
    }
    store.dispatch(ElementAction(id: 7, action: Wide.look))
    #expect(warnings.values.map(\.missing) == ["`one[7]`"])
    try await store.settled()
  }

  @Test func `actions of a wide enum for elements`() throws {
    enum AppAction: Action { case row(ElementAction<Int, Wide>), count }
    let row = Prism(AppAction.row) { if case .row(let action) = $0 { action } else { nil } }
    let store = try makeStore(Board(one: [Row(id: 1)])) {
      Feature { Mutator(\Row.text) { (text: inout String, _: Wide) in text = "taken" } }
        .identified().lifted(\.one).lifted(action: row)
      Mutator(\.count) { (count: inout Int, action: AppAction) in
        if case .count = action { count += 1 }
      }
    }
    store.dispatch(AppAction.count)
    store.dispatch(AppAction.row(ElementAction(id: 1, action: .look)))
    #expect(warnings.count == 0)
    #expect(store.one.map(\.text) == ["taken"])
  }

  @Test func `of a wide enum that nothing else handles, the element that is missing`() async throws
  {
    enum AppAction: Action { case row(ElementAction<Int, Wide>), count }
    let row = Prism(AppAction.row) { if case .row(let action) = $0 { action } else { nil } }
    for handling in Handling.allCases where handling != .notAtAll {
      let count = warnings.count
      let store = try makeStore(Board(one: [Row(id: 1)])) {
        (handling.row ?? Feature {}).identified().lifted(\.one).lifted(action: row)
      }
      store.dispatch(AppAction.count)
      store.dispatch(AppAction.row(ElementAction(id: 1, action: .look)))
      #expect(warnings.count == count, "\(handling)")
      store.dispatch(AppAction.row(ElementAction(id: 7, action: .look)))
      #expect(warnings.values.dropFirst(count).map(\.missing) == ["`one[7]`"], "\(handling)")
      try await store.settled()
    }
  }

  @Test func `a reducer that reads a sibling names the element as others do`() throws {
    let reading = Mutator(\Row.text) { (text: inout String, _: Write) in text = "taken" }
      .on(Wide.self, reading: \.id) { text, _, id in text = "\(id)" }
    let features = [
      Feature { reading }.identified().lifted(\Board.one),
      Feature { reading }.identified().lifted(\Board.two),
    ]
    for (feature, name) in zip(features, ["one", "two"]) {
      let count = warnings.count
      let store = try makeStore(Board()) { feature }
      store.dispatch(ElementAction(id: 7, action: Write()))
      store.dispatch(ElementAction(id: 7, action: Wide.look))
      let found = warnings.values.dropFirst(count)
      #expect(found.map(\.missing) == ["`\(name)[7]`", "`\(name)[7]`"])
      #expect(found.allSatisfy { "\($0)".contains("which `\(name)` does not have") })
    }
  }
}
