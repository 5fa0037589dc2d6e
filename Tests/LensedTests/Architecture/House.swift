/// How the folders and files of a package lean on each other.
///
/// Files of one module import nothing from each other, so names are read: a file leans on the file
/// that declares, at its top level, a type that it mentions. It is a heuristic: open the code before
/// believing a surprising arrow.
struct House {
  /// A file, by its path from the root of the sources.
  struct File {
    let path: String
    let text: String

    /// The folder at the root that the file lies in.
    var room: String {
      let parts = path.split(separator: "/")
      return parts.count > 1 ? String(parts[0]) : "."
    }

    var lineCount: Int { text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }

    var code: String { SourceText.code(in: text) }
  }

  /// Who leans on whom, by which names.
  typealias Leanings = [String: [String: Set<String>]]

  /// From file to file.
  let files: Leanings
  /// From folder to folder.
  let rooms: Leanings
  /// Every folder.
  let roomNames: Set<String>

  init(_ sources: [File]) {
    var homes: [String: Set<String>] = [:]
    var mentions: [(file: File, words: Set<String>)] = []
    for file in sources {
      let code = file.code
      for name in Self.declarations(in: code) { homes[name, default: []].insert(file.path) }
      mentions.append((file, Self.words(in: code)))
    }
    let rooms = Dictionary(sources.map { ($0.path, $0.room) }) { first, _ in first }
    var (fileLeanings, roomLeanings): (Leanings, Leanings) = ([:], [:])
    for (file, words) in mentions {
      for word in words {
        guard let homes = homes[word], !homes.contains(file.path) else { continue }
        for home in homes {
          fileLeanings[file.path, default: [:]][home, default: []].insert(word)
          guard let room = rooms[home], room != file.room else { continue }
          roomLeanings[file.room, default: [:]][room, default: []].insert(word)
        }
      }
    }
    (files, self.rooms, roomNames) = (fileLeanings, roomLeanings, Set(rooms.values))
  }

  /// The arrows from a lower folder to a higher one; `order` begins at the ground.
  func arrowsUp(order: [String]) -> [String] {
    let ranks = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
    return rooms.flatMap { room, others in
      others.compactMap { other, names -> String? in
        guard let low = ranks[room], let high = ranks[other], low < high else { return nil }
        return "\(room) -> \(other): \(names.sorted().joined(separator: ", "))"
      }
    }
    .sorted()
  }

  /// The groups in which everybody leans on everybody, directly or through others.
  static func circles(in leanings: Leanings) -> [[String]] {
    let reach = leanings.mapValues { direct in
      var (reached, open): (Set<String>, [String]) = ([], Array(direct.keys))
      while let next = open.popLast() {
        if reached.insert(next).inserted { open += leanings[next]?.keys.map(\.self) ?? [] }
      }
      return reached
    }
    let groups = reach.compactMap { node, reached -> [String]? in
      guard reached.contains(node) else { return nil }
      return reached.filter { reach[$0]?.contains(node) ?? false }.sorted()
    }
    return Set(groups).sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static let keywords: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  /// The types that begin at the start of a line.
  static func declarations(in code: String) -> Set<String> {
    var names: Set<String> = []
    for line in code.split(separator: "\n") {
      guard let first = line.first, first != " ", first != "\t", first != "}" else { continue }
      let words = wordList(in: line.prefix { $0 != "{" && $0 != "=" })
      guard words.first != "extension", !words.contains("import"),
        let keyword = words.firstIndex(where: { keywords.contains($0) })
      else { continue }
      let name = words[(keyword + 1)...].first
      if let name, name.first?.isUppercase ?? false { names.insert(name) }
    }
    return names
  }

  /// The names of types, or of what looks like them.
  static func words(in code: String) -> Set<String> {
    Set(wordList(in: code[...]).filter { $0.first?.isUppercase ?? false })
  }

  private static func wordList(in code: Substring) -> [String] {
    code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}
