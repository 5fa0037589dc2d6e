#if os(macOS) || os(Linux)
  import Testing

  /// Under the address sanitizer the leak of Foundation's own `Process` would be reported.
  #if ASAN
    private let isLeakChecked = true
  #else
    private let isLeakChecked = false
  #endif

  @Suite(
    "Who writes to the state is told to dispatch", .disabled(if: isLeakChecked),
    .timeLimit(.minutes(30)))
  struct ReadOnlyStateTests {
    private static let setting = """
      import Lensed

      struct Opaque: Sendable { var number = 0 }
      struct AppState: Sendable {
        var counter = 0
        var title = ""
        var opaque = Opaque()
        let fixed = 1
      }
      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    private static let head = """
      store: Store<AppState>, scope: ScopedStore<AppState>, observed: ObservedStore<AppState>, \
      context: EffectContext<AppState>
      """

    private static let writes = [
      "store.counter = 1",
      "store.counter += 1",
      "store.title.append(\"a\")",
      "store.opaque.number = 1",
      "store.fixed = 2",
      "var store = store; store.counter = 1",
      "scope.counter = 1",
      "var scope = scope; scope.title.append(\"a\")",
      "context.counter += 1",
      "observed.counter = 1",
      "observed.title.append(\"a\")",
      "observed.opaque.number += 1",
    ]

    private func firstErrors(in statements: [String]) throws -> [String?] {
      let lines = statements.enumerated().map { number, statement in
        "@MainActor func attempt\(number)(\(Self.head)) { \(statement) }"
      }
      let errors = try SwiftCompiler().errors(in: Self.setting + lines)
      return statements.indices.map { number in
        errors.first { $0.line == Self.setting.count + number + 1 }?.text
      }
    }

    @Test func `whether the store is a constant or a variable, and the property too`() throws {
      for (statement, error) in zip(Self.writes, try firstErrors(in: Self.writes)) {
        #expect(
          error == """
            setter for 'subscript(dynamicMember:)' is unavailable: the state can be read and not written: \
            dispatch an action
            """, "\(statement)")
      }
    }

    @Test func `a key path to a property of a store only reads`() throws {
      let statements = ["Store", "ScopedStore", "EffectContext"].map {
        "let _: WritableKeyPath<\($0)<AppState>, Int> = \\\($0)<AppState>.counter"
      }
      for (statement, error) in zip(statements, try firstErrors(in: statements)) {
        #expect(error?.hasPrefix("cannot convert key path type") ?? false, "\(statement)")
      }
    }

    @Test func `reading is as it was`() throws {
      let statements = [
        "_ = store.counter + scope.counter + context.counter + observed.counter",
        "_ = store.title.count + scope.opaque.number + context.fixed + observed.opaque.number",
        "let _: [Int] = [store].map(\\.counter)",
        "let _: [Int] = [scope].map(\\.title.count)",
        "let _: (Store<AppState>) -> Int = \\.opaque.number",
      ]
      #expect(try firstErrors(in: statements).allSatisfy { $0 == nil })
    }
  }
#endif
