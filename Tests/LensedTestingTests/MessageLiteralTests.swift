import Foundation
import LensedTestSupport
import Testing

@Suite struct `The messages of the test kit` {
  /// The files of some folders, by name.
  private static func files(in folders: [String]) throws -> [(name: String, text: String)] {
    try folders.flatMap { folder in
      let root = CodeRegions.package.appending(path: folder)
      let files = try #require(
        FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
      var found: [(name: String, text: String)] = []
      for case let file as URL in files where file.pathExtension == "swift" {
        found.append((file.lastPathComponent, try String(contentsOf: file, encoding: .utf8)))
      }
      return found
    }
  }

  /// Whether a piece of a literal is a sentence, or a part of one, that a person reads.
  private static func isMessage(_ piece: String) -> Bool {
    piece.split(separator: " ").count { $0.contains(where: \.isLetter) } > 1
  }

  private static func messages(in text: String) -> [String] {
    MessageLiterals.pieces(of: text).filter(isMessage)
  }

  /// A test that compares a message has its text: all of it, but for what is interpolated.
  @Test func `each is the text of some test`() throws {
    let tests = try Self.files(in: ["Tests/LensedTestingTests"]).map(\.text)
      .joined(separator: "\n")
    let compared = MessageLiterals.normal(
      tests.replacing("\\\"", with: "\"").replacing("\\n", with: " ")
        .replacing("\\\\", with: "\\"))
    var count = 0
    for file in try Self.files(in: ["Sources/LensedTesting"]) {
      for message in Self.messages(in: file.text) {
        count += 1
        let isCompared = compared.contains(message.trimmingCharacters(in: .whitespaces))
        #expect(isCompared, "\(file.name): no test compares “\(message)”")
      }
    }
    #expect(count > 60)
  }

  @Test func `would be found, whatever literal they stand in`() {
    let code = #"""
      // A comment says "nothing that counts".
      report("one two \(name("three four", (5)) ) five six", """
        seven \
        eight nine
          ten \(x) "eleven twelve"
        """)
      let key = "key"
      fail("a \"quoted name\" and\nmore")
      """#
    #expect(
      Self.messages(in: code) == [
        "one two ", "three four", " five six", " seven eight nine ten ", " \"eleven twelve\" ",
        "a \"quoted name\" and more",
      ])
  }
}
