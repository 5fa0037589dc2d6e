import Foundation
import Lensed
import LensedTestSupport
import Testing

/// What the README shows, word for word: between the marks stand the very lines of its code blocks.
@Suite("Contract: the README's code")
struct ReadmeTests {
  @Test func `the example does what its comments say`() throws {
    let printed = Recorder<String>()
    @Sendable func print(_ line: Any) { printed.append("\(line)") }

    // README: An example
    struct AppState {
      var counter = 0
      var notes: [String] = []
    }
    enum CounterAction: Action { case increase, reset }
    struct Note: Action { let text: String }

    let store = try Store(initialState: AppState()) {
      Mutator(\.counter) { (counter: inout Int, action: CounterAction) in
        counter = action == .reset ? 0 : counter + 1
      }
      Mutator(\.notes) { (notes: inout [String], note: Note) in notes.append(note.text) }
    }
    let shown = store.states(\.counter).subscribe { print("count: \($0)") }  // count: 0
    store.dispatch(CounterAction.increase)  // count: 1
    store.dispatch([CounterAction.increase, Note(text: "hi")])  // one commit, count: 2
    // README: end

    #expect(printed.values == ["count: 0", "count: 1", "count: 2"])
    #expect(store.notes == ["hi"])
    shown.cancel()
  }

  @Test func `the README shows these very lines, and no others in Swift`() throws {
    let marked = try Self.markedRegions()
    #expect(marked.count == 1)
    #expect(try Self.swiftBlocks() == marked)
  }

  @Test func `the example is fifteen lines long`() throws {
    let example = try #require(try Self.markedRegions().first)
    #expect(example.count { !$0.isEmpty } == 15)
  }

  @Test func `the README is short, and what it names is there`() throws {
    let text = try String(
      contentsOf: CodeRegions.package.appending(path: "README.md"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 111)
    let files = text.matches(of: /\]\(([^)#:]+)\)/).map { String($0.output.1) }
      .filter { !$0.hasPrefix("../../") }
    #expect(files.count > 20)
    for file in files {
      let path = CodeRegions.package.appending(path: file).path
      #expect(FileManager.default.fileExists(atPath: path), "\(file)")
    }
  }

  /// The lines between the marks of this file.
  private static func markedRegions() throws -> [[String]] {
    try CodeRegions.marked("README", in: #filePath)
  }

  /// The lines of the README's blocks of Swift code, but for the one that belongs in a manifest.
  private static func swiftBlocks() throws -> [[String]] {
    try CodeRegions.swiftBlocks(of: "README.md").filter { block in
      !block.contains { $0.hasPrefix(".package(") }
    }
  }
}
