#if os(macOS) || os(Linux)
  import LensedTestSupport
  import Testing

  @Suite(
    "What is no action is told so, and nothing else",
    .timeLimit(.minutes(30)))
  struct NoActionTests {
    private static let setting = """
      import Lensed
      import LensedPresenters
      struct AppState: Sendable { var counter = 0 }
      enum CounterAction: Action { case increase }
      struct NotAnAction {}
      let (number, numbers, value, values) = (5, [1, 2], NotAnAction(), [NotAnAction()])
      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    /// What is dispatched, and the whole of what the compiler says about it; `DISPATCH` is the name of the function.
    private static let attempts = [
      ("5", "argument type 'Int' does not conform to expected type 'Action'"),
      ("number", "argument type 'Int' does not conform to expected type 'Action'"),
      ("\"five\"", "argument type 'String' does not conform to expected type 'Action'"),
      ("NotAnAction()", "DISPATCH requires that 'NotAnAction' conform to 'Action'"),
      ("value", "DISPATCH requires that 'NotAnAction' conform to 'Action'"),
      (
        "AsyncStream<Int> { _ in }", "DISPATCH requires that 'AsyncStream<Int>' conform to 'Action'"
      ),
      ("[\"a\": 1]", "argument type '[String : Int]' does not conform to expected type 'Action'"),
      ("(CounterAction.increase, 1)", "type '(CounterAction, Int)' cannot conform to 'Action'"),
    ]

    private static let arrays = [
      "[1, 2]", "numbers", "[NotAnAction(), NotAnAction()]", "values", "[[1, 2]]",
      "[CounterAction.increase, 2]", "[CounterAction.increase, NotAnAction()]",
    ]

    /// Everything that dispatches, with the name of its function.
    private static let dispatchers = [
      ("Store<AppState>", ".dispatch", "dispatch"),
      ("ScopedStore<AppState>", ".dispatch", "dispatch"),
      ("EffectContext<AppState>", ".dispatch", "dispatch"),
      ("ObservedStore<AppState>", ".dispatch", "dispatch"),
      ("Dispatcher", "", "callAsFunction"),
    ]

    @Test func `all errors about it are the one that it does not conform to the protocol`() throws {
      var lines: [String] = []
      var expected: [String] = []
      for (type, call, name) in Self.dispatchers {
        let signature = "\(name)(_:fileID:function:line:)"
        for (argument, message) in Self.attempts {
          lines.append("_ = dispatcher\(call)(\(argument))|\(type)")
          expected.append(
            message.replacing("DISPATCH", with: "instance method '\(signature)'"))
        }
        for argument in Self.arrays {
          lines.append("_ = dispatcher\(call)(\(argument))|\(type)")
          expected.append(
            "'\(signature)' is unavailable: the array has elements that do not conform to 'Action'")
        }
      }
      let functions = lines.enumerated().map { number, line in
        let (code, type) = (line.split(separator: "|")[0], line.split(separator: "|")[1])
        return "@MainActor func attempt\(number)(_ dispatcher: \(type)) { \(code) }"
      }
      let errors = try SwiftCompiler().errors(in: Self.setting + functions)
      for (number, line) in lines.enumerated() {
        let said = errors.filter { $0.line == Self.setting.count + number + 1 }.map {
          // A newer compiler adds the group of the error.
          $0.text.replacing(#/ \[#[A-Za-z]+\]$/#, with: "")
        }
        #expect(said == [expected[number]], "\(line)")
      }
      #expect(errors.filter { $0.line <= Self.setting.count } == [])
    }
  }
#endif
