import Lensed

/// What one author did, knowing nothing of the others.
struct Author: Equatable, Sendable, Codable {
  var commits = 0
  var lines = Lines()
  var firstDay: Day?
  var lastDay: Day?

  static let reducer = Reducer { (author: inout Author, action: AuthorAction) in
    switch action {
    case .committed(let day):
      author.commits += 1
      guard let day else { return }
      author.firstDay = min(author.firstDay ?? day, day)
      author.lastDay = max(author.lastDay ?? day, day)
    case .changed(let lines):
      author.lines += lines
    }
  }

  /// All authors by name: a commit makes room for its author, whom `keyed()` can then find.
  static let directory = Reducer.combine(
    Reducer { (authors: inout [ByteString: Author], action: CommitAction) in
      if authors[action.author] == nil {
        authors[action.author] = Author()
      }
    },
    reducer.keyed()
  )
}
