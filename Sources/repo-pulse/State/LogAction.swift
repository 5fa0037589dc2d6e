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

  static func - (left: Lines, right: Lines) -> Lines {
    Lines(added: left.added - right.added, deleted: left.deleted - right.deleted)
  }

  static func += (left: inout Lines, right: Lines) {
    (left.added, left.deleted) = (left.added + right.added, left.deleted + right.deleted)
  }
}

/// A day and an hour on the author's own clock.
struct Moment: Equatable, TextCodable {
  let day: Day
  let hour: Int

  init?(day: Day, hour: Int) {
    guard (0..<24).contains(hour) else { return nil }
    (self.day, self.hour) = (day, hour)
  }

  /// Reads `2024-02-29T23:30:00+09:00` as its author saw it, or nil for a date that is none.
  init?(utf8 text: ArraySlice<UInt8>) {
    let parts = text.prefix { $0 != UInt8(ascii: ":") }
      .split(separator: UInt8(ascii: "T"), omittingEmptySubsequences: false)
    guard parts.count == 2, let day = Day(utf8: parts[0]), let hour = parts[1].decimal else {
      return nil
    }
    self.init(day: day, hour: hour)
  }

  var description: String { "\(day)T\(hour)" }
}
