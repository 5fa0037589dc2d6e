import Lensed

/// The reading begins.
struct Opened: Action, Equatable, Codable {
  /// What the report calls the repository.
  var title: String
}

/// The header of a commit: who, when and what for.
struct CommitAction: Action, Equatable, Codable {
  var id: String
  var author: ByteString
  var moment: Moment?
  var subject: String
  var isMerge: Bool
  /// Whether it came after the log was read, and is newer than all that was.
  var isNews = false
}

/// What a commit did to one file.
struct FileAction: Action, Equatable, Codable {
  var path: ByteString
  /// The name the commit took from the file, when it renamed it.
  var formerPath: ByteString?
  /// Nil for a binary file, whose lines are not counted.
  var lines: Lines?
  /// Whether it came after the log was read, and is newer than all that was.
  var isNews = false
}

/// The history was rewritten, or left for another one: what was read of it counts no more.
struct StartOver: Action, Codable {}

/// Asks for new commits to be folded in from now on.
struct Follow: Action, Codable {}

/// What a commit means to the one author it belongs to.
enum AuthorAction: Action, Equatable, Codable {
  case committed(Day?)
  case changed(Lines)
}

/// A number of lines that came and a number that went.
struct Lines: Equatable, Sendable, Codable {
  var added = 0
  var deleted = 0

  static func + (left: Lines, right: Lines) -> Lines {
    Lines(added: left.added + right.added, deleted: left.deleted + right.deleted)
  }

  static func - (left: Lines, right: Lines) -> Lines {
    Lines(added: left.added - right.added, deleted: left.deleted - right.deleted)
  }

  static func += (left: inout Lines, right: Lines) { left = left + right }
}

/// A day and an hour on the author's own clock.
struct Moment: Equatable, Sendable, Codable {
  var day: Day
  var hour: Int

  init?(day: Day, hour: Int) {
    guard (0..<24).contains(hour) else { return nil }
    (self.day, self.hour) = (day, hour)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let hour = try container.decode(Int.self, forKey: .hour)
    guard let moment = Moment(day: try container.decode(Day.self, forKey: .day), hour: hour) else {
      throw DecodingError.dataCorruptedError(
        forKey: .hour, in: container, debugDescription: "no hour: \(hour)")
    }
    self = moment
  }
}
