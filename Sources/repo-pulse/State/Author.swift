import Lensed

/// What one author did, knowing nothing of the others.
struct Author: Identifiable, Equatable, Sendable, Codable {
  var name: ByteString = ""
  var commits = 0
  var lines = Lines()
  var firstDay: Day?
  var lastDay: Day?

  var id: ByteString { name }

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

  /// All authors: a commit makes room for its author, whom `identified()` can then find.
  static let directory = Reducer.combine(
    Reducer { (authors: inout Entities<Author>, action: CommitAction) in
      authors.append(Author(name: action.author))
    },
    reducer.identified()
  )
}
