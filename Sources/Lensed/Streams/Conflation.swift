/// How far one reader has read one part of the state: a slow one gets the newest value and skips the others.
///
/// It keeps the number of a commit and no snapshot; the lock of the store guards it. Readers of
/// changes skip none: theirs wait in a buffer (`ChangeBufferMachine`).
struct Conflation {
  private var interest = Interest.everything
  /// The set of owners that `interest` was computed for.
  private var ownership: UInt64?
  private var seen: UInt64?

  /// Reads a newer value; the caller keeps the memory of the state alive.
  mutating func pull(
    _ footprint: @autoclosure () -> Footprint, from table: inout ObserverTable,
    reading read: (_ state: StateAddress) -> Void
  ) -> PullResult {
    if ownership != table.ownership {
      ownership = table.ownership
      table.renew(&interest, in: footprint())
    }
    let newest = table.newest(interest, in: footprint())
    if let seen, newest <= seen { return table.isClosed ? .ended : .unchanged }
    seen = newest
    read(table.state)
    return .fresh
  }

  func enlist(_ signal: Signal, id: UInt64, in table: inout ObserverTable) {
    if !table.isClosed { table.enlist(signal, id: id, for: interest) }
  }

  /// Undoes `enlist`, and gives the interest up; the next pull, if there is one, computes it again.
  mutating func delist(
    id: UInt64, in table: inout ObserverTable, into work: inout AfterCommit
  ) {
    if ownership == table.ownership { table.delist(id: id, from: interest) }
    ownership = nil
    table.giveUp(&interest, into: &work)
  }
}

enum PullResult: Sendable {
  /// A newer value was read.
  case fresh
  /// No commit has touched the part since the last pull.
  case unchanged
  /// The store has gone, and its last value was read: no value will follow.
  case ended

  func combined(with other: PullResult) -> PullResult {
    switch (self, other) {
    case (.fresh, _), (_, .fresh): .fresh
    case (.ended, .ended): .ended
    default: .unchanged
    }
  }
}

// MARK: Its store

/// The parts of one store that a reader pulls, in one critical section; without their types, so it is compiled once.
struct PulledStore {
  let host: any StateHost
  private let id: UInt64
  private var parts: [(capture: PartCapture, cursor: Conflation)]
  /// The memory of the state, so that the last value can be read after the store has gone.
  private var storage: StateStorage?

  init(_ store: Pipeline.StoreCaptures) {
    host = store.host
    parts = store.captures.all.map { ($0, Conflation()) }
    (id, storage) = host.withTable { ($0.makeID(), $0.memory) }
  }

  /// Pulls each part; enlists the signal if no commit has touched any.
  mutating func pull(enlisting signal: Signal) -> PullResult {
    if storage == nil { return .ended }
    return host.withTable { table in
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

  mutating func delist() {
    var work = AfterCommit()
    host.withTable { table in
      table.delist(id: id, from: .slots([]))
      for index in parts.indices { parts[index].cursor.delist(id: id, in: &table, into: &work) }
    }
  }

  /// Releases the memory of the state, which may run a `deinit` of the user's: not under the lock.
  mutating func close() { storage = nil }
}
