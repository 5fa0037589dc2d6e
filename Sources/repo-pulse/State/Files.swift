import Lensed

/// How often each file changed, under the name it has today.
///
/// A log runs from the newest commit to the oldest. So a rename is met before the changes made
/// under the former name, and those go to the name that the file ended up with. What comes after the
/// log was read comes oldest first: a rename then takes along all there is under the former name.
struct Files: Equatable, Sendable, Codable {
  /// One file's share of the log.
  struct Record: Equatable, Sendable, Codable {
    var changes = 0
    var lines = Lines()

    fileprivate mutating func add(_ change: Lines) {
      changes += 1
      lines += change
    }

    fileprivate mutating func add(_ other: Record) {
      changes += other.changes
      lines += other.lines
    }
  }

  var records: [ByteString: Record] = [:]
  /// Former names, each with the name it leads to today.
  var renames: [ByteString: ByteString] = [:]

  static let reducer = Reducer { (files: inout Files, action: FileAction) in
    if action.isNews { return files.fold(action) }
    let name = files.renames[action.path] ?? action.path
    files.records[name, default: Record()].add(action.lines ?? Lines())
    if let former = action.formerPath {
      files.renames[former] = former == name ? nil : name
    }
  }
  private mutating func fold(_ news: FileAction) {
    if let former = news.formerPath, former != news.path {
      if let record = records.removeValue(forKey: former) {
        records[news.path, default: Record()].add(record)
      }
      for (name, today) in renames where today == former {
        renames[name] = name == news.path ? nil : news.path
      }
      renames[former] = news.path
    }
    records[news.path, default: Record()].add(news.lines ?? Lines())
  }
}
