import Foundation
import LensedTestSupport
import Testing

@Suite struct `The names that a state shares with its store` {
  /// The names of the public members of some types, from the list of the public interface.
  private static func members(of types: Set<String>) throws -> Set<String> {
    let file = CodeRegions.package.appending(path: "docs/interface.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return lines.reduce(into: []) { names, line in
      guard let match = line.wholeMatch(of: /(\w+)\.([a-z]\w*)(\(.*\))?/),
        types.contains(String(match.1)), !["init", "subscript"].contains(match.2)
      else { return }
      names.insert(String(match.2))
    }
  }

  /// The words between backticks in the paragraph of a comment that begins with some words.
  private static func words(of file: String, from beginning: String) throws -> Set<String> {
    let text = try String(
      contentsOf: CodeRegions.package.appending(path: "Sources/Lensed/\(file)"), encoding: .utf8)
    let start = try #require(text.firstRange(of: beginning)).lowerBound
    let end = try #require(text[start...].firstRange(of: /\/\/\/\n|\n@|\npublic/)).lowerBound
    return Set(text[start..<end].matches(of: /`([A-Za-z]+)`/).map { String($0.1) })
  }

  @Test func `are all in the documentation of stores, scopes and contexts`() throws {
    let named = try Self.words(
      of: "Store/StateObserving.swift", from: "A property of the state that is")
    let types: Set = [
      "ActionDispatching", "StateObserving", "Store", "ScopedStore", "EffectContext",
    ]
    let members = try Self.members(of: types)
    #expect(members.count > 10)
    #expect(named == members)
  }
}
