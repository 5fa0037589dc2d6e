public import Foundation

/// The lines that a guide shows and a test contains, to be compared.
public enum CodeRegions {
  /// What stands between the marks `// WORD: …` and `// WORD: end` of a source file, one list for
  /// each pair, without indentation.
  public static func marked(_ word: String, in file: String) throws -> [[String]] {
    let end = "// \(word): end"
    return try regions(
      of: URL(filePath: file), from: { $0.hasPrefix("// \(word): ") && $0 != end }, to: end)
  }

  /// The folder of the package.
  public static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The lines of a guide's blocks of Swift code, without indentation.
  public static func swiftBlocks(of guide: String) throws -> [[String]] {
    try regions(of: package.appending(path: guide), from: { $0 == "```swift" }, to: "```")
  }

  /// The file of an article, by its name, in whichever catalogue it stands.
  public static func article(_ name: String) -> URL {
    let libraries = [
      "Lensed", "LensedPresenters", "LensedTesting", "LensedPersistence", "LensedInspector",
    ]
    let file = libraries.lazy
      .map { package.appending(path: "Sources/\($0)/\($0).docc/\(name).md") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
    return file ?? package.appending(path: "\(name).md")
  }

  /// The lines of an article's blocks of Swift code, without indentation.
  public static func swiftBlocks(ofArticle name: String) throws -> [[String]] {
    try regions(of: article(name), from: { $0 == "```swift" }, to: "```")
  }

  /// What stands between lines that match `begins` and the next line `end`.
  private static func regions(
    of file: URL, from begins: (String) -> Bool, to end: String
  ) throws -> [[String]] {
    let text = try String(contentsOf: file, encoding: .utf8)
    var (found, current) = ([[String]](), [String]?.none)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line == end, let region = current.take() {
        found.append(region)
      } else if current != nil {
        current?.append(line)
      } else if begins(line) {
        current = []
      }
    }
    return found
  }
}
