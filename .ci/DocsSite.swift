// What `.ci/docs` asks of the documentation beyond DocC's own warnings, and the Markdown for machines.
import Foundation

struct Complaint: Error, CustomStringConvertible {
  let description: String
}

typealias Object = [String: Any]

func object(at file: URL) throws -> Any {
  try JSONSerialization.jsonObject(with: Data(contentsOf: file))
}

/// A public symbol, as the compiler's symbol graph has it.
struct Symbol {
  let path: [String]
  let kind: String
  let declaration: String
  let documentation: [String]

  init?(_ symbol: Object) {
    guard let path = symbol["pathComponents"] as? [String],
      let fragments = symbol["declarationFragments"] as? [Object],
      let kind = (symbol["kind"] as? Object)?["displayName"] as? String
    else { return nil }
    self.path = path
    self.kind = kind
    declaration = fragments.compactMap { $0["spelling"] as? String }.joined()
    let lines = (symbol["docComment"] as? Object)?["lines"] as? [Object] ?? []
    documentation = lines.compactMap { $0["text"] as? String }
  }

  /// The type or function that it belongs to: all functions of one name together.
  var root: String { path[0].split(separator: "(").first.map(String.init) ?? path[0] }

  /// Its name within the type, or the whole name of a function.
  var heading: String {
    path.count == 1 ? path[0] : path.dropFirst().joined(separator: ".")
  }

  /// The first sentence of its documentation.
  var summary: String {
    documentation.prefix { !$0.isEmpty }.joined(separator: " ")
  }
}

/// One library: its catalogue, its symbols, and what DocC made of them.
struct Library {
  let name: String
  let catalogue: URL
  let output: URL

  private var archive: URL { output.appending(path: "archives/\(name).doccarchive") }

  /// The symbols that have no documentation.
  ///
  /// DocC makes pages of its own for groups of symbols: those need none.
  func undocumented() throws -> [String] {
    let file = archive.appending(path: "documentation-coverage.json")
    guard let entries = try object(at: file) as? [Object], !entries.isEmpty else {
      throw Complaint(description: "\(file.path) has no entries.")
    }
    return entries.compactMap { entry in
      let isSymbol = (entry["kind"] as? Object)?["isSymbol"] as? Bool ?? true
      guard isSymbol, entry["hasAbstract"] as? Bool == false else { return nil }
      return entry["referencePath"] as? String
    }
    .sorted()
  }

  /// The topics of the landing page: each with a title and the last parts of its links.
  func topics() throws -> [(title: String, members: [String], isGenerated: Bool)] {
    let file = archive.appending(path: "data/documentation/\(name.lowercased()).json")
    let page = try object(at: file) as? Object
    let sections = page?["topicSections"] as? [Object] ?? []
    return sections.map { section in
      let links = section["identifiers"] as? [String] ?? []
      return (
        section["title"] as? String ?? "",
        links.map { $0.split(separator: "/").last.map(String.init) ?? "" },
        section["generated"] as? Bool ?? false
      )
    }
  }

  /// All public symbols, by the type at the root of their path.
  func symbols() throws -> [String: [Symbol]] {
    let folder = output.appending(path: "symbols/\(name)")
    var found: [String: [Symbol]] = [:]
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    {
      let graph = try object(at: file) as? Object
      for symbol in (graph?["symbols"] as? [Object] ?? []).compactMap(Symbol.init) {
        found[symbol.root, default: []].append(symbol)
      }
    }
    return found.mapValues { symbols in
      symbols.sorted {
        ($0.path.joined(separator: "/"), $0.declaration) < (
          $1.path.joined(separator: "/"), $1.declaration
        )
      }
    }
  }

  /// The files of the catalogue with an extension, by their names without it.
  func files(_ kind: String) -> [String: URL] {
    let all = FileManager.default.enumerator(at: catalogue, includingPropertiesForKeys: nil)
    let files = (all?.allObjects as? [URL] ?? []).filter { $0.pathExtension == kind }
    return Dictionary(files.map { ($0.deletingPathExtension().lastPathComponent, $0) }) { $1 }
  }
}

/// Writes the articles, the tutorials and the symbols of a library as Markdown.
struct MarkdownWriter {
  let library: Library
  let folder: URL

  /// Writes all of it, and returns the lines of the index.
  func write() throws -> [String] {
    let symbols = try library.symbols()
    let (articles, tutorials) = (library.files("md"), library.files("tutorial"))
    for folder in [folder, folder.appending(path: "symbols")] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    for (name, file) in articles where !isExtension(name) {
      try save(plain(try text(of: file)), as: "\(name).md")
    }
    for (name, file) in tutorials { try save(try tutorial(file), as: "\(name).md") }
    for (type, members) in symbols { try save(page(of: type, members), as: "symbols/\(type).md") }
    var lines: [String] = []
    for topic in try library.topics() {
      lines += ["", "## \(library.name): \(topic.title)", ""]
      for member in topic.members {
        let name =
          member == "Tutorials"
          ? member : member.split(separator: "(").first.map(String.init) ?? member
        if let article = articles[name] ?? tutorials[name] {
          let words = try text(of: article)
          let prose = article.pathExtension == "md" ? summary(words) : "two apps, step by step"
          lines.append("- [\(title(words) ?? name)](llms/\(library.name)/\(name).md): \(prose)")
        } else if let own = symbols[name] {
          let head = own.first { $0.path.count == 1 }
          lines.append(
            "- [\(name)](llms/\(library.name)/symbols/\(name).md): \(head?.summary ?? "")")
        } else {
          throw Complaint(
            description: "“\(topic.title)” names `\(member)`, which is no article and no symbol.")
        }
      }
    }
    // Functions at the top level share a page, so a topic may name it several times.
    var seen: Set<String> = []
    return lines.filter { $0.hasPrefix("- ") ? seen.insert($0).inserted : true }
  }

  /// Whether a file of the catalogue only adds to the documentation of one symbol.
  private func isExtension(_ name: String) -> Bool { name.contains("+") }

  private func text(of file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

  private func save(_ text: String, as path: String) throws {
    try (text + "\n").write(to: folder.appending(path: path), atomically: true, encoding: .utf8)
  }

  private func title(_ text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix("# ") || $0.contains("@Intro(title:") }.map {
      line in
      line.hasPrefix("# ") ? String(line.dropFirst(2)).replacing("`", with: "") : quoted(line)
    }
  }

  /// The title of an article or a tutorial.
  private func title(named name: Substring) -> String {
    let file = library.files("md")[String(name)] ?? library.files("tutorial")[String(name)]
    return file.flatMap { try? title(text(of: $0)) } ?? String(name)
  }

  private func quoted(_ line: Substring) -> String {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count > 1 ? String(parts[1]) : String(line)
  }

  /// The first paragraph below the title.
  private func summary(_ text: String) -> String {
    let below = text.split(separator: "\n", omittingEmptySubsequences: false).drop {
      !$0.hasPrefix("# ")
    }.dropFirst()
    let first = below.drop(while: \.isEmpty).prefix { !$0.isEmpty }.joined(separator: " ")
    return plain(first).replacing(/\]\((\w+)\.md\)/) { "](llms/\(library.name)/\($0.1).md)" }
  }

  /// Markdown without the links that only DocC knows, and without the lists of topics.
  private func plain(_ text: String) -> String {
    let body = text.components(separatedBy: "\n## Topics\n")[0]
    return
      body
      .replacing(/\[([^\]]+)\]\(doc:(\w+)(#[\w-]+)?\)/) { "[\($0.1)](\($0.2).md)" }
      .replacing(/<doc:([A-Z]\w*)(#[\w-]+)?>/) { "[\(title(named: $0.1))](\($0.1).md)" }
      .replacing(/<doc:\/(\w+)\/(\w+)>/) { "[\($0.2)](../\($0.1)/\($0.2).md)" }
      .replacing(/!\[([^\]]*)\]\([^)]*\)/) { "(\($0.1))" }
      .replacing(/``([^`\n]+)``/) { "`\($0.1)`" }
  }

  /// A tutorial as an article: its words, and each step's file.
  private func tutorial(_ file: URL) throws -> String {
    let code = library.files("swift")
    var lines: [String] = []
    for line in try text(of: file).split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.drop { $0 == " " }
      if words.hasPrefix("@Assessments") { break }
      if words.hasPrefix("@Code") {
        let parts = words.split(separator: "\"").map(String.init)
        guard parts.count > 3, let step = code[String(parts[3].dropLast(6))] else {
          throw Complaint(
            description: "\(file.lastPathComponent) shows a file that is not there: \(words)")
        }
        lines += [
          "`\(parts[1])`:", "", "```swift", try text(of: step).trimmingCharacters(in: .newlines),
          "```", "",
        ]
      } else if words.hasPrefix("@Intro") || words.hasPrefix("@Tutorials") {
        if words.hasPrefix("@Intro") { lines += ["# \(quoted(words))", ""] }
      } else if words.hasPrefix("@Section") || words.hasPrefix("@Chapter") {
        lines += ["## \(quoted(words))", ""]
      } else if words.hasPrefix("@TutorialReference") {
        lines.append("<\(quoted(words))>")
      } else if !words.hasPrefix("@") && words != "}" {
        lines.append(String(words))
      }
    }
    return plain(lines.joined(separator: "\n").replacing(/\n{3,}/) { _ in "\n\n" })
  }

  private func page(of type: String, _ symbols: [Symbol]) -> String {
    let parts = symbols.flatMap { symbol in
      [
        "",
        symbol.path.count == 1
          ? "# \(type)" : "## \(symbol.heading)", "",
      ]
        + ["\(symbol.kind)", "", "```swift", symbol.declaration, "```", ""] + symbol.documentation
    }
    return plain(parts.dropFirst().joined(separator: "\n"))
  }
}

/// The page above all libraries: what the package is, and a way in for each of them.
///
/// DocC makes it of the names of the modules alone.
struct LandingPage {
  let site: URL

  /// What one wants to do, and the pages to begin with, the first of which is that of the library.
  private static let ways: [(title: String, pages: [String])] = [
    ("Write an app", ["Lensed", "Lensed/GettingStarted", "Lensed/ComingFromTCA"]),
    ("Give views plain values", ["LensedPresenters", "LensedPresenters/Presenting"]),
    ("Test it", ["LensedTesting", "LensedTesting/Testing"]),
    ("Keep its state", ["LensedPersistence", "LensedPersistence/KeepingState"]),
    (
      "Look at it",
      ["LensedInspector", "LensedInspector/LookingAtAStore", "LensedInspector/FindingTheCause"]
    ),
  ]

  private static let abstract = """
    A state store for Swift that knows which reducer owns which part of the state: it runs only the reducers of an action, and \
    notifies only observers of their parts. Begin with what you want to do.
    """

  /// Writes the ways in over what DocC has made.
  func write() throws {
    let file = site.appending(path: "data/documentation.json")
    guard var page = try object(at: file) as? Object, var references = page["references"] as? Object
    else { throw Complaint(description: "\(file.path) is no page.") }
    var sections: [Object] = []
    for way in Self.ways {
      let links = try way.pages.map { path in
        let reference = try reference(to: path)
        references[reference.link] = reference.object
        return reference.link
      }
      sections.append([
        "title": way.title, "anchor": way.title.replacing(" ", with: "-"), "identifiers": links,
      ])
    }
    let rest = page["topicSections"] as? [Object] ?? []
    let tutorials = rest.filter { $0["title"] as? String == "Tutorials" }
    // Whoever writes a first app builds one in a tutorial, so they stand second.
    sections.insert(contentsOf: tutorials, at: 1)
    page["topicSections"] = sections
    page["topicSectionsStyle"] = "list"
    page["abstract"] = [["type": "text", "text": Self.abstract]]
    page["references"] = references
    try JSONSerialization.data(withJSONObject: page, options: [.sortedKeys]).write(to: file)
  }

  /// What the page has to know of another one: its title, its first sentence, its address.
  private func reference(to path: String) throws -> (link: String, object: Object) {
    let address = "/documentation/\(path.lowercased())"
    let target = try object(at: site.appending(path: "data\(address).json")) as? Object
    guard let target, let title = (target["metadata"] as? Object)?["title"] as? String else {
      throw Complaint(description: "The landing page leads to \(path), which is no page.")
    }
    let library = path.split(separator: "/")[0]
    let link = "doc://\(library)/documentation/\(path)"
    return (
      link,
      [
        "identifier": link, "type": "topic", "title": title, "url": address, "role": "article",
        "kind": "article", "abstract": target["abstract"] as? [Object] ?? [],
      ]
    )
  }
}

/// The links of Markdown files that lead nowhere.
func brokenLinks(below folder: URL) throws -> [String] {
  let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
  let files = (all?.allObjects as? [URL] ?? []).filter { ["md", "txt"].contains($0.pathExtension) }
  return try files.flatMap { file in
    try String(contentsOf: file, encoding: .utf8).matches(of: /\]\(([\w\/.]+\.md)\)/).compactMap {
      match in
      let target = file.deletingLastPathComponent().appending(path: String(match.1))
        .standardizedFileURL
      return FileManager.default.fileExists(atPath: target.path)
        ? nil : "\(file.lastPathComponent): \(match.1)"
    }
  }
}

func run(_ package: URL, _ output: URL) throws {
  let libraries = [
    "Lensed", "LensedPresenters", "LensedPersistence", "LensedInspector", "LensedTesting",
  ].map { name in
    Library(
      name: name, catalogue: package.appending(path: "Sources/\(name)/\(name).docc"), output: output
    )
  }
  var complaints: [String] = []
  let site = output.appending(path: "site")
  var index = [
    "# Lensed", "",
    "> A state store for Swift that knows which reducer owns which part of the state. Swift 6, no dependencies.",
    "> `LensedPresenters` makes plain values of it for views;",
    "> `LensedPersistence` keeps its state on the disk; `LensedInspector` shows it as a page; `LensedTesting` is its library",
    "> for tests, on Swift Testing.",
  ]
  for library in libraries {
    complaints += try library.undocumented().map { "\($0) has no documentation." }
    complaints += try library.topics().filter(\.isGenerated).flatMap { topic in
      topic.members.map { "`\($0)` stands in no topic of \(library.name).docc/\(library.name).md." }
    }
    let writer = MarkdownWriter(
      library: library, folder: site.appending(path: "llms/\(library.name)"))
    index += try writer.write()
  }
  try (index.joined(separator: "\n") + "\n")
    .write(to: site.appending(path: "llms.txt"), atomically: true, encoding: .utf8)
  try LandingPage(site: site).write()
  complaints += try brokenLinks(below: site).map { "A link in the Markdown leads nowhere: \($0)" }
  guard complaints.isEmpty else { throw Complaint(description: complaints.joined(separator: "\n")) }
  let count = index.count { $0.hasPrefix("- ") }
  print("Every public symbol is documented and stands in a topic; llms.txt has \(count) entries.")
}

do {
  let folders = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
  guard folders.count == 2 else { throw Complaint(description: "Give the package and the output.") }
  try run(folders[0], folders[1])
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
