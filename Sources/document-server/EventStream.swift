#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  import Lensed
  import LensedServer

  /// An answer without end: events that are sent as they come and as the client takes them.
  ///
  /// Neither stream keeps its store alive: it ends when the document is closed.
  enum EventStream: Sendable {
    /// The document now, and whenever it differs.
    ///
    /// A stream of states conflates. While the client takes nothing the writer waits, and commits go by.
    case states(StateStream<Document>)
    /// Every later commit.
    ///
    /// The buffer is bounded, and what it drops is counted.
    case log(StateChanges<Document>)

    static let logBuffer = ChangeBuffering.bounded(64, dropping: .oldest)

    /// One commit, as the log shows it.
    struct Commit: Codable, Equatable {
      let revision: UInt64
      let edits: [Edit]
    }

    /// How many commits the client has missed before the next one.
    struct Gap: Codable, Equatable {
      let missed: Int
    }

    /// Returns when the document has been closed.
    func write(to client: ServerSentEvents) async throws {
      switch self {
      case .states(let documents):
        try await client.begin()
        for await document in documents {
          try await client.send("document", id: "\(document.edits)", document)
        }
      case .log(let changes):
        // It listens from here on, so a client that has read the head misses nothing.
        var commits = changes.makeAsyncIterator()
        try await client.begin()
        while let change = await commits.next() {
          if change.droppedCount > 0 {
            try await client.send("gap", Gap(missed: change.droppedCount))
          }
          let commit = Commit(revision: change.revision, edits: change.actions.map(Edit.init))
          try await client.send("commit", id: "\(change.revision)", commit)
        }
      }
    }
  }
#endif
