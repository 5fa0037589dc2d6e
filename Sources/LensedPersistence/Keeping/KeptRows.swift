internal import Foundation
public import Lensed

/// What is done with rows in the module of the user, where their types are known: elsewhere finding one row takes many
/// times as long.
@usableFromInline
struct RowAccess<Row: Identifiable & Equatable & Sendable>: Sendable {
  /// What differs between two versions, the newer one first.
  @usableFromInline
  let difference: @Sendable (Entities<Row>, Entities<Row>) -> EntitiesDifference<Row.ID>
  /// The rows that have some of the ids.
  @usableFromInline
  let rows: @Sendable (Entities<Row>, [Row.ID], Range<Int>) -> [Row]

  @inlinable
  init() {
    difference = { $0.difference(from: $1) }
    rows = { rows, ids, some in
      var found: [Row] = []
      found.reserveCapacity(some.count)
      for index in some { if let row = rows[id: ids[index]] { found.append(row) } }
      return found
    }
  }
}

/// A collection that is kept row by row: what is written is what changed.
///
/// ```swift
/// KeptRows(\.cards)                 // Entities, SortedEntities, or a dictionary
/// KeptRows(\.cards, version: 2) { version, old in
///   Card(migrating: try old.decode(CardV1.self))   // one row
/// }
/// ```
///
/// Of `Entities` and `SortedEntities`, the rows that differ are found by the difference of two versions; of a
/// dictionary by comparing all values, on the task that writes. Rows that moved are written as moves, of sorted rows
/// too: those that are equal in the order stand as they stood. What is equal by `==` counts as unchanged, so `==` has to
/// compare all that is to be kept.
///
/// A part that a folder has as a whole, by ``Kept``, cannot be migrated to rows: give the rows another name by `named:`,
/// keep the old part too, and move its values over by an action.
///
/// - Complexity: Of a write: that of `Entities.difference(from:)`, or O(*n*) of a dictionary; and what differs is
///   encoded.
public struct KeptRows<State: Sendable, Rows: Sendable> {
  let element: any KeptPart<State>

  private init(_ element: any KeptPart<State>) {
    self.element = element
  }

  /// Keeps rows in their order, of what a lens focuses on.
  ///
  /// Of sorted rows, the initial state has the order.
  ///
  /// - Parameters:
  ///   - lens: The part.
  ///   - name: What it is called in the folder; the property's name, unless it is given.
  ///   - version: The version of the type of the rows, at least 1; anything less traps.
  ///   - migration: Converts one row of an older version.
  @inlinable
  public init<Row>(
    _ lens: some LensLike<State, Rows>, named name: String? = nil, version: Int = 1,
    migration: PartMigration<Row>? = nil
  )
  where
    Rows: VersionedRows<Row>, Row: Identifiable & Codable & Equatable & Sendable,
    Row.ID: Codable & Sendable
  {
    self.init(rows: lens.asLens, name, version, migration, RowAccess())
  }

  @usableFromInline
  init<Row>(
    rows lens: Lens<State, Rows>, _ name: String?, _ version: Int,
    _ migration: PartMigration<Row>?, _ access: RowAccess<Row>
  )
  where
    Rows: VersionedRows<Row>, Row: Identifiable & Codable & Equatable & Sendable,
    Row.ID: Codable & Sendable
  {
    self.init(
      EntitiesPart(
        decoding: PartDecoding(StatePart(lens), name, version, migration), access: access,
        get: { lens.get($0).entities },
        put: { rows, state in lens.modify(&state) { $0 = $0.holding(rows) } }))
  }

  /// Keeps rows in their order, those at a key path.
  ///
  /// Of sorted rows, the initial state has the order.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - name: What it is called in the folder; the property's name, unless it is given.
  ///   - version: The version of the type of the rows, at least 1; anything less traps.
  ///   - migration: Converts one row of an older version.
  @inlinable
  public init<Row>(
    _ keyPath: any WritableKeyPath<State, Rows> & Sendable, named name: String? = nil,
    version: Int = 1, migration: PartMigration<Row>? = nil
  )
  where
    Rows: VersionedRows<Row>, Row: Identifiable & Codable & Equatable & Sendable,
    Row.ID: Codable & Sendable
  {
    self.init(Lens(keyPath), named: name, version: version, migration: migration)
  }

  /// Keeps a dictionary that a lens focuses on, key by key.
  ///
  /// - Parameters:
  ///   - lens: The part.
  ///   - name: What it is called in the folder; the property's name, unless it is given.
  ///   - version: The version of the type of the values, at least 1; anything less traps.
  ///   - migration: Converts one value of an older version.
  public init<Key, Value>(
    _ lens: some LensLike<State, Rows>, named name: String? = nil, version: Int = 1,
    migration: PartMigration<Value>? = nil
  )
  where
    Rows == [Key: Value], Key: Codable & Sendable, Value: Codable & Equatable & Sendable
  {
    let lens = lens.asLens
    self.init(
      DictionaryPart(
        lens: lens, decoding: PartDecoding(StatePart(lens), name, version, migration)))
  }

  /// Keeps the dictionary at a key path, key by key.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - name: What it is called in the folder; the property's name, unless it is given.
  ///   - version: The version of the type of the values, at least 1; anything less traps.
  ///   - migration: Converts one value of an older version.
  public init<Key, Value>(
    _ keyPath: any WritableKeyPath<State, Rows> & Sendable, named name: String? = nil,
    version: Int = 1, migration: PartMigration<Value>? = nil
  )
  where
    Rows == [Key: Value], Key: Codable & Sendable, Value: Codable & Equatable & Sendable
  {
    self.init(Lens(keyPath), named: name, version: version, migration: migration)
  }
}

/// A JSON array that is written in pieces of some 64 KB, a record each.
///
/// Rows are encoded some at a time: for each call of the encoder, and for each record, there is a price. How many
/// follows from how large the ones before were.
struct RowBatch<Row: Encodable>: ~Copyable {
  private let verb: PartRecord.Verb
  private(set) var limit = 8

  init(_ verb: PartRecord.Verb) {
    self.verb = verb
  }

  static func write(
    _ verb: PartRecord.Verb, _ rows: some Sequence<Row>, _ emit: PartEmit
  ) throws {
    var batch = RowBatch(verb)
    var some: [Row] = []
    for row in rows {
      some.append(row)
      if some.count < batch.limit { continue }
      try batch.write(some, emit)
      some.removeAll(keepingCapacity: true)
    }
    if !some.isEmpty { try batch.write(some, emit) }
  }

  /// Writes rows at once.
  ///
  /// Rows that are larger than those before them come to more than was expected: halves are written then.
  mutating func write(_ rows: [Row], _ emit: PartEmit) throws {
    let content = try JSONValue.encode(rows)
    limit = min(max(1, 65_536 * rows.count / content.count), 16 * limit, 4_096)
    if content.count <= 1 << 22 || rows.count == 1 { return try emit(verb, content) }
    let middle = rows.count / 2
    try write(Array(rows[..<middle]), emit)
    try write(Array(rows[middle...]), emit)
  }
}
