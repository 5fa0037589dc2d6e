import Foundation
import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("Contract: the catalogues", .timeLimit(.minutes(30)))
struct CatalogueTests {
  @Test func `the landing page's example does what its comments say`() throws {
    let printed = Recorder<String>()
    @Sendable func print(_ line: String) { printed.append(line) }

    // GUIDE: The example
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
    // GUIDE: end

    #expect(printed.values == ["count: 0", "count: 1", "count: 2"])
    shown.cancel()
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "Lensed") == marked)
  }

  /// Every article with a block of Swift is compared with the code of a test.
  @Test func `no article shows code that no test compares`() throws {
    let compared = try comparedArticles()
    let libraries = ["Lensed", "LensedPresenters", "LensedTesting", "LensedPersistence"]
    let articles = try libraries.flatMap { library -> [String] in
      let folder = CodeRegions.package.appending(path: "Sources/\(library)/\(library).docc")
      return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".md") }
        .map { String(URL(filePath: $0).deletingPathExtension().lastPathComponent) }
    }
    #expect(articles.count > 15)
    let showing = try articles.filter { name in
      // Pages that only add to a symbol lie in a folder of their own, and show no code.
      try !name.contains("+") && !CodeRegions.swiftBlocks(ofArticle: name).isEmpty
    }
    #expect(Set(showing).subtracting(compared) == [])
  }

  /// Markdown takes `<Found>` in a sentence for a tag, and a page shows nothing of it.
  @Test func `no sentence has the brackets of a type outside of code`() throws {
    let articles = try catalogueFiles(["md", "tutorial"])
    #expect(articles.count > 50)
    for article in articles {
      var isCode = false
      let text = try String(contentsOf: article, encoding: .utf8)
      let prose = text.split(separator: "\n").filter { line in
        if line.hasPrefix("```") || line.hasPrefix("~~~") {
          isCode.toggle()
          return false
        }
        return !isCode
      }
      let tags = prose.joined(separator: "\n").replacing(/`+[^`]*`+/, with: "")
        .matches(of: /<(?!doc:|https?:)[^>\n]*>/).map { String($0.output) }
      #expect(tags == [], "\(article.lastPathComponent)")
    }
  }

  /// A window of 400 pixels gives a picture 360.
  @Test func `the words of a picture can be read on a telephone`() throws {
    let pictures = try catalogueFiles(["svg"])
    #expect(pictures.count > 3)
    for picture in pictures {
      let text = try String(contentsOf: picture, encoding: .utf8)
      let width = try #require(
        text.firstMatch(of: /viewBox="\S+ \S+ (\d+)/).flatMap { Double($0.1) })
      for match in text.matches(of: /font-size[:="]+(\d+)/) {
        let size = try #require(Double(match.1)) * min(1, 360 / width)
        #expect(size >= 8, "\(picture.lastPathComponent): \(match.0)")
      }
    }
  }

  private func catalogueFiles(_ extensions: Set<String>) throws -> [URL] {
    let sources = CodeRegions.package.appending(path: "Sources")
    return try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      .filter { $0.contains(".docc/") }.map { sources.appending(path: $0) }
      .filter { extensions.contains($0.pathExtension) }
  }

  /// The articles that some test names.
  private func comparedArticles() throws -> Set<String> {
    let folder = CodeRegions.package.appending(path: "Tests")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try paths.filter { $0.hasSuffix("Tests.swift") }.reduce(into: []) { names, path in
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      for match in text.matches(of: /swiftBlocks\(ofArticle: "(\w+)"\)/) {
        names.insert(String(match.1))
      }
    }
  }
}
