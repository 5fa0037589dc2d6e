/// What each room says of itself, in the file that it opens with.
extension House {
  /// The file that a room opens with.
  struct RoomFile {
    let room: String
    /// What lives there.
    let purpose: String
    /// The rooms that it may use, as it says: "Routing, Work and below".
    let uses: String

    /// Reads a file such as `CommitsRoom.swift`; nil where it does not say all that it must.
    init?(_ file: File) {
      let paragraphs = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("// ") ? String($0.dropFirst(3)) : "" }
        .split(separator: "").map { $0.joined(separator: " ") }
      let (title, start) = ("The room `\(file.room)`.", "It may use: ")
      guard file.text.hasPrefix("// \(title)\n"), paragraphs.count > 2, paragraphs[0] == title,
        paragraphs[2].hasPrefix(start), paragraphs[2].hasSuffix(".")
      else { return nil }
      room = file.room
      purpose = paragraphs[1]
      uses = String(paragraphs[2].dropFirst(start.count).dropLast())
    }

    /// The path of the file that a room opens with.
    static func path(of room: String) -> String { "\(room)/\(room)Room.swift" }
  }

  /// The rooms that each one may use, its own not among them.
  ///
  /// "A, B and below" are A, B and all that these may use; a name that follows is that room alone. A room that is not
  /// known is among them, so that a misspelled name is found.
  static func allowed(by files: [RoomFile]) -> [String: Set<String>] {
    let sentences = Dictionary(files.map { ($0.room, $0.uses) }) { first, _ in first }
    var known: [String: Set<String>] = [:]
    func allowed(_ room: String, asking: Set<String>) -> Set<String> {
      if let answer = known[room] { return answer }
      guard let uses = sentences[room], !asking.contains(room) else { return [] }
      var rooms: Set<String> = []
      for item in uses.split(separator: ", ") where item != "Nothing" {
        let isGround = item.hasSuffix(" and below")
        rooms.insert(String(isGround ? item.dropLast(" and below".count) : item))
        if isGround {
          for one in rooms { rooms.formUnion(allowed(one, asking: asking.union([room]))) }
        }
      }
      known[room] = rooms
      return rooms
    }
    for file in files { _ = allowed(file.room, asking: []) }
    return known
  }

  /// The arrows between folders that the file of the one that leans does not allow.
  func arrowsBeyond(_ allowed: [String: Set<String>]) -> [Complaint] {
    rooms.flatMap { room, others in
      others.compactMap { other, names -> Complaint? in
        if allowed[room, default: []].contains(other) { return nil }
        return Complaint(
          about: [room, other],
          sentence: "\(room) leans on \(other), which \(RoomFile.path(of: room)) does not allow: "
            + "\(Self.list(names)).")
      }
    }
    .sorted { $0.sentence < $1.sentence }
  }
}
