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
    let titles = try Self.registeredTitles()
    // Those that are made of several pieces begin with the first of them; `--list` has them whole, which
    // `BenchmarkLimitTests` compares.
    let beginnings = titles.filter { $0.contains("\\(") }.map {
      $0.components(separatedBy: "\\(")[0]
    }
    let registered = titles.filter { !$0.contains("\\(") }
    let documented = try Self.documentedTitles().filter { title in
      registered.contains(title) || !beginnings.contains { title.hasPrefix($0) }
    }
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

  @Test func `the first picture shows the cost of a dispatch as an app grows`() throws {
    let picture = try Self.picture("overview")
    #expect(picture.contains("What one dispatch costs as an app grows"))
    for line in ["properties", "observers of others", "threads at once", "stores in turn"] {
      #expect(picture.contains(">\(line): "), "\(line)")
    }
    for line in 0..<4 { #expect(picture.contains("class=\"line-\(line)\"")) }
  }

  @Test(arguments: ["overview", "benchmarks"])
  func `no text of a picture runs into another, into a bar, or out of its panel`(name: String)
    throws
  {
    let picture = try Self.picture(name)
    let texts = Self.texts(of: picture)
    let (page, panels, bars) = (
      Self.boxes("page", of: picture), Self.boxes("panel", of: picture),
      ["met", "aim", "missed"].flatMap { Self.boxes("bar-\($0)", of: picture) }
    )
    try #require(texts.count > 30 && page.count == 1 && !panels.isEmpty && bars.count > 7)
    for (index, text) in texts.enumerated() {
      for other in texts[(index + 1)...] {
        #expect(!text.place.intersects(other.place), "\(text.text) and \(other.text)")
      }
      for bar in bars { #expect(!text.place.intersects(bar), "\(text.text), at \(bar)") }
      for panel in panels + page {
        #expect(
          panel.contains(text.place) || !panel.intersects(text.place), "\(text.text), at \(panel)")
      }
    }
  }

  @Test func `the first picture fits on a screen`() throws {
    let page = try #require(Self.boxes("page", of: Self.picture("overview")).first)
    #expect(page.width <= 1_100 && page.height <= 750)
  }

  private static func picture(_ name: String) throws -> String {
    let file = CodeRegions.package.appending(path: "docs/\(name).svg")
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// The rectangles of a style.
  private static func boxes(_ style: String, of picture: String) -> [CGRect] {
    elements("rect", of: picture).filter { $0["class"] == style }.map { box in
      CGRect(
        x: number("x", of: box), y: number("y", of: box), width: number("width", of: box),
        height: number("height", of: box))
    }
  }

  /// The texts, each with the place that it takes at most, by the number of its characters.
  private static func texts(of picture: String) -> [(text: String, place: CGRect)] {
    let sizes: [String: Double] = ["title": 20, "heading": 14, "small": 11, "big": 18]
    return elements("text", of: picture).compactMap { element in
      guard let text = element["content"], !text.isEmpty else { return nil }
      let style = element["class"]?.components(separatedBy: " ")[0] ?? ""
      let size: Double = sizes[style] ?? 13
      let width = Double(text.count) * size * 0.58
      var start = number("x", of: element)
      if element["text-anchor"] == "middle" { start -= width / 2 }
      if element["text-anchor"] == "end" { start -= width }
      // Between the height of a capital letter and the line that letters stand on.
      let height = size * 0.72
      let top = number("y", of: element) - height
      return (text, CGRect(x: start, y: top, width: width, height: height))
    }
  }

  private static func number(_ name: String, of element: [String: String]) -> Double {
    element[name].flatMap { Double($0) } ?? 0
  }

  /// The attributes of each element of a name, and its `content`.
  private static func elements(_ name: String, of picture: String) -> [[String: String]] {
    picture.components(separatedBy: "<\(name) ").dropFirst().map { rest in
      let head = rest.prefix { $0 != ">" }
      var attributes: [String: String] = [:]
      let parts = head.components(separatedBy: "\"")
      for index in stride(from: 0, to: parts.count - 1, by: 2) {
        let name = parts[index].trimmingCharacters(in: CharacterSet(charactersIn: " =/"))
        attributes[name] = parts[index + 1]
      }
      attributes["content"] = String(rest.dropFirst(head.count + 1).prefix { $0 != "<" })
      return attributes
    }
  }
}
