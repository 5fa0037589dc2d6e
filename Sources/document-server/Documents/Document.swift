import Lensed

/// A text that several people edit: a title and lines.
struct Document: Sendable, Equatable, Codable {
  var title = ""
  var lines: Entities<Line> = []
  /// How many edits were applied: the number by which clients know which state is newer.
  var edits = 0

  struct Line: Sendable, Hashable, Codable, Identifiable {
    let id: String
    var text: String
  }

  /// How many lines a document takes; what is inserted beyond is ignored.
  static let maximumLines = 1_000

  /// The parts of every document's store, proved once.
  static func blueprint() throws -> StoreBlueprint<Document> {
    try StoreBlueprint {
      Mutator(\.title) { (title: inout String, action: Rename) in title = action.title }
      Mutator(\.lines) { (lines: inout Entities<Line>, action: InsertLine) in
        if lines.count < maximumLines { lines.append(Line(id: action.id, text: action.text)) }
      }
      .on(WriteLine.self) { lines, action in lines[id: action.id]?.text = action.text }
      .on(RemoveLine.self) { lines, action in lines[id: action.id] = nil }
      Mutator(\.edits) { (edits: inout Int, _: Rename) in edits += 1 }
        .on(InsertLine.self) { edits, _ in edits += 1 }
        .on(WriteLine.self) { edits, _ in edits += 1 }
        .on(RemoveLine.self) { edits, _ in edits += 1 }
    }
  }
}

struct Rename: Action, Hashable, Codable { let title: String }
struct InsertLine: Action, Hashable, Codable { let id, text: String }
struct WriteLine: Action, Hashable, Codable { let id, text: String }
struct RemoveLine: Action, Hashable, Codable { let id: String }
