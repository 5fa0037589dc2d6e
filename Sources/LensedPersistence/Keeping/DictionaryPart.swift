internal import Foundation
internal import Lensed

/// The values of a dictionary, that are written by what differs between two versions.
struct DictionaryPart<
  State: Sendable, Key: Hashable & Codable & Sendable, Value: Codable & Equatable & Sendable
>: KeptPart {
  let lens: Lens<State, [Key: Value]>
  let decoding: PartDecoding<Value>

  func take(_ state: State) -> any PartVersion { DictionaryVersion(values: lens.get(state)) }

  func makeRestoration() -> any PartRestoration<State> { DictionaryRestoration(self) }
}

private struct Entry<Key: Codable, Value: Codable>: Codable {
  var key: Key
  var value: Value
}

/// The same of an older version.
private struct OldEntry<Key: Decodable, Value>: Decodable {
  var key: Key
  var value: MigratedRow<Value>
}

private struct DictionaryVersion<
  Key: Hashable & Codable & Sendable, Value: Codable & Equatable & Sendable
>: PartVersion {
  let values: [Key: Value]

  var base: (any PartVersion)? { self }

  func write(since base: (any PartVersion)?, _ emit: PartEmit) throws {
    let older = (base as? DictionaryVersion)?.values
    if older == nil { try emit(.cleared, [UInt8]("true".utf8)) }
    var removed = RowBatch<Key>(.removed)
    for key in (older ?? [:]).keys where values[key] == nil { try removed.add(key, emit) }
    try removed.flush(emit)
    var entries = RowBatch<Entry<Key, Value>>(.entries)
    for (key, value) in values where older?[key] != value {
      try entries.add(Entry(key: key, value: value), emit)
    }
    try entries.flush(emit)
  }
}

private final class DictionaryRestoration<
  State: Sendable, Key: Hashable & Codable & Sendable, Value: Codable & Equatable & Sendable
>: PartRestoration {
  private let part: DictionaryPart<State, Key, Value>
  private var decoding: PartDecoding<Value> { part.decoding }
  private var values: [Key: Value]?
  private var isMigrated = false

  init(_ part: DictionaryPart<State, Key, Value>) {
    self.part = part
  }

  func apply(_ record: PartRecord, at place: RecordPlace) throws(PersistenceError) {
    try decoding.check(record, at: place, &isMigrated)
    var values = exchange(&values, with: nil) ?? [:]
    defer { self.values = values }
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
      let entries = try decoding(record, at: place) {
        try JSONValue.decoder().decode([Entry<Key, Value>].self, from: $0)
      } migrate: { migrate in
        try MigratedRow.decode([OldEntry<Key, Value>].self, record, by: migrate)
          .map { Entry(key: $0.key, value: $0.value.value) }
      }
      for entry in entries { values[entry.key] = entry.value }
    case .value, .edited, .appended, .placed:
      throw .keptOtherwise(part: record.name, file: place.file, byte: place.byte)
    }
  }

  func finish() throws(PersistenceError) -> RestoredPart<State>? {
    guard let values else { return nil }
    let lens = part.lens
    return RestoredPart(
      version: DictionaryVersion(values: values), isMigrated: isMigrated
    ) { state in
      lens.modify(&state) { $0 = values }
    }
  }
}
