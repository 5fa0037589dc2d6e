import Lensed

/// How often a file changed, under the name it has today; beside it, where a former name leads.
///
/// A log runs from the newest commit to the oldest. So a rename is met before the changes made
/// under the former name, and those go to the name that the file ended up with. What comes after the
/// log was read comes oldest first: a rename then takes along all there is under the former name.
struct File: Identifiable, Equatable, Sendable, Codable {
  var name: ByteString
  /// None of what is a former name alone.
  var changes = 0
  var lines = Lines()
  /// The name that it leads to today, where it is a former one.
  var today: ByteString?

  var id: ByteString { name }

  static let reducer = Reducer { (files: inout Entities<File>, action: FileAction) in
    if action.isNews { return files.fold(action) }
    let name = files[id: action.path]?.today ?? action.path
    files.edit(name) { $0.add(1, action.lines ?? Lines()) }
    if let former = action.formerPath {
      files.edit(former) { $0.today = former == name ? nil : name }
    }
  }

  fileprivate mutating func add(_ changes: Int, _ lines: Lines) {
    self.changes += changes
    self.lines += lines
  }
}

extension Entities<File> {
  /// Edits a file, which is made if need be.
  fileprivate mutating func edit(_ name: ByteString, _ change: (inout File) -> Void) {
    if modify(id: name, change) != nil { return }
    var file = File(name: name)
    change(&file)
    append(file)
  }

  fileprivate mutating func fold(_ news: FileAction) {
    let name = news.path
    if let former = news.formerPath, former != name {
      let taken = self[id: former] ?? File(name: former)
      edit(name) { $0.add(taken.changes, taken.lines) }
      for file in filter({ $0.today == former }) {
        edit(file.name) { $0.today = file.name == name ? nil : name }
      }
      edit(former) { $0 = File(name: former, today: name) }
    }
    edit(name) { $0.add(1, news.lines ?? Lines()) }
  }
}
