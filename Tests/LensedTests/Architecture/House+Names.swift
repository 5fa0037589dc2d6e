/// The reading of a house by names.
///
/// A file leans on the file that declares, at its top level, a type that it mentions. That is a
/// heuristic: it sees neither the members of extensions nor free functions. The compiler's index is
/// exact, so this is for where there is no index.
extension House {
  /// A house as the names in its files show it.
  init(_ sources: [File]) {
    var homes: [String: Set<String>] = [:]
    var mentions: [(path: String, words: Set<String>)] = []
    for file in sources {
      let code = file.code
      for name in Self.declarations(in: code) { homes[name, default: []].insert(file.path) }
      mentions.append((file.path, Self.words(in: code)))
    }
    var files: Leanings = [:]
    for (path, words) in mentions {
      for word in words {
        guard let homes = homes[word], !homes.contains(path) else { continue }
        for home in homes { files[path, default: [:]][home, default: []].insert(word) }
      }
    }
    self.init(paths: sources.map(\.path), files: files)
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

  /// The words that begin with a capital letter, as the names of types do.
  static func words(in code: String) -> Set<String> {
    Set(wordList(in: code[...]).filter { $0.first?.isUppercase ?? false })
  }

  private static func wordList(in code: Substring) -> [String] {
    code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}
