// Rows of collections are parts of the state with observers of their own.

extension ObserverTable {
  /// Notes that the present commit may have touched all rows of those of some sub-states that it touched.
  ///
  /// - Returns: The flags of the commit, with those of the rows.
  func touchRows(of slots: [Int], _ flags: CommitFlags) -> CommitFlags {
    var flags = flags.subtracting(.hasRows)
    for slot in slots where self.slots[slot].record.value.revision == revision {
      flags.formUnion(rows.sink.touch(RowTouch(slot: slot, revision: revision, row: nil)))
    }
    return flags
  }

  /// The observers of a commit on `slots` that has touched rows.
  ///
  /// It is made for this commit alone: which rows there are differs from one to the next.
  func audienceOfRows(_ numbers: [Int]) -> Audience {
    var found = everywhereObservers
    for slot in numbers { found.merge(slots[slot].listeners.observers) { first, _ in first } }
    for row in rows.touched(by: revision) {
      found.merge(row.content.value.listeners.observers) { first, _ in first }
    }
    return Audience(found.values.sorted { $0.id < $1.id }, baton: queue.baton) { part in
      part.interest.isConcerned(byAnyRowOf: numbers) || newest(part.interest) == revision
    }
  }

  /// Wakes the readers of the rows that the present commit has touched.
  func wakeRows(into work: inout AfterCommit) {
    for row in rows.touched(by: revision) {
      Self.drain(&row.content.value.listeners.waiters, into: &work.wake)
    }
  }
}
