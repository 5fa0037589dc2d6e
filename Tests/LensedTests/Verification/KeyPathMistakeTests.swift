#if os(macOS) || os(Linux)
  import LensedTestSupport
  import Testing

  @Suite(
    "A misspelled property is reported by its name",
    .timeLimit(.minutes(30)))
  struct KeyPathMistakeTests {
    private static let setting = """
      import Lensed

      struct Row: Sendable, Equatable, Identifiable {
        let id: Int
        var text = ""
      }
      struct Plain: Sendable { var number = 0 }
      struct AppState: Sendable, Equatable {
        var counter = 0
        var title = ""
        var rows: [Row] = []
        var sheet: Row?
        var row = Row(id: 1)
        let fixed = Row(id: 2)
      }
      enum CounterAction: Action { case increase }
      enum AppAction: Action { case counter(CounterAction) }
      let prism = Prism(AppAction.counter) { if case .counter(let action) = $0 { action } else { nil } }
      let matching = Prism<Row, Row>.identity
      let feature = Feature<Row> { Mutator(\\.text) { (text: inout String, _: CounterAction) in text = "" } }
      let mutator = Mutator(\\Row.text) { (text: inout String, _: CounterAction) in text = "" }
      let asyncMutator = AsyncMutator(\\Row.text) { (text: String, _: CounterAction) in AsyncResult(value: text) }
      let reducer = Reducer { (text: inout String, _: CounterAction) in text = "" }
      let effect = Effect<AppState>(on: CounterAction.self) { _, _ in }
      let rowEffect = Effect<Row>(on: CounterAction.self) { _, _ in }
      let named = Feature<Row>("named") { rowEffect }
      let derived = Derived(\\Row.text) { (text: String) in text.count }
      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    private static let head = """
      store: Store<AppState>, scope: ScopedStore<AppState>, observed: ObservedStore<AppState>, \
      context: EffectContext<AppState>, change: Change<AppState>
      """

    /// Statements, each with one property that `AppState` or `Row` does not have: it ends in `x`.
    private static let statements = """
      _ = store.scope(\\.titlex)
      _ = store.scope(\\.titlex, actions: .tagged(Int.self))
      _ = store.scope(\\.titlex, actions: .case(prism))
      _ = store.scope(\\.rowx, matching: matching)
      _ = store.scope(\\.rowsx, id: 7)
      _ = store.scope(\\.rowsx, id: 7, actions: .tagged(Int.self))
      _ = scope.scope(\\.titlex)
      _ = scope.scope(\\.rowsx, id: 7)
      _ = observed.scope(\\.titlex)
      _ = observed.scope(\\.titlex, actions: .tagged(Int.self))
      _ = observed.scope(\\.titlex, actions: .case(prism))
      _ = observed.scope(\\.rowsx, id: 7)
      _ = History<AppState>(\\.titlex)
      _ = History<AppState>(\\.titlex, limit: 5)
      _ = History<AppState>(\\.titlex, recording: { $0.isHandled }, grouping: { _, _ in true })
      _ = History(\\AppState.titlex, limit: 5)
      _ = Derived(\\AppState.titlex) { title in title.count }
      _ = Derived(\\AppState.titlex) { (title: String) in title.count }
      _ = Derived(\\AppState.title, \\AppState.counterx) { title, counter in title.count + counter }
      _ = derived.lifted(\\AppState.rowx)
      let _: Derived<AppState, Int> = derived.lifted(\\.rowx)
      _ = feature.lifted(\\AppState.rowx)
      let _: Feature<AppState> = feature.lifted(\\.rowx)
      let _: Feature<AppState> = mutator.lifted(\\.rowx)
      let _: Feature<AppState> = asyncMutator.lifted(\\.rowx)
      let _: Feature<AppState> = rowEffect.lifted(\\.rowx)
      let _: Feature<AppState> = named.lifted(\\.rowx)
      _ = reducer.lifted(\\AppState.titlex)
      let _: Reducer<AppState> = reducer.lifted(\\.titlex)
      let _: Reducer<AppState> = .combine(reducer.lifted(\\.titlex), .identity)
      _ = Lens(\\AppState.titlex)
      _ = Lens(name: "title", \\AppState.titlex)
      let _: Lens<AppState, String> = Lens(name: "title", \\.titlex)
      _ = Lens(\\AppState.row).appending(path: \\.textx)
      let _: Lens<AppState, String> = Lens(\\.row).appending(path: \\.textx)
      _ = Feature<AppState> { feature.lifted(\\.rowx) }
      _ = Feature<AppState> { mutator.lifted(\\.rowx) }
      _ = Feature<AppState> { rowEffect.lifted(\\.rowx) }
      _ = effect.tied(to: \\.sheetx)
      _ = effect.tied(to: \\.sheetx, by: \\.text)
      _ = effect.tied(to: \\.sheet, by: \\.textx)
      _ = effect.tied(to: \\.rowsx, id: 7)
      _ = effect.tied(to: \\.rowsx, id: 7, by: \\.text)
      _ = effect.tied(to: \\.rows, id: 7, by: \\.textx)
      _ = store.states(\\.rowsx, id: 7)
      _ = store.states(\\.rowsx, id: 7, repeats: .kept)
      for await row in store.states(\\.rowsx, id: 7) { print(row as Any) }
      _ = store[\\AppState.rowsx, id: 7]
      _ = store.states.select(\\.titlex)
      _ = store.states(\\.row).select(\\.textx)
      for await text in store.states(\\.row).select(\\.textx) { print(text) }
      _ = mutator.on(CounterAction.self, reading: \\.idx) { text, _, id in text = "\\(id)" }
      _ = Feature<Row> { mutator.on(CounterAction.self, reading: \\.idx) { text, _, id in text = "" } }
      _ = observed.titlex
      _ = observed[\\.titlex]
      observed.set(\\.titlex, to: "") { _ in CounterAction.increase }
      _ = Constant<AppState>(\\.titlex)
      _ = Feature<AppState> { Constant(\\.titlex) }
      _ = try StoreBlueprint<AppState> { Constant(\\.titlex) }
      _ = Feature<AppState> { Mutator(\\.titlex) { (title: inout String, _: CounterAction) in title = "" } }
      _ = Feature<AppState> { Mutator(\\.titlex, reducer) }
      _ = Feature<AppState> { AsyncMutator(\\.titlex) { (old: String, _: CounterAction) in .init(value: old) } }
      _ = Feature<AppState> { Effect(whenChanged: \\.titlex) { title, context in } }
      _ = Effect<AppState>(whenChanged: \\.titlex, including: [.installation]) { title, context in }
      _ = Effect<AppState>(whenChanged: \\.titlex, .latest, when: { _, _ in true }) { _, _ in }
      _ = Effect<AppState>(whenChanged: \\.rowsx, id: 7) { row, context in }
      _ = Effect<AppState>(whenChanged: \\.rowsx, id: 7, .latest) { _, _ in CounterAction.increase }
      _ = Effect<AppState>(whenChanged: { $0.titlex }) { title, context in }
      _ = context.states(\\.titlex)
      _ = change.difference(of: \\.rowsx)
      _ = try Store(initialState: AppState()) { Mutator(\\.titlex, reducer) }
      _ = try Store(initialState: AppState()) { Mutator(\\.titlex) { (title: inout String, _: CounterAction) in title = "" } }
      _ = try Store(initialState: AppState(), coverage: .partial, onWarning: { _ in }) { Constant(\\.titlex) }
      _ = try Store(initialState: AppState()) { AsyncMutator(\\.titlex) { (old: String, _: CounterAction) in .init(value: old) } }
      _ = try Store(initialState: AppState()) { Effect(whenChanged: \\.titlex) { title, context in } }
      _ = try Store(initialState: AppState()) { Mutator(\\.title, reducer); Constant(\\.counterx) }
      _ = try Store(initialState: AppState()) { feature.lifted(\\.rowx) }
      _ = try Store(initialState: AppState()) { feature.identified().lifted(\\.rowsx) }
      _ = try Store(initialState: AppState()) { mutator.lifted(\\.rowx) }
      _ = try Store(initialState: AppState()) { rowEffect.lifted(\\.rowx) }
      _ = try Store(initialState: AppState()) { named.lifted(\\.rowx) }
      try store.register(Mutator(\\.titlex, reducer))
      try store.register(Mutator(\\.titlex) { (title: inout String, _: CounterAction) in title = "" })
      try store.register(Constant(\\.titlex))
      try store.register(feature.lifted(\\.rowx))
      try store.register(mutator.lifted(\\.rowx))
      try store.register(Feature { Mutator(\\.titlex, reducer) })
      _ = try Store(initialState: AppState(), Feature { Mutator(\\.titlex, reducer) })
      _ = try Store(initialState: AppState(), feature.lifted(\\.rowx))
      _ = try StoreBlueprint<AppState>(Feature { Mutator(\\.titlex, reducer) })
      _ = store.install(rowEffect.lifted(\\.rowx))
      _ = store.install(named.lifted(\\.rowx))
      _ = store.install(Effect(whenChanged: \\.titlex) { title, context in })
      _ = store.install(Feature("named") { Effect(whenChanged: \\.titlex) { title, context in } })
      _ = Feature<AppState>("named") { rowEffect.lifted(\\.rowx) }
      """.split(separator: "\n").map(String.init)

    @Test func `the first error names the property, and no other form`() throws {
      let lines = Self.statements.enumerated().map { number, statement in
        "@MainActor func attempt\(number)(\(Self.head)) async throws { \(statement) }"
      }
      let errors = try SwiftCompiler().errors(in: Self.setting + lines)
      for (number, statement) in Self.statements.enumerated() {
        let first = errors.first { $0.line == Self.setting.count + number + 1 }
        let property = try #require(statement.firstMatch(of: /\.([a-z]+x)(?![a-z])/)).output.1
        let names = ["AppState", "Row"].map {
          "value of type '\($0)' has no member '\(property)'"
        }
        let isNamed =
          names.contains(first?.text ?? "")
          || first?.text == """
            value of type 'ObservedStore<AppState>' has no dynamic member '\(property)' using key path from \
            root type 'AppState'
            """
        #expect(isNamed, "\(statement): \(first?.text ?? "it compiles")")
      }
      #expect(errors.filter { $0.line <= Self.setting.count } == [])
    }

    /// Properties that are there and cannot be written, and what is said of them.
    private static let constants = [
      ("_ = store.scope(\\.fixed)", "a scope needs a WritableKeyPath"),
      ("let _: Feature<AppState> = feature.lifted(\\.fixed)", "a lift needs a WritableKeyPath"),
      ("let _: Feature<AppState> = rowEffect.lifted(\\.fixed)", "a lift needs a WritableKeyPath"),
      ("_ = History<AppState>(\\.fixed)", "a history needs a WritableKeyPath"),
      ("_ = Lens(\\AppState.fixed)", "a lens needs a WritableKeyPath"),
      ("_ = Lens(name: \"fixed\", \\AppState.fixed)", "a lens needs a WritableKeyPath"),
      ("_ = Lens(\\AppState.row).appending(path: \\.id)", "a lens needs a WritableKeyPath"),
      (
        "let _: Reducer<Row> = Reducer<Int>.identity.lifted(\\.id)",
        "a lift needs a WritableKeyPath"
      ),
    ]

    @Test func `a constant is no place to lift to, to undo in, or to make a lens of`() throws {
      let lines = Self.constants.enumerated().map { number, constant in
        "func attempt\(number)(_ store: Store<AppState>) { \(constant.0) }"
      }
      let errors = try SwiftCompiler().errors(in: Self.setting + lines)
      for (number, constant) in Self.constants.enumerated() {
        let first = errors.first { $0.line == Self.setting.count + number + 1 }
        #expect(first?.text.contains(constant.1) ?? false, "\(constant.0): \(first?.text ?? "")")
      }
    }

    @Test func `the same statements compile with the names that there are`() throws {
      // `x` marks the mistake; without it the key paths are those of the state.
      let right = Self.statements.map { $0.replacing(/\.([a-z]+)x(?![a-z])/) { "." + $0.output.1 } }
      let lines = right.enumerated().map { number, statement in
        "@MainActor func attempt\(number)(\(Self.head)) async throws { \(statement) }"
      }
      let errors = try SwiftCompiler().errors(in: Self.setting + lines)
      #expect(errors == [])
    }
  }
#endif
