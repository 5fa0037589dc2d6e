import Lensed

/// The sums over the whole log, and where in it the reading has got to.
struct Totals: Equatable, Sendable, Codable {
  /// The newest commit, which the log starts with.
  var head: String?
  var commits = 0
  var merges = 0
  var fileChanges = 0
  var binaryChanges = 0
  var lines = Lines()
  /// Every action that reached the store, an author's included.
  var actions = 0
  /// The day of the commit read last.
  var reached: Day?

  static let reducer = Reducer { (totals: inout Totals, action: CommitAction) in
    totals.head = action.isNews ? action.id : totals.head ?? action.id
    totals.commits += 1
    totals.merges += action.isMerge ? 1 : 0
    totals.actions += 1
    if !action.isNews { totals.reached = action.moment?.day ?? totals.reached }
  }
  .on(FileAction.self) { totals, action in
    totals.fileChanges += 1
    totals.actions += 1
    if let lines = action.lines {
      totals.lines += lines
    } else {
      totals.binaryChanges += 1
    }
  }
  .on(ElementAction<ByteString, AuthorAction>.self) { totals, _ in
    totals.actions += 1
  }
}
