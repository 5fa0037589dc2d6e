import Foundation
import LensedTestSupport
import Testing

@Suite("The document of the benchmarks shows each benchmark, and no other")
struct BenchmarkDocumentTests {
  /// The titles of what is registered in the folder `Rows`, each the second string of a registration.
  private static func registeredTitles() throws -> Set<String> {
    let registration = /(?:Pair|Curve|Rate|MemoryRow)\(\s*"[^"]+",\s*"([^"]+)"/
    let folder = CodeRegions.package.appending(path: "Benchmarks/lensed-benchmarks/Rows")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return try files.reduce(into: []) { titles, file in
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: registration) { titles.insert(String(match.1)) }
    }
  }

  /// The lines of the document.
  private static func lines() throws -> [String] {
    let file = CodeRegions.package.appending(path: "docs/benchmarks.md")
    return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The cells of the rows between the two marks of a name, without those of headings.
  private static func rows(of name: String) throws -> [[String]] {
    let lines = try lines()
    let begin = try #require(lines.firstIndex { $0.contains("\(name): begin") })
    let end = try #require(lines.firstIndex { $0.contains("\(name): end") })
    return (begin..<end).filter { lines[$0].hasPrefix("| ") && !lines[$0 + 1].hasPrefix("|---") }
      .map { lines[$0].dropFirst(2).dropLast(2).components(separatedBy: " | ") }
  }

  private static func documentedTitles() throws -> Set<String> {
    Set(try rows(of: "measured").map { $0[0] })
  }

  @Test func `each registered benchmark has its row, and each row its benchmark`() throws {
    let (registered, documented) = (try Self.registeredTitles(), try Self.documentedTitles())
    #expect(registered.count > 40)
    #expect(
      registered.subtracting(documented).sorted() == [],
      "write the tables: swift run -c release lensed-benchmarks --markdown docs/benchmarks.md")
    #expect(documented.subtracting(registered).sorted() == [])
  }

  @Test func `it opens with one table that a stranger understands, and one picture`() throws {
    let lines = try Self.lines()
    let table = try #require(lines.firstIndex { $0.hasPrefix("| ") })
    let mark = try #require(lines.firstIndex { $0.contains("overview: begin") })
    let picture = try #require(lines.firstIndex { $0.hasPrefix("![") })
    let heading = try #require(lines.firstIndex { $0.hasPrefix("## ") })
    #expect(mark < table && table < picture && picture < heading)
    let rows = try Self.rows(of: "overview")
    #expect(rows.count == 10)
    let time = /[0-9][0-9,.]* ns/
    for row in rows {
      try #require(row.count == 5, "\(row)")
      #expect(row[1].wholeMatch(of: time) != nil && row[3].wholeMatch(of: time) != nil, "\(row)")
      #expect(!row[0].isEmpty && !row[4].isEmpty, "\(row)")
    }
  }

  @Test func `the picture begins with the cost of a dispatch as an app grows`() throws {
    let picture = try String(
      contentsOf: CodeRegions.package.appending(path: "docs/benchmarks.svg"), encoding: .utf8)
    let panel = try #require(picture.range(of: "What one dispatch costs as an app grows"))
    for line in ["properties", "observers of others", "threads at once", "stores in turn"] {
      let place = try #require(picture.range(of: ">\(line): "), "\(line)")
      #expect(panel.lowerBound < place.lowerBound)
    }
    for line in 0..<4 { #expect(picture.contains("class=\"line-\(line)\"")) }
  }
}
