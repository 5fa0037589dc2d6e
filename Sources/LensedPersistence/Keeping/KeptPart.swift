internal import Foundation
internal import Lensed

// One kept part, with its type erased.
//
//   1. *Restoring*: a `Restoration` is given the records of the part, oldest first, and comes to a value.
//   2. *Taking*: `take` copies the part, in the turn at the store's lock that takes all parts.
//   3. *Writing*: a `PartVersion` writes what differs from the version that the folder has.

protocol KeptPart<State>: Sendable {
  associatedtype State: Sendable
  associatedtype Value: Decodable
  /// What the records come to.
  associatedtype Content

  var decoding: PartDecoding<Value> { get }

  func take(_ state: State) -> any PartVersion
  /// Goes on with a record; without content it is the first one.
  func apply(
    _ record: PartRecord, at place: RecordPlace, to content: inout Content?,
    _ isMigrated: inout Bool
  ) throws(PersistenceError)
  func restored(
    _ content: Content, isMigrated: Bool
  ) throws(PersistenceError) -> RestoredPart<State>
}

extension KeptPart {
  var name: String { decoding.name }
  var version: Int { decoding.version }
  var part: StatePart { decoding.part }

  func makeRestoration() -> any PartRestoration<State> { Restoration(self) }
}

/// The value of a part, as one commit left it.
protocol PartVersion: Sendable {
  /// Writes what leads from another version of the part to this one; all of it, if there is none.
  func write(since base: (any PartVersion)?, _ emit: PartEmit) throws
  /// What the next version is compared with; nil where each version is written as a whole.
  var base: (any PartVersion)? { get }
}

typealias PartEmit = (_ verb: PartRecord.Verb, _ content: [UInt8]) throws -> Void

/// Comes from the records of a part to its value.
protocol PartRestoration<State>: AnyObject {
  associatedtype State: Sendable

  func apply(_ record: PartRecord, at place: RecordPlace) throws(PersistenceError)
  /// The value; nil where there was no record.
  func finish() throws(PersistenceError) -> RestoredPart<State>?
}

private final class Restoration<Part: KeptPart>: PartRestoration {
  private let part: Part
  private var content: Part.Content?
  private var isMigrated = false

  init(_ part: Part) {
    self.part = part
  }

  func apply(_ record: PartRecord, at place: RecordPlace) throws(PersistenceError) {
    try part.apply(record, at: place, to: &content, &isMigrated)
  }

  func finish() throws(PersistenceError) -> RestoredPart<Part.State>? {
    guard let content else { return nil }
    return try part.restored(content, isMigrated: isMigrated)
  }
}

struct RestoredPart<State: Sendable>: Sendable {
  let version: any PartVersion
  /// Whether a migration made some of it: another call of the migration may make something else of the same records.
  let isMigrated: Bool
  let put: @Sendable (inout State) -> Void
}

/// What a part in a folder was, before it is decoded: what a migration begins with.
public struct OldValue {
  let decoder: any Decoder

  /// Decodes it as its old type.
  ///
  /// - Throws: The decoder's error.
  public func decode<Old: Decodable>(_ type: Old.Type) throws -> Old {
    try decoder.singleValueContainer().decode(type)
  }
}

/// A value of an older version, which is migrated as it is decoded.
struct Migrated<Value>: Decodable {
  let value: Value

  /// Where the decoder has the migration.
  private static var key: CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: "Lensed.migration") else {
      fatalError("Lensed: the standard library takes no key for a migration any more.")
    }
    return key
  }

  fileprivate static func decoder(
    from version: Int, _ migration: @escaping PartMigration<Value>
  ) -> JSONDecoder {
    let migrate: @Sendable (OldValue) throws -> Value = { try migration(version, $0) }
    let decoder = JSONValue.decoder()
    decoder.userInfo[key] = migrate
    return decoder
  }

  init(from decoder: any Decoder) throws {
    guard let migrate = decoder.userInfo[Self.key] as? @Sendable (OldValue) throws -> Value else {
      fatalError(
        "Lensed: an old value was decoded without its migration; this is a fault of Lensed.")
    }
    value = try migrate(OldValue(decoder: decoder))
  }
}

/// Converts a value of an older version.
public typealias PartMigration<Value> =
  @Sendable (_ version: Int, _ old: OldValue) throws -> Value

/// What a part is called, and how its values are read: those of its own version, older ones, newer ones.
struct PartDecoding<Value: Decodable>: Sendable {
  let part: StatePart
  let name: String
  /// At least 1.
  let version: Int
  let migration: PartMigration<Value>?

  init(
    _ part: StatePart, _ name: String?, _ version: Int, _ migration: PartMigration<Value>?
  ) {
    if version < 1 {
      fatalError(
        """
        Lensed: a kept part was given version \(version). Versions begin at 1, and grow by 1 with each change to \
        the type of the part that its old JSON does not fit.
        """)
    }
    (self.part, self.name) = (part, name ?? part.name ?? "")
    (self.version, self.migration) = (version, migration)
  }

  /// Decodes what a record has, or what `Migrated` values are in, of which `result` makes that.
  func callAsFunction<Result: Decodable, Old: Decodable>(
    _ record: PartRecord, at place: RecordPlace, or old: Old.Type, _ result: (Old) -> Result
  ) throws(PersistenceError) -> Result {
    try check(record, at: place)
    if record.version < version && migration == nil {
      throw .noMigration(
        part: name, version: record.version, known: version, file: place.file, byte: place.byte)
    }
    do {
      let content = Data(record.content)
      guard let migration, record.version < version else {
        return try JSONValue.decoder().decode(Result.self, from: content)
      }
      let decoder = Migrated.decoder(from: record.version, migration)
      return result(try decoder.decode(old, from: content))
    } catch {
      throw undecodable(record, at: place, Redaction.coding(error, of: Value.self))
    }
  }

  /// Throws if a newer program has written a record.
  func check(_ record: PartRecord, at place: RecordPlace) throws(PersistenceError) {
    if record.version > version {
      throw .newerVersion(
        part: name, version: record.version, known: version, file: place.file, byte: place.byte)
    }
  }

  /// As `check`, and notes whether a migration makes some of what there is after a record.
  func check(
    _ record: PartRecord, at place: RecordPlace, _ isMigrated: inout Bool
  ) throws(PersistenceError) {
    try check(record, at: place)
    switch record.verb {
    case .cleared: isMigrated = false
    // Ids and keys are those of all versions.
    case .removed: break
    case .value, .entries, .edited, .appended, .placed:
      isMigrated = isMigrated || record.version < version
    }
  }

  /// Decodes the ids of rows, or the keys of a dictionary, which no migration converts.
  func ids<ID: Decodable>(
    _ record: PartRecord, at place: RecordPlace
  ) throws(PersistenceError) -> [ID] {
    do {
      return try JSONValue.decoder().decode([ID].self, from: Data(record.content))
    } catch {
      throw undecodable(
        record, at: place,
        Redaction.coding(error, of: ID.self) + (record.version < version ? Self.keeping : ""))
    }
  }

  /// What is wrong where a record names a row, or a key, that the ones before it have not made.
  func missing(
    _ what: String, _ record: PartRecord, at place: RecordPlace
  ) -> PersistenceError {
    undecodable(record, at: place, what + " is not there" + Self.keeping)
  }

  private static var keeping: String {
    ". A row comes back by its JSON and its migration, and both of them have to keep the ids as they were"
  }

  func undecodable(
    _ record: PartRecord, at place: RecordPlace, _ reason: String
  ) -> PersistenceError {
    .undecodable(
      part: name, version: record.version, file: place.file, byte: place.byte, reason: reason)
  }
}
