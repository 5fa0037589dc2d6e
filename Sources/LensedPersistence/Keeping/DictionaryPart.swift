internal import Foundation
internal import Lensed

/// The values of a dictionary, that are written by what differs between two versions.
struct DictionaryPart<
  State: Sendable, Key: Hashable & Codable & Sendable, Value: Codable & Equatable & Sendable
>: KeptPart {
  let lens: Lens<State, [Key: Value]>
  let decoding: PartDecoding<Value>

  func take(_ state: State) -> any PartVersion { DictionaryVersion(values: lens.get(state)) }

  func apply(
    _ record: PartRecord, at place: RecordPlace, to content: inout [Key: Value]?,
    _ isMigrated: inout Bool
  ) throws(PersistenceError) {
    try decoding.check(record, at: place, &isMigrated)
    // Taken out, so that it is edited in place.
    var values = content.take() ?? [:]
    defer { content = values }
    switch record.verb {
    case .cleared:
      values = [:]
    case .removed:
      let keys: [Key] = try decoding.ids(record, at: place)
      // What is removed was there when it was written; where one was not, the others go all the same.
      if !keys.filter({ values.removeValue(forKey: $0) == nil }).isEmpty {
        throw decoding.missing("a key that was removed", record, at: place)
      }
    case .entries:
      let entries = try decoding(record, at: place, or: [Entry<Key, Migrated<Value>>].self) {
        $0.map { Entry(key: $0.key, value: $0.value.value) }
      }
      for entry in entries { values[entry.key] = entry.value }
    case .value, .edited, .appended, .placed:
      throw .keptOtherwise(part: record.name, file: place.file, byte: place.byte)
    }
  }

  func restored(_ values: [Key: Value], isMigrated: Bool) -> RestoredPart<State> {
    RestoredPart(version: DictionaryVersion(values: values), isMigrated: isMigrated) { state in
      lens.modify(&state) { $0 = values }
    }
  }
}

private struct Entry<Key, Value> {
  var key: Key
  var value: Value
}

extension Entry: Encodable where Key: Encodable, Value: Encodable {}
extension Entry: Decodable where Key: Decodable, Value: Decodable {}

private struct DictionaryVersion<
  Key: Hashable & Codable & Sendable, Value: Codable & Equatable & Sendable
>: PartVersion {
  let values: [Key: Value]

  var base: (any PartVersion)? { self }

  func write(since base: (any PartVersion)?, _ emit: PartEmit) throws {
    let older = (base as? DictionaryVersion)?.values
    if older == nil { try emit(.cleared, [UInt8]("true".utf8)) }
    try RowBatch.write(.removed, (older ?? [:]).keys.lazy.filter { values[$0] == nil }, emit)
    let entries = values.lazy.filter { older?[$0] != $1 }.map { Entry(key: $0, value: $1) }
    try RowBatch.write(.entries, entries, emit)
  }
}
