internal import Foundation
public import Lensed

/// A part of the state that is kept as a whole: written when a reducer that owns some of it has run.
///
/// ```swift
/// Kept(\.settings)
/// Kept(\.draft, version: 2) { version, old in
///   Draft(migrating: try old.decode(DraftV1.self))
/// }
/// ```
///
/// A collection of many rows is better kept by `KeptRows`, row by row.
///
/// **Versions.** When the type of the part changes so that its old JSON does not decode any more, give it the next
/// version and a migration from all older ones. The migration reads the folder. The next write, or `sync()`, of a store
/// writes what was migrated as a whole, in the new version. If a newer program has written the part, that is an error, and
/// the folder stays as it is.
public struct Kept<State: Sendable, Value: Codable & Sendable> {
  let element: ValuePart<State, Value>

  /// Keeps the part that a lens focuses on.
  ///
  /// - Parameters:
  ///   - lens: The part.
  ///   - name: What it is called in the folder; the property's name, unless it is given. When you rename the
  ///     property, give its old name here.
  ///   - version: The version of its type, at least 1; anything less traps.
  ///   - migration: Converts a value of an older version.
  public init(
    _ lens: some LensLike<State, Value>, named name: String? = nil, version: Int = 1,
    migration: PartMigration<Value>? = nil
  ) {
    let lens = lens.asLens
    element = ValuePart(
      lens: lens, decoding: PartDecoding(StatePart(lens), name, version, migration))
  }

  /// Keeps the property at a key path.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - name: What it is called in the folder; the property's name, unless it is given.
  ///   - version: The version of its type, at least 1; anything less traps.
  ///   - migration: Converts a value of an older version.
  public init(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, named name: String? = nil,
    version: Int = 1, migration: PartMigration<Value>? = nil
  ) {
    self.init(Lens(keyPath), named: name, version: version, migration: migration)
  }
}

/// A part of the state that is kept, whatever its type.
public struct PersistedPart<State: Sendable>: Sendable {
  let part: any KeptPart<State>

  init(_ part: any KeptPart<State>) {
    self.part = part
  }
}

/// Builds the list of what is kept.
@resultBuilder
public enum PersistenceBuilder<State: Sendable> {
  /// A part that is kept as a whole.
  public static func buildExpression<Value>(
    _ element: Kept<State, Value>
  ) -> [PersistedPart<State>] {
    [PersistedPart(element.element)]
  }

  /// A part that is kept row by row.
  public static func buildExpression<Rows>(
    _ element: KeptRows<State, Rows>
  ) -> [PersistedPart<State>] {
    [PersistedPart(element.element)]
  }

  /// A part that was made before.
  public static func buildExpression(_ part: PersistedPart<State>) -> [PersistedPart<State>] {
    [part]
  }

  /// Several parts.
  public static func buildBlock(_ parts: [PersistedPart<State>]...) -> [PersistedPart<State>] {
    parts.flatMap { $0 }
  }

  /// A part that depends on a condition.
  public static func buildOptional(_ parts: [PersistedPart<State>]?) -> [PersistedPart<State>] {
    parts ?? []
  }

  /// One of two parts.
  public static func buildEither(first parts: [PersistedPart<State>]) -> [PersistedPart<State>] {
    parts
  }

  /// One of two parts.
  public static func buildEither(second parts: [PersistedPart<State>]) -> [PersistedPart<State>] {
    parts
  }

  /// Parts from a loop.
  public static func buildArray(_ parts: [[PersistedPart<State>]]) -> [PersistedPart<State>] {
    parts.flatMap { $0 }
  }
}

/// A part that is written as a whole.
struct ValuePart<State: Sendable, Value: Codable & Sendable>: KeptPart {
  let lens: Lens<State, Value>
  let decoding: PartDecoding<Value>

  func take(_ state: State) -> any PartVersion { Version(value: lens.get(state)) }

  private struct Version: PartVersion {
    let value: Value

    func write(since base: (any PartVersion)?, _ emit: PartEmit) throws {
      try emit(.value, JSONValue.encode(value))
    }

    var base: (any PartVersion)? { nil }
  }

  /// The newest record alone is decoded.
  func apply(
    _ record: PartRecord, at place: RecordPlace,
    to content: inout (record: PartRecord, place: RecordPlace)?, _ isMigrated: inout Bool
  ) throws(PersistenceError) {
    (content, isMigrated) = ((record, place), record.version < version)
  }

  func restored(
    _ content: (record: PartRecord, place: RecordPlace), isMigrated: Bool
  ) throws(PersistenceError) -> RestoredPart<State> {
    let (record, place) = content
    if record.verb != .value {
      throw .keptOtherwise(part: record.name, file: place.file, byte: place.byte)
    }
    let value = try decoding(record, at: place, or: Migrated<Value>.self, \.value)
    return RestoredPart(version: Version(value: value), isMigrated: isMigrated) { state in
      lens.modify(&state) { $0 = value }
    }
  }
}
