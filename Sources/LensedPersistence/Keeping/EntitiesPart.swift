internal import Foundation
internal import Lensed

/// Rows with ids, that are written by what differs between two versions.
///
/// Written are, in this order: which rows went (`removed`), which are otherwise than they were (`edited`), and which
/// are new or elsewhere: `appended` where they are the last ones, else `placed`, each behind the row before it.
struct EntitiesPart<State: Sendable, Row: Identifiable & Codable & Equatable & Sendable>: KeptPart
where Row.ID: Codable & Sendable {
  let part: StatePart
  let name: String
  let version: Int
  let migration: PartMigration<Row>?
  /// Whether the order of the rows is theirs, and not that of a sort.
  let keepsOrder: Bool
  let difference: RowDifference<Row>
  let get: @Sendable (State) -> Entities<Row>
  let put: @Sendable (Entities<Row>, inout State) -> Void

  init(
    _ part: StatePart, _ name: String?, _ version: PartVersionNumber,
    _ migration: PartMigration<Row>?, keepsOrder: Bool, difference: @escaping RowDifference<Row>,
    get: @escaping @Sendable (State) -> Entities<Row>,
    put: @escaping @Sendable (Entities<Row>, inout State) -> Void
  ) {
    self.part = part
    self.name = name ?? part.name ?? ""
    (self.version, self.migration, self.keepsOrder) = (version.number, migration, keepsOrder)
    (self.difference, self.get, self.put) = (difference, get, put)
  }

  func take(_ state: State) -> any PartVersion {
    EntitiesVersion(rows: get(state), keepsOrder: keepsOrder, difference: difference)
  }

  func makeRestoration() -> any PartRestoration<State> { EntitiesRestoration(self) }
}

/// A row, or the id of one that moved, and the row that it stands behind.
private struct PlacedRow<Row: Identifiable & Codable>: Codable where Row.ID: Codable {
  var after: Row.ID?
  var row: Row?
  var id: Row.ID?
}

/// The same of an older version.
private struct OldPlacedRow<ID: Decodable, Row>: Decodable {
  var after: ID?
  var row: MigratedRow<Row>?
  var id: ID?
}

// MARK: Writing

private struct EntitiesVersion<Row: Identifiable & Codable & Equatable & Sendable>: PartVersion
where Row.ID: Codable & Sendable {
  let rows: Entities<Row>
  let keepsOrder: Bool
  let difference: RowDifference<Row>

  var base: (any PartVersion)? { self }

  func write(since base: (any PartVersion)?, _ emit: PartEmit) throws {
    guard let older = (base as? EntitiesVersion)?.rows else {
      try emit(.cleared, [UInt8]("true".utf8))
      return try write(.appended, rows, emit)
    }
    let difference = difference(rows, older)
    try write(.removed, difference.removed, emit)
    try write(.edited, difference.edited.lazy.compactMap { rows[id: $0] }, emit)
    if keepsOrder && difference.isReordered {
      try place(Set(difference.inserted), moved: moved(since: older), emit)
    } else if !keepsOrder || areLast(difference.inserted) {
      try write(.appended, difference.inserted.lazy.compactMap { rows[id: $0] }, emit)
    } else {
      try place(difference.inserted, emit)
    }
  }

  private func write<Written: Encodable>(
    _ verb: PartRecord.Verb, _ rows: some Sequence<Written>, _ emit: PartEmit
  ) throws {
    var batch = RowBatch<Written>(verb)
    for row in rows { try batch.add(row, emit) }
    try batch.flush(emit)
  }

  private func areLast(_ inserted: [Row.ID]) -> Bool {
    guard let first = inserted.first else { return true }
    return rows.index(id: first) == rows.count - inserted.count
  }

  /// Places new rows, in the order of all rows.
  private func place(_ inserted: [Row.ID], _ emit: PartEmit) throws {
    var batch = RowBatch<PlacedRow<Row>>(.placed)
    for id in inserted {
      guard let index = rows.index(id: id) else { continue }
      let after = index == 0 ? nil : rows[index - 1].id
      try batch.add(PlacedRow(after: after, row: rows[index]), emit)
    }
    try batch.flush(emit)
  }

  /// Places new rows and those that moved, in the order of all rows.
  private func place(
    _ inserted: Set<Row.ID>, moved: Set<Row.ID>, _ emit: PartEmit
  ) throws {
    var batch = RowBatch<PlacedRow<Row>>(.placed)
    var former: Row.ID?
    for row in rows {
      if inserted.contains(row.id) {
        try batch.add(PlacedRow(after: former, row: row), emit)
      } else if moved.contains(row.id) {
        try batch.add(PlacedRow(after: former, id: row.id), emit)
      }
      former = row.id
    }
    try batch.flush(emit)
  }

  /// The fewest rows that have to move: all but a longest run that is in order in both versions.
  private func moved(since older: Entities<Row>) -> Set<Row.ID> {
    // Patience sorting. `ends[n]` is the row that ends the run of length n + 1 with the lowest place.
    var (places, links, ids) = ([Int](), [Int](), [Row.ID]())
    var ends: [Int] = []
    for row in rows {
      guard let place = older.index(id: row.id) else { continue }
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if places[ends[middle]] < place { low = middle + 1 } else { high = middle }
      }
      links.append(low == 0 ? -1 : ends[low - 1])
      places.append(place)
      ids.append(row.id)
      if low == ends.count { ends.append(ids.count - 1) } else { ends[low] = ids.count - 1 }
    }
    var moved = Set(ids)
    var last = ends.last ?? -1
    while last >= 0 {
      moved.remove(ids[last])
      last = links[last]
    }
    return moved
  }
}

// MARK: Restoring

private final class EntitiesRestoration<
  State: Sendable, Row: Identifiable & Codable & Equatable & Sendable
>: PartRestoration where Row.ID: Codable & Sendable {
  private let part: EntitiesPart<State, Row>
  private let decoding: PartDecoding<Row>
  private var rows: Entities<Row>?
  private var isMigrated = false

  init(_ part: EntitiesPart<State, Row>) {
    self.part = part
    decoding = PartDecoding(name: part.name, version: part.version, migration: part.migration)
  }

  func apply(_ record: PartRecord, at place: RecordPlace) throws(PersistenceError) {
    try decoding.check(record, at: place)
    switch record.verb {
    case .cleared: isMigrated = false
    case .edited, .appended, .placed: isMigrated = isMigrated || record.version < part.version
    case .removed, .value, .entries: break
    }
    // Taken out, so that it is edited in place.
    var rows = exchange(&rows, with: nil) ?? Entities()
    defer { self.rows = rows }
    switch record.verb {
    case .cleared:
      rows = Entities()
    case .removed:
      let ids: [Row.ID] = try decoding.ids(record, at: place)
      let count = rows.count
      // Many at once in one pass: an array of rows closes up after each one.
      if ids.count > 16 {
        let gone = Set(ids)
        rows.removeAll { gone.contains($0.id) }
      } else {
        for id in ids { _ = rows.remove(id: id) }
      }
      // What is removed was there when it was written.
      if count - rows.count < ids.count {
        throw decoding.missing("a row that was removed", record, at: place)
      }
    case .edited, .appended:
      let (edited, count) = (try decode(record, at: place), rows.count)
      for row in edited { _ = rows.upsert(row) }
      if record.verb == .edited && rows.count > count {
        throw decoding.missing("a row that was edited", record, at: place)
      }
    case .placed:
      for one in try decodePlaced(record, at: place) {
        let row: Row
        if let new = one.row {
          row = new
        } else if let id = one.id, let moved = rows[id: id] {
          row = moved
        } else {
          throw decoding.missing("a row that moved", record, at: place)
        }
        _ = rows.remove(id: row.id)
        var index = 0
        if let after = one.after {
          guard let former = rows.index(id: after) else {
            throw decoding.missing("the row before another one", record, at: place)
          }
          index = former + 1
        }
        _ = rows.insert(row, at: index)
      }
    case .value, .entries:
      throw decoding.undecodable(
        record, at: place, "it was kept otherwise, and now its rows are kept by KeptRows")
    }
  }

  private func decode(_ record: PartRecord, at place: RecordPlace) throws(PersistenceError) -> [Row]
  {
    try decoding(record, at: place) {
      try JSONValue.decoder().decode([Row].self, from: $0)
    } migrate: { migrate in
      try MigratedRow.decode([MigratedRow<Row>].self, record, by: migrate).map(\.value)
    }
  }

  private func decodePlaced(
    _ record: PartRecord, at place: RecordPlace
  ) throws(PersistenceError) -> [PlacedRow<Row>] {
    try decoding(record, at: place) {
      try JSONValue.decoder().decode([PlacedRow<Row>].self, from: $0)
    } migrate: { migrate in
      try MigratedRow.decode([OldPlacedRow<Row.ID, Row>].self, record, by: migrate).map {
        PlacedRow(after: $0.after, row: $0.row?.value, id: $0.id)
      }
    }
  }

  func finish() throws(PersistenceError) -> RestoredPart<State>? {
    guard let rows else { return nil }
    let put = part.put
    let version = EntitiesVersion(
      rows: rows, keepsOrder: part.keepsOrder, difference: part.difference)
    return RestoredPart(version: version, isMigrated: isMigrated) { put(rows, &$0) }
  }
}
