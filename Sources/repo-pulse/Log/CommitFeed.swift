import Lensed

/// A log as actions, one list for each commit, read only as fast as they are taken.
///
/// One iterator reads at a time, and it may be taken from one task only. What `chunks` throws ends
/// the feed after the commits that were complete.
struct CommitFeed<Chunks: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Chunks.Element == [UInt8] {
  let chunks: Chunks

  func makeAsyncIterator() -> Iterator {
    Iterator(chunks: chunks.makeAsyncIterator())
  }

  /// Asks for more bytes only when no commit is left in those at hand.
  struct Iterator: AsyncIteratorProtocol {
    private var chunks: Chunks.AsyncIterator
    private var parser = LogParser()
    private var isAtEnd = false

    fileprivate init(chunks: Chunks.AsyncIterator) {
      self.chunks = chunks
    }

    mutating func next() async throws -> ActionList? {
      try await nextCommit()?.actions()
    }

    /// The next commit, before it is made into actions.
    mutating func nextCommit() async throws -> LogCommit? {
      while !isAtEnd {
        if let commit = try parser.next() { return commit }
        if let chunk = try await chunks.next(isolation: #isolation) {
          parser.append(chunk)
        } else {
          // A stream ends where its task is cancelled, whatever there was to come.
          try Task.checkCancellation()
          isAtEnd = true
          return try parser.finish()
        }
      }
      return nil
    }
  }
}

extension LogCommit {
  /// The commit as a list of actions, one for each owner of a part.
  func actions(asNews isNews: Bool = false) -> ActionList {
    var header = header
    header.isNews = isNews
    var actions: [any Action] = [
      header, AuthorAction.committed(header.moment?.day).element(header.author),
    ]
    actions.reserveCapacity(2 + 2 * files.count)
    for var file in files {
      file.isNews = isNews
      actions.append(file)
      actions.append(AuthorAction.changed(file.lines ?? Lines()).element(header.author))
    }
    return ActionList(actions)
  }
}
