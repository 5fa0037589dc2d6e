#if os(macOS) || os(Linux)
  import Foundation
  import LensedTestSupport
  import Testing

  @Suite(
    "The examples in the comments", .timeLimit(.minutes(30)))
  struct CommentExampleTests {
    /// What the examples take for granted.
    private static let setting = """
      import Lensed

      struct User: Sendable, Equatable { var name = "" }
      struct AppState: Sendable {
        var counter = 0
        var user = User()
        var configuration = ""
        var document = ""
        var isOnline = true
      }
      enum CounterAction: Action { case increase(Int), reset }
      enum BuyAction: Action { case buy(String) }
      struct LogOut: Action {}
      struct TickAction: Action {}
      struct SyncAction: Action {}
      struct SelectionAction: Action {}
      struct TypingAction: Action {}
      let counterReducer = Reducer { (counter: inout Int, _: CounterAction) in counter += 1 }
      let userReducer = Reducer { (user: inout User, _: LogOut) in user = User() }
      let counterMutator = Mutator(\\AppState.counter, counterReducer)
      let userMutator = Mutator(\\AppState.user, userReducer)
      let fresh = Store(initialState: AppState(), coverage: .partial)
      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    /// The examples in the comments of the library that make a store, each with the file it stands in.
    private static func storeExamples() throws -> [(file: String, lines: [String])] {
      let sources = CodeRegions.package.appending(path: "Sources/Lensed")
      let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      var examples: [(file: String, lines: [String])] = []
      for file in files.sorted() where file.hasSuffix(".swift") {
        let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
        var example: [String]?
        for line in text.split(separator: "\n") {
          let line = line.trimmingCharacters(in: .whitespaces)
          if line == "/// ```", let lines = example.take() {
            if lines.contains(where: { $0.contains("initialState: AppState()") }) {
              examples.append((file, lines))
            }
          } else if line == "/// ```swift" {
            example = []
          } else {
            example?.append(String(line.dropFirst(4)))
          }
        }
      }
      return examples
    }

    @Test func `that make a store compile`() throws {
      var lines = Self.setting
      var origins = lines.map { _ in "setting" }
      let examples = try Self.storeExamples()
      #expect(examples.count > 10)
      for (number, example) in examples.enumerated() {
        let body = example.lines.map { line in
          // What an example leaves out.
          line == "…" ? "" : line.replacing("{ … }", with: "{ counterMutator }")
        }
        lines += ["func example\(number)() async throws {"] + body + ["}"]
        origins += Array(repeating: example.file, count: body.count + 2)
      }
      for error in try SwiftCompiler().errors(in: lines) {
        Issue.record("\(origins[error.line - 1]): \(lines[error.line - 1]): \(error.text)")
      }
    }
  }
#endif
