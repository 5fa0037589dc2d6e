#if os(macOS) || os(Linux)
  import LensedTestSupport
  import Testing

  @Suite(
    "What a closure returns and nobody reads is told by the compiler",
    .timeLimit(.minutes(30)))
  struct ReturnedValueTests {
    private static let setting = """
      import Lensed

      struct AppState: Sendable, Equatable {
        var text = ""
        var count = 0
      }
      struct Row: Sendable, Equatable, Identifiable { let id: Int }
      enum Go: Action { case go }
      struct Found: Sendable {}
      let store = Store(initialState: AppState(), coverage: .partial)
      typealias Loading = AsyncResult<Int>
      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    /// Each place that takes a closure, and what the compiler says of it.
    ///
    /// `BODY` is the end of the closure: what nobody reads, or what does not fit.
    private static let closures: [(code: String, complaint: String)] = [
      ("Mutator(\\AppState.count) { (count: inout Int, _: Go) in BODY }", unused),
      ("Mutator(\\AppState.count) { (count: inout Int, _: Go) in _ = 1; return BODY }", mismatch),
      (
        "Mutator(\\AppState.count) { (_: inout Int, _: Go) in }.on(Go.self) { _, _ in BODY }",
        unused
      ),
      (
        "Mutator(\\AppState.count) { (_: inout Int, _: Go) in }.on(Go.self, reading: \\.text) { _, _, _ in BODY }",
        unused
      ),
      ("Reducer { (count: inout Int, _: Go) in BODY }", unused),
      ("AsyncMutator(\\AppState.count) { (_: Int, _: Go) in BODY }", mismatch),
      ("AsyncMutator(\\AppState.count) { (_: Int, _: Go) -> Loading in BODY }", "Loading"),
      (
        "AsyncMutator(\\AppState.count) { (_: Int, _: Go) in Loading(value: 1) }.afterEach { _, _ in BODY }",
        unused
      ),
      ("AsyncResult { 1 }.map { (number: Int) -> String in BODY }", "'String'"),
      ("Derived(\\AppState.text) { (text: String) -> Int in BODY }", "'Int'"),
      ("store.changes().subscribe { _ in BODY }", unused),
      ("store.changes().subscribe(onMain: { _ in BODY })", unused),
      ("store.states(\\.count).subscribe { _ in BODY }", unused),
      ("Feature<AppState>(\"one\", onInstall: { _ in BODY }) {}", unused),
      ("Feature<AppState>(\"one\", onRemove: { BODY }) {}", unused),
      ("Effect<AppState>(on: Go.self, catch: { _, _ in BODY }) { _, _ in }", unused),
      ("Effect<AppState>(on: Go.self, when: { _, _ in BODY }) { _, _ in }", "'Bool'"),
      ("ActionLogger<AppState> { _ in BODY }", unused),
      (
        "Store(initialState: 1, onEffectError: { _ in BODY }, parts: { Constant(\\Int.self) })",
        unused
      ),
      (
        "Store(initialState: 1, onWarning: { _ in BODY }, parts: { Constant(\\Int.self) })", unused
      ),
      ("History<AppState>(\\.count, recording: { _ in BODY })", "'Bool'"),
      ("History<AppState>(\\.count, grouping: { _, _ in BODY })", "'Bool'"),
    ]

    /// It is a warning, which complete builds do not let pass.
    private static let unused = "is unused"
    private static let mismatch = "'Found'"

    @Test func `in each closure of the library`() throws {
      let lines = Self.closures.map { $0.code.replacing("BODY", with: "Found()") }
      let functions = lines.enumerated().map { "func attempt\($0)() throws { _ = try \($1) }" }
      let errors = try SwiftCompiler().errors(in: Self.setting + functions, andWarnings: true)
        .filter { !$0.text.contains("no calls to throwing functions") }
      #expect(errors.filter { $0.line <= Self.setting.count } == [])
      for (number, attempt) in Self.closures.enumerated() {
        let said = errors.filter { $0.line == Self.setting.count + number + 1 }.map(\.text)
        #expect(said.contains { $0.contains(attempt.complaint) }, "\(lines[number]): \(said)")
      }
    }
  }
#endif
