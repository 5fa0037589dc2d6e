package import Foundation
internal import Lensed

// The folder of a `Persistence`, read by a program that does not know the app's types.
//
//   1. `FolderReader` reads it as the app does, without any part of the app's.
//   2. The records of each part come to JSON, as the app's own types would come to their values.

/// What is in the folder of a `Persistence`, as JSON.
///
/// Nothing in the folder is changed, and its lock is not taken.
package struct KeptFolder {
  package struct Part {
    package var name: String
    /// The version of its last record.
    package var version: Int
    package var value: JSONText
    /// The ids of its rows, as text, or its keys; nil of a value that is kept as a whole.
    package var ids: [String]?
    /// Whether its rows are known to the app's types alone: they have no `id` in their JSON, and some have changed.
    package var hasUntoldRows: Bool
  }

  package let parts: [Part]
  /// How many commits it has, and the number that the store gave the last one.
  package let commits: Int
  package let lastCommit: UInt64
  /// How many bytes are read of its snapshot and its segments.
  package let bytes: UInt64
  /// The snapshots and segments, by name.
  package let files: [String]
  /// The files that were set aside.
  package let setAside: [String]
  /// Whether it is the folder of a `PersistenceGroup`, and has those of its stores.
  package let isOfGroup: Bool
  /// Where an unfinished write begins, and what does not fit.
  package let recovery: PersistenceRecovery

  /// Reads a folder.
  ///
  /// - Parameters:
  ///   - url: The folder.
  ///   - salvages: Whether damage is noted in `recovery`, and what can be verified is read; else it is thrown.
  /// - Throws: A `PersistenceError`, where the folder cannot be read.
  package init(_ url: URL, salvages: Bool) throws(PersistenceError) {
    do {
      let storage = FolderStorage(url.path)
      let names = try storage.list().sorted()
      files = names.filter {
        FolderFormat.number(of: $0, "segment-") != nil
          || FolderFormat.number(of: $0, "snapshot-") != nil
      }
      setAside = names.filter { $0.hasPrefix(FolderFormat.aside("")) }
      let start = try? storage.read("lock", from: 0, count: 16)
      isOfGroup = start.map { String(decoding: $0, as: UTF8.self).hasPrefix("group") } ?? false
      let records = UntypedParts()
      var reader = FolderReader<Void>(storage: storage, parts: [], salvages: salvages)
      reader.takeOthers = records.apply
      let contents = try reader.read()
      parts = records.parts
      (commits, lastCommit) = (contents.commits, contents.revision)
      bytes = contents.snapshotBytes + contents.segmentBytes
      recovery = contents.recovery
    } catch {
      throw PersistenceError(error)
    }
  }

  /// Whether a file is a segment or a snapshot of such a folder, by its head.
  package static func isPiece(_ url: URL) -> Bool {
    guard var reader = try? RecordReader(url), let record = try? reader.next(),
      let head = try? FolderRecord(record.json, at: RecordPlace(file: "", byte: 0))
    else { return false }
    switch head {
    case .segment, .snapshot: return true
    case .commit, .part: return false
    }
  }

  /// The state, for values at paths as a session has them; without the parts whose rows cannot be told apart.
  package var state: SessionState {
    let parts = parts.filter { !$0.hasUntoldRows }
    return SessionState(
      parts: parts.map { ($0.name, $0.value) },
      ids: Dictionary(
        uniqueKeysWithValues: parts.compactMap { part in part.ids.map { (part.name, $0) } }))
  }
}

/// Comes from the records of parts to their values, as JSON.
private final class UntypedParts {
  fileprivate struct Row: Identifiable {
    /// The id as JSON is written.
    var id: String
    var value: JSONText
  }

  fileprivate enum Content {
    case value(JSONText)
    /// Nothing was said yet but that there are none.
    case none
    /// Rows without an `id` in their JSON have numbers, and can be added alone.
    case rows(Entities<Row>, haveIDs: Bool)
    /// Rows without an `id` in their JSON, some of which have changed: which ones, only the app's types tell.
    case untold
    case entries(Entities<Row>)
  }

  private var contents: [String: (version: Int, content: Content)] = [:]

  var parts: [KeptFolder.Part] {
    contents.sorted { $0.key < $1.key }.map { name, part in
      let (value, ids): (JSONText, [String]?) =
        switch part.content {
        case .value(let value): (value, nil)
        case .none: (.list([]), [])
        case .untold: (.null, [])
        case .rows(let rows, let haveIDs):
          (.list(rows.map(\.value)), haveIDs ? rows.map { Self.plain($0.id) } : [])
        case .entries(let rows):
          (.object(rows.map { .init(Self.plain($0.id), $0.value) }), rows.map { Self.plain($0.id) })
        }
      return KeptFolder.Part(
        name: name, version: part.version, value: value, ids: ids,
        hasUntoldRows: part.content.isUntold)
    }
  }

  /// An id as a path has it: text without its quotes.
  private static func plain(_ id: String) -> String {
    (try? JSONText(parsing: id.utf8))?.string ?? id
  }

  private struct Misfit: Error {
    let reason: String
  }

  func apply(_ record: PartRecord, at place: RecordPlace) throws(PersistenceError) {
    let former = contents[record.name]?.content ?? .none
    let reason: String
    do {
      contents[record.name] = (record.version, try Self.next(former, record))
      return
    } catch let misfit as Misfit {
      contents[record.name] = (record.version, former)
      reason = misfit.reason
    } catch {
      reason = "it is no JSON: \(error)"
    }
    throw .undecodable(
      part: record.name, version: record.version, file: place.file, byte: place.byte,
      reason: reason)
  }

  private static func next(_ content: Content, _ record: PartRecord) throws -> Content {
    let json = try JSONText(parsing: record.content)
    if record.verb == .value { return .value(json) }
    if record.verb == .cleared { return .none }
    guard let list = json.list else { throw Misfit(reason: "it is no list") }
    var rows = content.entities
    switch (content, record.verb) {
    case (.none, .entries), (.entries, .entries):
      for entry in list {
        guard let key = entry["key"], let value = entry["value"] else {
          throw Misfit(reason: "an entry has no key or no value")
        }
        _ = rows.upsert(Row(id: key.text, value: value))
      }
      return .entries(rows)
    case (.entries, .removed):
      try remove(list, &rows)
      return .entries(rows)
    case (.none, .appended), (.rows, .appended):
      var haveIDs = content.haveIDs
      for row in list {
        if let id = row["id"], haveIDs {
          _ = rows.upsert(Row(id: id.text, value: row))
        } else {
          // Its place in the order of all rows tells it from the others.
          haveIDs = false
          rows.append(Row(id: "#\(rows.count)", value: row))
        }
      }
      return .rows(rows, haveIDs: haveIDs)
    case (.untold, .appended), (.untold, .placed), (.untold, .edited), (.untold, .removed):
      return .untold
    case (.none, .placed), (.rows, .placed), (.rows, .edited), (.rows, .removed):
      if !content.haveIDs || hasNamelessRows(list, record) { return .untold }
      switch record.verb {
      case .removed: try remove(list, &rows)
      case .edited:
        for row in list {
          guard let id = row["id"]?.text, rows.contains(id: id) else {
            throw Misfit(reason: "a row that was edited is not there")
          }
          _ = rows.upsert(Row(id: id, value: row))
        }
      default: for one in list { try place(one, &rows) }
      }
      return .rows(rows, haveIDs: true)
    default:
      throw Misfit(reason: "it does not fit what was kept of the part before")
    }
  }

  private static func hasNamelessRows(_ list: [JSONText], _ record: PartRecord) -> Bool {
    switch record.verb {
    case .edited: list.contains { $0["id"] == nil }
    case .placed: list.contains { one in one["row"].map { $0["id"] == nil } ?? false }
    default: false
    }
  }

  private static func remove(_ ids: [JSONText], _ rows: inout Entities<Row>) throws {
    for id in Set(ids.map(\.text)) where rows.remove(id: id) == nil {
      throw Misfit(reason: "what was removed is not there")
    }
  }

  private static func place(_ one: JSONText, _ rows: inout Entities<Row>) throws {
    let row: Row
    if let new = one["row"], let id = new["id"]?.text {
      row = Row(id: id, value: new)
    } else if let id = one["id"]?.text, let moved = rows[id: id] {
      row = moved
    } else {
      throw Misfit(reason: "a row that moved is not there")
    }
    if !rows.place(row, behind: one["after"]?.text) {
      throw Misfit(reason: "the row before another one is not there")
    }
  }
}

extension UntypedParts.Content {
  fileprivate var entities: Entities<UntypedParts.Row> {
    switch self {
    case .value, .none, .untold: Entities()
    case .rows(let rows, _), .entries(let rows): rows
    }
  }

  fileprivate var isUntold: Bool { if case .untold = self { true } else { false } }
  fileprivate var haveIDs: Bool { if case .rows(_, let haveIDs) = self { haveIDs } else { true } }
}
