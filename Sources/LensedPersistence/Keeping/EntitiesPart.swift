internal import Foundation
internal import Lensed

/// Rows with ids, that are written by what differs between two versions.
///
/// Written are, in this order: which rows went (`removed`), which are otherwise than they were (`edited`), and which
/// are new or elsewhere: `appended` where they are the last ones, else `placed`, each behind the row before it.
struct EntitiesPart<State: Sendable, Row: Identifiable & Codable & Equatable & Sendable>: KeptPart
where Row.ID: Codable & Sendable {
  let decoding: PartDecoding<Row>
  let access: RowAccess<Row>
  let get: @Sendable (State) -> Entities<Row>
  let put: @Sendable (Entities<Row>, inout State) -> Void

  func take(_ state: State) -> any PartVersion {
    EntitiesVersion(rows: get(state), access: access)
  }
}

/// A row, or the id of one that moved, and the row that it stands behind.
///
/// What is there is told by its key alone: an id, or a row, may be null.
private struct Placed<ID, Row> {
  var after: ID?
  var row: Row?
  var id: ID?
}

private enum PlacedKey: CodingKey { case after, row, id }

extension Placed: Encodable where ID: Encodable, Row: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PlacedKey.self)
    if let after { try container.encode(after, forKey: .after) }
    if let row { try container.encode(row, forKey: .row) }
    if let id { try container.encode(id, forKey: .id) }
  }
}

extension Placed: Decodable where ID: Decodable, Row: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PlacedKey.self)
    func value<Value: Decodable>(_ key: PlacedKey) throws -> Value? {
      container.contains(key) ? try container.decode(Value.self, forKey: key) : nil
    }
    (after, row, id) = (try value(.after), try value(.row), try value(.id))
  }
}

// MARK: Writing

private struct EntitiesVersion<Row: Identifiable & Codable & Equatable & Sendable>: PartVersion
where Row.ID: Codable & Sendable {
  let rows: Entities<Row>
  let access: RowAccess<Row>

  var base: (any PartVersion)? { self }

  func write(since base: (any PartVersion)?, _ emit: PartEmit) throws {
    guard let older = (base as? EntitiesVersion)?.rows else {
      try emit(.cleared, [UInt8]("true".utf8))
      return try RowBatch.write(.appended, rows, emit)
    }
    let difference = access.difference(rows, older)
    try RowBatch.write(.removed, difference.removed, emit)
    try writeRows(.edited, difference.edited, emit)
    if difference.isReordered || !areLast(difference.inserted) {
      try place(difference, emit)
    } else {
      try writeRows(.appended, difference.inserted, emit)
    }
  }

  private func writeRows(_ verb: PartRecord.Verb, _ ids: [Row.ID], _ emit: PartEmit) throws {
    var batch = RowBatch<Row>(verb)
    var start = 0
    while start < ids.count {
      let some = start..<min(ids.count, start + batch.limit)
      try batch.write(access.rows(rows, ids, some), emit)
      start = some.upperBound
    }
  }

  private func areLast(_ inserted: [Row.ID]) -> Bool {
    guard let first = inserted.first else { return true }
    return rows.index(id: first) == rows.count - inserted.count
  }

  /// Places new rows and those that moved, in the order of all rows.
  ///
  /// The row before each one is in its place then: it has not moved, or was placed before.
  private func place(_ difference: EntitiesDifference<Row.ID>, _ emit: PartEmit) throws {
    var places = difference.inserted.compactMap { id in
      rows.index(id: id).map { (index: $0, isNew: true) }
    }
    places += difference.moved.compactMap { id in
      rows.index(id: id).map { (index: $0, isNew: false) }
    }
    if difference.isReordered { places.sort { $0.index < $1.index } }
    let placed = places.lazy.map { index, isNew in
      Placed(
        after: index == 0 ? nil : rows[index - 1].id, row: isNew ? rows[index] : nil,
        id: isNew ? nil : rows[index].id)
    }
    try RowBatch.write(.placed, placed, emit)
  }
}

// MARK: Restoring

extension EntitiesPart {
  func apply(
    _ record: PartRecord, at place: RecordPlace, to content: inout Entities<Row>?,
    _ isMigrated: inout Bool
  ) throws(PersistenceError) {
    try decoding.check(record, at: place, &isMigrated)
    // Taken out, so that it is edited in place.
    var rows = content.take() ?? Entities()
    defer { content = rows }
    switch record.verb {
    case .cleared:
      rows = Entities()
    case .removed:
      let ids: [Row.ID] = try decoding.ids(record, at: place)
      // What is removed was there when it was written; where one was not, the others go all the same.
      if !ids.filter({ rows.remove(id: $0) == nil }).isEmpty {
        throw decoding.missing("a row that was removed", record, at: place)
      }
    case .edited, .appended:
      let count = rows.count
      let edited: [Row] = try decoding(record, at: place, or: [Migrated<Row>].self) {
        $0.map(\.value)
      }
      for row in edited { _ = rows.upsert(row) }
      if record.verb == .edited && rows.count > count {
        throw decoding.missing("a row that was edited", record, at: place)
      }
    case .placed:
      let placed = try decoding(record, at: place, or: [Placed<Row.ID, Migrated<Row>>].self) {
        $0.map { Placed(after: $0.after, row: $0.row?.value, id: $0.id) }
      }
      for one in placed {
        let row: Row
        if let new = one.row {
          row = new
        } else if let id = one.id, let moved = rows[id: id] {
          row = moved
        } else {
          throw decoding.missing("a row that moved", record, at: place)
        }
        if !rows.place(row, behind: one.after) {
          throw decoding.missing("the row before another one", record, at: place)
        }
      }
    case .value, .entries:
      throw .keptOtherwise(part: record.name, file: place.file, byte: place.byte)
    }
  }

  func restored(_ rows: Entities<Row>, isMigrated: Bool) -> RestoredPart<State> {
    let version = EntitiesVersion(rows: rows, access: access)
    return RestoredPart(version: version, isMigrated: isMigrated) { [put] in put(rows, &$0) }
  }
}

extension Entities {
  /// Puts a row directly behind the one with an id, or first without an id, wherever it was.
  ///
  /// - Returns: Whether the row that it stands behind is there.
  mutating func place(_ row: Element, behind id: Element.ID?) -> Bool {
    _ = remove(id: row.id)
    let former = id.map { index(id: $0) } ?? -1
    guard let former else { return false }
    _ = insert(row, at: former + 1)
    return true
  }
}
