import Lensed

/// How often each file changed, under the name it has today.
///
/// A log runs from the newest commit to the oldest. So a rename is met before the changes made
/// under the former name, and those go to the name that the file ended up with.
struct Files: Equatable, Sendable, Codable {
  /// One file's share of the log.
  struct Record: Equatable, Sendable, Codable {
    var changes = 0
    var lines = Lines()

    fileprivate mutating func add(_ change: Lines) {
      changes += 1
      lines += change
    }
  }

  var records: [String: Record] = [:]
  /// Former names, each with the name it leads to today.
  var renames: [String: String] = [:]

  static let reducer = Reducer { (files: inout Files, action: FileAction) in
    let name = files.renames[action.path] ?? action.path
    files.records[name, default: Record()].add(action.lines ?? Lines())
    if let former = action.formerPath {
      files.renames[former] = former == name ? nil : name
    }
  }
}
