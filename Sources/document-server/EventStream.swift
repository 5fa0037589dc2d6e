#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  import Lensed

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

    /// Returns when the document has been closed, or the client has gone.
    func send(to connection: Connection) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await connection.waitForEnd() }
        group.addTask { try await write(to: connection) }
        try await group.next()
      }
    }

    private func write(to connection: Connection) async throws {
      switch self {
      case .states(let documents):
        try await connection.write(Response.eventStream)
        for await document in documents {
          try await connection.write(
            Response.event("document", id: "\(document.edits)", document))
        }
      case .log(let changes):
        // It listens from here on, so whoever has read the head misses nothing.
        var commits = changes.makeAsyncIterator()
        try await connection.write(Response.eventStream)
        while let change = await commits.next() {
          if change.droppedCount > 0 {
            try await connection.write(Response.event("gap", Gap(missed: change.droppedCount)))
          }
          let commit = Commit(revision: change.revision, edits: change.actions.map(Edit.init))
          try await connection.write(
            Response.event("commit", id: "\(change.revision)", commit))
        }
      }
    }
  }
#endif
