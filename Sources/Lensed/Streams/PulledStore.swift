/// The parts of one store that a reader pulls, in one critical section.
///
/// It knows no type of a value, so that it is compiled once, for every reader.
struct PulledStore {
  let host: any StateHost
  /// The number of the reader among those of the store.
  private let id: UInt64
  private var parts: [(capture: PartCapture, cursor: PullCursor)]

  init(_ store: Pipeline.StoreCaptures) {
    host = store.host
    (id, parts) = host.withTable { table in
      let parts = store.captures.all.map { capture in
        var cursor = PullCursor()
        cursor.open(table)
        return (capture: capture, cursor: cursor)
      }
      return (table.makeID(), parts)
    }
  }

  /// Pulls each part; enlists the signal if no commit has touched any.
  mutating func pull(enlisting signal: Signal) -> PullResult {
    host.withTable { table in
      var result = PullResult.ended
      let revision = table.revision
      for index in parts.indices {
        let capture = parts[index].capture
        result = result.combined(
          with: parts[index].cursor.pull(capture.footprint, from: &table) {
            capture.readFirst($0, at: revision)
          })
      }
      if case .unchanged = result {
        for part in parts { part.cursor.enlist(signal, id: id, in: &table) }
      }
      return result
    }
  }

  /// Whether the store has gone; enlists the signal for that, if it has not.
  func isGone(enlisting signal: Signal) -> Bool {
    host.withTable { table in
      if table.isClosed { return true }
      table.enlist(signal, id: id, for: .slots([]))
      return false
    }
  }

  /// Undoes what enlists the signal.
  mutating func delist() {
    var work = AfterCommit()
    host.withTable { table in
      table.delist(id: id, from: .slots([]))
      for index in parts.indices { parts[index].cursor.delist(id: id, in: &table, into: &work) }
    }
  }

  /// Releases the memory of the state; not under the lock.
  mutating func close() {
    for index in parts.indices { parts[index].cursor.close() }
  }
}
