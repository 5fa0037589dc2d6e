import Lensed

/// How often each file changed, under the name it has today.
///
/// A log runs from the newest commit to the oldest. So a rename is met before the changes made
/// under the former name, and those go to the name that the file ended up with. What comes after the
/// log was read comes oldest first: a rename then takes along all there is under the former name.
struct Files: Equatable, Sendable, Codable {
  /// One file's share of the log.
  struct Record: Named, Equatable, Sendable, Codable {
    /// What is counted of a file; JSON has the name as the key of it.
    private enum CodingKeys: CodingKey {
      case changes, lines
    }

    var name: ByteString = ""
    var changes = 0
    var lines = Lines()

    fileprivate mutating func add(_ other: Record) {
      changes += other.changes
      lines += other.lines
    }
  }

  var records: Entities<Record> = []
  /// Former names, each with the name it leads to today.
  var renames: [ByteString: ByteString] = [:]

  static let reducer = Reducer { (files: inout Files, action: FileAction) in
    if action.isNews { return files.fold(action) }
    let name = files.renames[action.path] ?? action.path
    files.add(Record(name: name, changes: 1, lines: action.lines ?? Lines()))
    if let former = action.formerPath {
      files.renames[former] = former == name ? nil : name
    }
  }

  private mutating func fold(_ news: FileAction) {
    if let former = news.formerPath, former != news.path {
      if var record = records.remove(id: former) {
        record.name = news.path
        add(record)
      }
      for (name, today) in renames where today == former {
        renames[name] = name == news.path ? nil : news.path
      }
      renames[former] = news.path
    }
    add(Record(name: news.path, changes: 1, lines: news.lines ?? Lines()))
  }

  /// Adds up what is counted of one file.
  private mutating func add(_ record: Record) {
    if records.modify(id: record.name, { $0.add(record) }) == nil { records.append(record) }
  }
}
