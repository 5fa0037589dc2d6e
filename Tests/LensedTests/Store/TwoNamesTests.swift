import Lensed
import LensedTestSupport
import Synchronization
import Testing

@Suite(
  "Where coverage is complete, a property has one owner, by whichever of its names",
  .timeLimit(.minutes(30)))
struct TwoNamesTests {
  @propertyWrapper struct Plain<Value: Sendable & Equatable>: Sendable, Equatable {
    var wrappedValue: Value
  }

  struct Row: Sendable, Equatable, Identifiable {
    var id = 1
    @Plain var word = ""
  }

  enum Page: Sendable, Equatable { case blank, shown(Row) }

  struct App: Sendable, Equatable {
    var part = Row()
    var optional: Row?
    var page = Page.blank
    var keyed: [Int: Row] = [:]
    var offset: [Row] = []
    var rows: [Row] = []
    var deep: [Row?] = []
  }

  struct Edit: Action {}
  struct Fill: Action {}

  /// An owner of the word, by one of its names.
  private static func owner(isConstant: Bool, _ name: String) -> StorePart<Row> {
    isConstant
      ? StorePart(Constant(Lens<Row, String>(name: name, \.word)))
      : StorePart(
        Mutator(lens: Lens(name: name, \.word)) { (word: inout String, _: Edit) in word += "x" })
  }

  struct Pair: Sendable, Codable, CustomStringConvertible {
    let first: Bool
    let second: Bool
    let hasTwoNames: Bool

    var description: String {
      let kinds = [first, second].map { $0 ? "Constant" : "mutator" }.joined(separator: ", ")
      return "\(kinds), by \(hasTwoNames ? "two names" : "one name")"
    }

    static var all: [Pair] {
      [false, true].flatMap { first in
        [false, true].flatMap { second in
          [false, true].map { Pair(first: first, second: second, hasTwoNames: $0) }
        }
      }
    }

    var owners: [StorePart<Row>] {
      [
        TwoNamesTests.owner(isConstant: first, "word"),
        TwoNamesTests.owner(isConstant: second, hasTwoNames ? "_word" : "word"),
      ]
    }

    var feature: Feature<Row> {
      let owners = owners
      return Feature {
        Constant(\.id)
        for owner in owners { owner }
      }
    }

    /// Whether these are what the pair is refused for, and nothing else.
    func isRefused(by faults: [RegistrationError.Fault], in place: String) -> Bool {
      guard faults.count == 1 else { return false }
      let property: String
      switch faults[0] {
      case .twoReducers(let name) where !first && !second: property = name
      case .constantPart(let name) where first || second: property = name
      default: return false
      }
      let isNamed = property.hasSuffix(hasTwoNames ? "_word" : "word")
      return isNamed && (place.isEmpty || property.hasPrefix(place))
    }
  }

  enum Way: String, CaseIterable, Codable, Sendable {
    case part, optional, page, keyed, offset, rows, deep

    func lift(_ row: Feature<Row>) -> Feature<App> {
      switch self {
      case .part: row.lifted(\.part)
      case .optional: row.optional().lifted(\.optional)
      case .page:
        row.matching(Prism(Page.shown) { if case .shown(let row) = $0 { row } else { nil } })
          .lifted(\.page)
      case .keyed: row.keyed().lifted(\.keyed)
      case .offset: row.offset().lifted(\.offset)
      case .rows: row.identified().lifted(\.rows)
      case .deep: row.optional().offset().lifted(\.deep)
      }
    }

    func fill(_ app: inout App) {
      switch self {
      case .part: break
      case .optional: app.optional = Row()
      case .page: app.page = .shown(Row())
      case .keyed: app.keyed[1] = Row()
      case .offset: app.offset = [Row(), Row()]
      case .rows: app.rows = [Row()]
      case .deep: app.deep = [nil, Row()]
      }
    }

    /// The action that edits the row.
    var edit: any Action {
      switch self {
      case .part, .optional, .page: Edit()
      case .keyed, .offset, .rows, .deep: ElementAction(id: 1, action: Edit())
      }
    }

    func makeStore(_ feature: Feature<Row>, filled: Bool) throws(RegistrationError) -> Store<App> {
      var state = App()
      if filled { fill(&state) }
      return try Store(initialState: state) {
        lift(feature)
        for other in Way.allCases { if other != self || other != .part { other.container } }
      }
    }

    /// What adds the row: the owner of its container.
    private var container: StorePart<App> {
      func filling<Part: Sendable>(
        _ keyPath: any WritableKeyPath<App, Part> & Sendable
      ) -> StorePart<App> {
        StorePart(
          Mutator(keyPath) { (part: inout Part, _: Fill) in
            var app = App()
            fill(&app)
            part = app[keyPath: keyPath]
          })
      }
      return switch self {
      case .part: filling(\.part)
      case .optional: filling(\.optional)
      case .page: filling(\.page)
      case .keyed: filling(\.keyed)
      case .offset: filling(\.offset)
      case .rows: filling(\.rows)
      case .deep: filling(\.deep)
      }
    }
  }

  private func faults<State>(_ make: () throws -> Store<State>) -> [RegistrationError.Fault] {
    do {
      _ = try make()
      return []
    } catch {
      return (error as? RegistrationError)?.faults ?? []
    }
  }

  @Test(arguments: Pair.all) func `when the store is made`(_ pair: Pair) throws {
    let alone = faults { try Store(initialState: Row(), pair.feature) }
    #expect(pair.isRefused(by: alone, in: ""), "\(alone)")
    for way in Way.allCases {
      let faults = faults { try way.makeStore(pair.feature, filled: true) }
      #expect(pair.isRefused(by: faults, in: way.rawValue), "\(way): \(faults)")
    }
  }

  @Test(arguments: Pair.all) func `when one is registered later`(_ pair: Pair) throws {
    let owners = pair.owners
    let proved = try Store(initialState: Row()) {
      Constant(\.id)
      owners[0]
    }
    let unproved = Store(initialState: Row(), coverage: .complete)
    try unproved.register(Constant(\.id))
    try unproved.register(owners[0])
    let empty = Store(initialState: Row(), coverage: .complete)
    for (store, late) in [(proved, [owners[1]]), (unproved, [owners[1]]), (empty, owners)] {
      let error = #expect(throws: RegistrationError.self) { try store.register(late) }
      #expect(pair.isRefused(by: error?.faults ?? [], in: ""), "\(error as Any)")
    }
    try empty.register(Constant(\.id))
    try empty.register(owners[1])
    let registered = [(proved, pair.first), (unproved, pair.first), (empty, pair.second)]
    for (store, isConstant) in registered where !isConstant {
      store.dispatch(Edit())
      #expect(store.word == "x", "it was registered once")
    }
  }

  @Test func `in a store of a blueprint, before its first commit`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let pair = Pair(first: false, second: false, hasTwoNames: true)
      let store = try StoreBlueprint(pair.feature).makeStore(initialState: Row())
      store.dispatch(Edit())
    }
    #expect(result.message.contains("`_word` has two reducers"), "\(result.message)")
  }

  @Test(arguments: Way.allCases.filter { $0 != .part })
  func `in a child that appears later, when it is reduced`(_ way: Way) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way] in
      let pair = Pair(first: false, second: false, hasTwoNames: true)
      let store = try way.makeStore(pair.feature, filled: false)
      store.dispatch(Fill())
      store.dispatch(way.edit)
    }
    #expect(result.message.contains("a child appeared"), "\(result.message)")
    #expect(result.message.contains("_word` has two reducers"), "\(result.message)")
  }

  private struct Sheets: Sendable {
    @Plain var row: Row? = nil
  }

  @Test func `of features of its children, and of an Constant beside one`() {
    func sheet(_ name: String) -> Lens<Sheets, Row?> { Lens(name: name, \.row) }
    let row = Feature<Row> {
      Constant(\.id)
      Self.owner(isConstant: false, "word")
    }
    let twice = faults {
      try Store(initialState: Sheets()) {
        row.optional().lifted(sheet("row"))
        row.optional().lifted(sheet("_row"))
      }
    }
    #expect(twice == [.twoFeatures(property: "_row")])
    let constant = faults {
      try Store(initialState: Sheets()) {
        row.optional().lifted(sheet("row"))
        Constant(sheet("_row"))
      }
    }
    #expect(constant == [.constantChildren(property: "_row")])
    let beside = faults {
      try Store(initialState: Sheets()) {
        row.optional().lifted(sheet("row"))
        Mutator(lens: sheet("_row")) { (row: inout Row?, _: Fill) in row = Row() }
      }
    }
    #expect(beside == [])
  }

  /// A state whose reflection runs code of the app.
  private struct Reflected: Sendable, CustomReflectable {
    final class Hook: Sendable {
      let run = Mutex<(@Sendable () -> Void)?>(nil)
    }

    let hook: Hook
    var word = ""

    var customMirror: Mirror {
      let run = hook.run.withLock { $0.take() }
      run?()
      return Mirror(self, children: ["_word": word], displayStyle: .struct)
    }

    static func owner(_ name: String) -> Mutator<Reflected, String> {
      Mutator(
        lens: Lens(name: name, get: \.word, set: { _, word in Reflected(hook: Hook(), word: word) })
      ) {
        (word: inout String, _: Edit) in word += "x"
      }
    }
  }

  @Test func `of two that are registered at once, one is refused`() throws {
    let hook = Reflected.Hook()
    let store = Store(initialState: Reflected(hook: hook), coverage: .complete)
    hook.run.withLock {
      $0 = { [unowned store] in
        #expect(throws: Never.self) { try store.register(Reflected.owner("_word")) }
        #expect(store.state.word == "", "no lock is held")
      }
    }
    let error = #expect(throws: RegistrationError.self) {
      try store.register(Reflected.owner("word"))
    }
    #expect(error?.faults == [.twoReducers(property: "_word")])
    store.dispatch(Edit())
    #expect(store.state.word == "x")
  }
}
