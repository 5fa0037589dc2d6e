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

  /// The first cells of the rows between the two marks, without those of headings.
  private static func documentedTitles() throws -> Set<String> {
    let file = CodeRegions.package.appending(path: "docs/benchmarks.md")
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let begin = try #require(lines.firstIndex { $0.contains("measured: begin") })
    let end = try #require(lines.firstIndex { $0.contains("measured: end") })
    var titles: Set<String> = []
    for index in begin..<end where lines[index].hasPrefix("| ") {
      if lines[index + 1].hasPrefix("|---") { continue }
      titles.insert(lines[index].dropFirst(2).components(separatedBy: " | ")[0])
    }
    return titles
  }

  @Test func `each registered benchmark has its row, and each row its benchmark`() throws {
    let (registered, documented) = (try Self.registeredTitles(), try Self.documentedTitles())
    #expect(registered.count > 40)
    #expect(
      registered.subtracting(documented).sorted() == [],
      "write the tables: swift run -c release lensed-benchmarks --markdown docs/benchmarks.md")
    #expect(documented.subtracting(registered).sorted() == [])
  }
}
