/// How the folders and files of a package lean on each other.
struct House {
  /// A file, by its path from the root of the sources.
  struct File {
    let path: String
    let text: String
    /// The text without comments and what stands in strings.
    let code: String

    init(path: String, text: String) {
      self.init(path: path, text: text, code: SourceText.code(in: text))
    }

    /// A file whose code is known, or not asked for.
    init(path: String, text: String, code: String) {
      (self.path, self.text, self.code) = (path, text, code)
    }

    /// The folder at the root that the file lies in.
    var room: String { House.room(of: path) }

    var lineCount: Int { text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }
  }

  /// From one file or folder to others, each with the names that the first uses of it.
  typealias Leanings = [String: [String: Set<String>]]

  /// From file to file.
  let files: Leanings
  /// From folder to folder.
  let rooms: Leanings
  /// Every folder.
  let roomNames: Set<String>

  /// A house of files and the arrows between them.
  init(paths: some Sequence<String>, files: Leanings) {
    var rooms: Leanings = [:]
    for (path, others) in files {
      for (other, names) in others where Self.room(of: path) != Self.room(of: other) {
        rooms[Self.room(of: path), default: [:]][Self.room(of: other), default: []]
          .formUnion(names)
      }
    }
    (self.files, self.rooms, roomNames) = (files, rooms, Set(paths.map(Self.room)))
  }

  /// The arrows from a lower folder to a higher one; `order` begins at the ground.
  func arrowsUp(order: [String]) -> [Complaint] {
    let ranks = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
    return rooms.flatMap { room, others in
      others.compactMap { other, names -> Complaint? in
        guard let low = ranks[room], let high = ranks[other], low < high else { return nil }
        return Complaint(
          about: [room, other],
          sentence: "\(room) leans on \(other), which stands above it: \(Self.list(names)).")
      }
    }
    .sorted { $0.sentence < $1.sentence }
  }

  /// The circles between folders.
  var roomCircles: [Complaint] { Self.circles(in: rooms, of: "folders") }

  /// The circles between files.
  var fileCircles: [Complaint] { Self.circles(in: files, of: "files") }

  /// The files with more lines than allowed.
  static func bigFiles(_ sources: [File], limit: Int) -> [Complaint] {
    sources.filter { $0.lineCount > limit }.map {
      Complaint(about: [$0.path], sentence: "\($0.path) has \($0.lineCount) lines, over \(limit).")
    }
  }

  private static func circles(in leanings: Leanings, of kind: String) -> [Complaint] {
    circles(in: leanings).map { group in
      let arrows = group.flatMap { one in
        (leanings[one] ?? [:]).filter { group.contains($0.key) }.sorted { $0.key < $1.key }
          .map { "\(one) -> \($0): \(list($1))" }
      }
      let members = group.joined(separator: ", ")
      return Complaint(
        about: group,
        sentence: "The \(kind) \(members) form a circle. \(arrows.joined(separator: "; ")).")
    }
  }

  /// The groups in which each member leans on each other one, directly or through others.
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

  private static func room(of path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.count > 1 ? String(parts[0]) : "."
  }

  static func list(_ names: Set<String>) -> String {
    names.sorted().prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
  }
}

extension House {
  /// A broken rule, with the folders or files that break it.
  struct Complaint {
    let about: [String]
    let sentence: String
  }
}
