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

  /// The edits of a commit, which a client has sent as a list.
  static func list(_ action: (any Action)?) -> [Edit] {
    if let list = action as? ActionList { return list.actions.map(Edit.init) }
    if let list = action as? [any Action] { return list.map(Edit.init) }
    return action.map { [Edit($0)] } ?? []
  }
}
