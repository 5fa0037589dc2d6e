import Lensed

/// One action as JSON, under its name: `{"rename": {"title": "Notes"}}`.
struct Edit: Hashable, Codable {
  var rename: Rename?
  var insert: InsertLine?
  var write: WriteLine?
  var remove: RemoveLine?

  /// The action; nil where there is none, or more than one.
  var action: (any Action)? {
    let possible: [(any Action)?] = [rename, insert, write, remove]
    let given = possible.compactMap(\.self)
    return given.count == 1 ? given[0] : nil
  }

  init(_ action: any Action) {
    rename = action as? Rename
    insert = action as? InsertLine
    write = action as? WriteLine
    remove = action as? RemoveLine
  }
}
