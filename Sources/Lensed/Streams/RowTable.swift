/// The observed rows, by the collections that they are of; the lock of the store guards it.
///
/// 1. *Observed.* The first reader of a row makes its record, and marks the sub-states of the collection (`hasRows`): a
///    reducer that runs there tells the `RowSink` which rows it has touched. There may be too many rows for slots.
/// 2. *Touched.* A case made by `keyed()` or `identified()` knows the id in the action (`ElementIdentity`), so it
///    touches the record of that row alone, found by the hash of the id. Any other run of a reducer touches all, and
///    so does what writes the sub-state without its reducers (`noteWrite`).
/// 3. *Notified.* The commit notifies the observers of the rows that were touched; without any, it goes on as if there
///    were no rows.
/// 4. *Given up.* The last reader that gives its interest up takes the record with it, and the last record the mark: so
///    nothing is left of rows that were observed once.
///
/// An interest that was dropped, and not given up, leaves its record: those are looked for when there are twice as many
/// as at the last look.
final class RowTable: Sendable {
  /// The collections of one place and type, of which rows are observed.
  fileprivate struct Collection: Sendable {
    let type: ObjectIdentifier
    let bytes: Range<Int>?
    let slots: [Int]
    /// Those of the slots, marked while there are records.
    let slotRecords: [UnsafeCellInRow<SlotRecord>]
    /// The records by the hashes of their ids.
    var records: [Int: InlineList<RowRecord>] = [:]
    var count = 0
    /// The number of records at which those without a reader are looked for.
    var limit = 16
  }

  private struct Content: Sendable {
    var collections: [Collection] = []
    /// The commit that touched the rows in `touched`.
    var revision: UInt64 = 0
    /// The rows that it touched and that have listeners.
    var touched: [RowRecord] = []
    /// The commit in which a reducer may have edited all rows of its sub-state.
    var editedAll: UInt64 = 0
    /// The audience of the last such commit.
    var audience: RowAudience?
    /// Records that are not needed: no reader knows them.
    var discarded: [RowRecord] = []
  }

  private let content: UnsafeCell<Content>
  /// Notified by reducers.
  let sink: RowSink

  init(in state: StateAddress) {
    let content = UnsafeCell(Content())
    self.content = content
    sink = RowSink { Self.touch($0, in: state, &content.value) }
  }

  /// Whether there is no collection.
  var isEmpty: Bool { content.value.collections.isEmpty }

  var count: Int { content.value.collections.reduce(0) { $0 + $1.count } }

  func touched(by revision: UInt64) -> [RowRecord] {
    content.value.revision == revision ? content.value.touched : []
  }

  /// The audience of the commit `revision`, which touched rows of some slots; nil where it is yet to be made.
  ///
  /// That of one row, and that of all rows, are kept while the observers of `slots` have one version.
  func audience(of slots: [Int], by revision: UInt64, version: UInt64) -> Audience? {
    let kept =
      content.value.editedAll == revision
      ? content.value.audience : onlyRow(touchedBy: revision)?.content.value.audience
    return kept?.audience(of: slots, version: version)
  }

  /// Keeps the audience of the commit `revision`, if it is that of one row or of all.
  func keep(_ audience: Audience, of slots: [Int], by revision: UInt64, version: UInt64) {
    let kept = RowAudience(slots: slots, version: version, audience: audience)
    if content.value.editedAll == revision {
      content.value.audience = kept
    } else {
      onlyRow(touchedBy: revision)?.content.value.audience = kept
    }
  }

  func records(of slots: [Int], touchedBy revision: UInt64) -> [RowRecord] {
    if content.value.editedAll != revision { return touched(by: revision) }
    var rows: [RowRecord] = []
    forEachRecord { if $0.slots.contains(where: slots.contains) { rows.append($0) } }
    return rows
  }

  private func onlyRow(touchedBy revision: UInt64) -> RowRecord? {
    let touched = touched(by: revision)
    return touched.count == 1 ? touched.first : nil
  }

  /// Finds the record of a row, or makes it, for one more reader, and marks the sub-states of its collection; `bytes` is
  /// where that lies, if it has a fixed place.
  func rowRecord(
    of row: Way.Row, at bytes: Range<Int>?, in slots: [Int],
    marking slot: (Int) -> UnsafeCellInRow<SlotRecord>
  ) -> RowRecord {
    var revision: UInt64 = 0
    for number in slots {
      let slot = slot(number)
      slot.value.flags.insert(.hasRows)
      // What was committed before the row had a record may have touched it.
      revision = max(revision, slot.value.revision)
    }
    let index =
      content.value.collections.firstIndex {
        $0.type == row.collection && $0.bytes == bytes && $0.slots == slots
      }
      ?? addCollection(
        Collection(
          type: row.collection, bytes: bytes, slots: slots, slotRecords: slots.map(slot)))
    let (record, unread) = content.value.collections[index].rowRecord(of: row, at: revision)
    record.content.value.readers += 1
    if !unread.isEmpty { content.value.discarded += unread }
    return record
  }

  private func addCollection(_ collection: Collection) -> Int {
    content.value.collections.append(collection)
    return content.value.collections.count - 1
  }

  /// Removes all rows, which are made anew when they are needed.
  func removeAll(into work: inout AfterCommit) {
    if isEmpty { return }
    // An observer holds its interest, and so the record that holds the observer.
    var listeners: [TableListeners] = []
    forEachRecord {
      listeners.append(exchange(&$0.content.value.listeners, with: TableListeners()))
    }
    work.trash.append(listeners)
    work.trash.append(exchange(&content.value, with: Content()))
  }

  /// Removes the collections without records, and those of sub-states that have no owner any more.
  func removeUnused(into work: inout AfterCommit, where isVacant: (_ slot: Int) -> Bool) {
    for index in content.value.collections.indices.reversed() {
      let collection = content.value.collections[index]
      if collection.count > 0 && !collection.slots.contains(where: isVacant) { continue }
      work.trash.append(content.value.collections.remove(at: index))
      work.trash.append(exchange(&content.value.touched, with: []))
      unmark(collection)
    }
    releaseDiscarded(into: &work)
  }

  /// Releases the records that are not needed: an id may be the last to hold something of the user's.
  ///
  /// The last commit may have touched some of them, and the next one would release these under the lock.
  func releaseDiscarded(into work: inout AfterCommit) {
    if content.value.discarded.isEmpty { return }
    work.trash.append(exchange(&content.value.discarded, with: []))
    if content.value.touched.isEmpty { return }
    work.trash.append(exchange(&content.value.touched, with: []))
  }

  /// Gives up the interest of one reader: rows that no other has lose their records, to be released without the lock.
  func giveUp(_ interest: Interest) {
    switch interest {
    case .everything, .slots: break
    case .row(let row): giveUp(row)
    case .any(let interests): for interest in interests { giveUp(interest) }
    }
  }

  private func giveUp(_ record: RowRecord) {
    content.value.discarded.append(record)
    record.content.value.readers -= 1
    if record.content.value.readers > 0 { return }
    // It is in none of them, if a sub-state of its collection has lost its owner.
    for index in content.value.collections.indices
    where content.value.collections[index].remove(record) {
      if content.value.collections[index].count == 0 { unmark(content.value.collections[index]) }
      return
    }
  }

  /// Clears the marks of the sub-states of a collection, but for those that have records of another.
  private func unmark(_ collection: Collection) {
    for (slot, slotRecord) in zip(collection.slots, collection.slotRecords)
    where !content.value.collections.contains(where: { $0.count > 0 && $0.slots.contains(slot) }) {
      slotRecord.value.flags.remove(.hasRows)
    }
  }

  func forEachRecord(_ body: (RowRecord) -> Void) {
    for collection in content.value.collections {
      for records in collection.records.values { records.forEach(body) }
    }
  }

  private static func touch(
    _ touch: RowTouch, in state: StateAddress, _ content: inout Content
  ) -> CommitFlags {
    if content.revision != touch.revision {
      content.revision = touch.revision
      if !content.touched.isEmpty { content.touched.removeAll(keepingCapacity: true) }
    }
    if touch.row == nil { content.editedAll = touch.revision }
    var flags = CommitFlags()
    for index in content.collections.indices
    where content.collections[index].slots.contains(touch.slot) {
      // Field by field: a method of the collection would be given a copy of it.
      if let row = touch.row, row.collection == content.collections[index].type,
        isPlace(content.collections[index].bytes, in: state, of: row)
      {
        if let record = rowRecord(of: row, in: content.collections[index].records[row.hash]) {
          flags.formUnion(noteTouch(record, touch.revision, &content.touched))
        }
      } else {
        for records in content.collections[index].records.values {
          records.forEach { flags.formUnion(noteTouch($0, touch.revision, &content.touched)) }
        }
      }
    }
    return flags
  }

  /// Whether a row is in the collection that lies at `bytes` of the state.
  private static func isPlace(
    _ bytes: Range<Int>?, in state: StateAddress, of row: RowTouch.Row
  ) -> Bool {
    guard let bytes else { return false }
    return row.place.bits == state.advanced(by: bytes.lowerBound).bits
  }

  /// The record of the row that an action was for, if it is observed: it is among those with its hash.
  private static func rowRecord(
    of row: RowTouch.Row, in records: InlineList<RowRecord>?
  ) -> RowRecord? {
    switch records {
    case nil, .some(.none): nil
    case .one(let record): record.row.isOf(row.id) ? record : nil
    case .several(let several): several.first { $0.row.isOf(row.id) }
    }
  }

  private static func noteTouch(
    _ record: RowRecord, _ revision: UInt64, _ touched: inout [RowRecord]
  ) -> CommitFlags {
    let isFirst = record.content.value.revision != revision
    record.content.value.revision = revision
    if record.content.value.listeners.isEmpty { return [] }
    if isFirst { touched.append(record) }
    return .touchedRows
  }
}

extension RowTable.Collection {
  /// Finds the record of a row, or makes it; returns, too, records that can notify no reader any more.
  fileprivate mutating func rowRecord(
    of row: Way.Row, at revision: UInt64
  ) -> (RowRecord, unread: [RowRecord]) {
    if let known = records[row.hash]?.all.first(where: { $0.row == row }) {
      return (known, [])
    }
    let unread = count >= limit ? removeUnread() : []
    let record = RowRecord(row, slots, at: revision)
    records[row.hash, default: .none].append(record)
    count += 1
    return (record, unread)
  }

  /// Removes a record; returns whether it was there.
  fileprivate mutating func remove(_ record: RowRecord) -> Bool {
    let hash = record.row.hash
    guard var others = records[hash]?.all,
      let index = others.firstIndex(where: { $0 === record })
    else { return false }
    others.remove(at: index)
    records[hash] = others.isEmpty ? nil : InlineList(others)
    count -= 1
    return true
  }

  private mutating func removeUnread() -> [RowRecord] {
    var all = records.values.flatMap(\.all)
    records = [:]
    var unread: [RowRecord] = []
    for index in all.indices {
      // One reference is that of the array; a reader holds another.
      if isKnownUniquelyReferenced(&all[index]) {
        unread.append(all[index])
      } else {
        records[all[index].row.hash, default: .none].append(all[index])
      }
    }
    count = all.count - unread.count
    limit = max(16, 2 * count)
    return unread
  }
}

// MARK: One row

/// The readers that wait for a commit, and the observers that are called for it.
struct TableListeners: Sendable {
  var waiters: [UInt64: Signal] = [:]
  var observers: [UInt64: Observer] = [:]

  var isEmpty: Bool { waiters.isEmpty && observers.isEmpty }

  /// What a commit shows that concerns them.
  var flags: CommitFlags {
    var flags = CommitFlags.handled
    if !waiters.isEmpty { flags.insert(.awaited) }
    if !observers.isEmpty { flags.insert(.observed) }
    return flags
  }
}

/// The record of one observed row: its observers and readers, and its last commit.
final class RowRecord: Sendable {
  /// What the lock of the store guards.
  struct Content: Sendable {
    /// The last commit that touched the row.
    var revision: UInt64
    var listeners = TableListeners()
    /// How many interests in the row were handed out, and not given up.
    var readers = 0
    /// The audience of the last commit that touched no other row.
    var audience: RowAudience?
  }

  let row: Way.Row
  /// The sub-states that the collection is of.
  let slots: [Int]
  let content: UnsafeCell<Content>

  init(_ row: Way.Row, _ slots: [Int], at revision: UInt64) {
    self.row = row
    self.slots = slots
    content = UnsafeCell(Content(revision: revision))
  }

  var revision: UInt64 { content.value.revision }
}

/// The audience of a commit that touched one row, or all of them, for the next one on the same slots.
struct RowAudience: Sendable {
  let slots: [Int]
  let version: UInt64
  let audience: Audience

  /// The audience, if it is that of a commit on `slots` and the observers are the same.
  func audience(of slots: [Int], version: UInt64) -> Audience? {
    self.version == version && self.slots == slots ? audience : nil
  }
}
