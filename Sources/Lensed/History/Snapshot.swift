/// A state to be kept outside the store: in a file, on a server, in a bug report.
///
/// ```swift
/// let data = try JSONEncoder().encode(Snapshot(store.state, version: 2))
/// …
/// let decoder = JSONDecoder()
/// decoder.userInfo[Snapshot<AppState>.migration] =
///   SnapshotMigration<AppState>(to: 2) { version, old in
///     AppState(migrating: try old.decode(AppStateV1.self))
///   }
/// store.replaceState(try decoder.decode(Snapshot<AppState>.self, from: data).state)
/// ```
public struct Snapshot<State: Sendable>: Sendable {
  /// The state.
  public let state: State
  /// Which version of the type `State` it is, from 1.
  public let version: Int

  /// A snapshot of a state.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - version: Which version of the type `State` it is, at least 1; anything less traps.
  public init(_ state: State, version: Int = 1) {
    requireVersion(version, of: "a Snapshot")
    self.state = state
    self.version = version
  }
}

extension Snapshot: Equatable where State: Equatable {}

private enum SnapshotKey: String, CodingKey {
  case version, state
}

extension Snapshot: Encodable where State: Encodable {
  /// Writes the version and the state.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SnapshotKey.self)
    try container.encode(version, forKey: .version)
    try container.encode(state, forKey: .state)
  }
}

extension Snapshot: Decodable where State: Decodable {
  /// Where a decoder is given the `SnapshotMigration` of this type of state.
  ///
  /// Each type of state has a key of its own, so one decoder takes the migrations of several.
  public static var migration: CodingUserInfoKey {
    // Two local types may have one name; their identities differ, for as long as the process runs.
    let identity = UInt(bitPattern: ObjectIdentifier(State.self))
    let name = "Lensed.SnapshotMigration<\(State.self)>#\(identity)"
    // The initialiser is failable by its protocol, and takes every text.
    guard let key = CodingUserInfoKey(rawValue: name) else {
      fatalError("Lensed: the standard library takes no key for a migration any more.")
    }
    return key
  }

  /// Reads a snapshot; one of an older version goes through the migration.
  ///
  /// - Throws: `SnapshotError` for a version that is newer than the migration's, or less than 1; for an
  ///   older one where no migration is given; and where another value stands in the migration's place.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SnapshotKey.self)
    let version = try container.decode(Int.self, forKey: .version)
    let entry = decoder.userInfo[Self.migration]
    let migration = entry as? SnapshotMigration<State>
    if let entry, migration == nil {
      throw SnapshotError.notAMigration("\(type(of: entry))", of: "\(State.self)")
    }
    let current = migration?.version ?? 1
    if let migration, version > 0, version < current {
      let old = OldState { type in try container.decode(type, forKey: .state) }
      self.init(try migration.migrate(version, old), version: current)
    } else if version == current {
      self.init(try container.decode(State.self, forKey: .state), version: version)
    } else {
      throw SnapshotError.unknownVersion(version, known: current)
    }
  }
}

/// How the state of an older snapshot becomes one of today.
public struct SnapshotMigration<State: Sendable>: Sendable {
  /// Which version the state of today is.
  public let version: Int
  let migrate: @Sendable (_ version: Int, _ old: OldState) throws -> State

  /// A migration to `version`.
  ///
  /// - Parameters:
  ///   - version: Which version the state of today is, at least 1; anything less traps.
  ///   - migrate: Makes today's state of an older one, whose version it is given.
  public init(
    to version: Int,
    _ migrate: @escaping @Sendable (_ version: Int, _ old: OldState) throws -> State
  ) {
    requireVersion(version, of: "a SnapshotMigration")
    self.version = version
    self.migrate = migrate
  }
}

private func requireVersion(_ version: Int, of what: String) {
  if version < 1 {
    fatalError(
      "Lensed: \(what) was made with version \(version). Versions begin at 1, and grow by 1 with each "
        + "change to the type of the state.")
  }
}

/// The state in an older snapshot, yet to be read.
public struct OldState {
  private let read: (any Decodable.Type) throws -> any Decodable

  init(_ read: @escaping (any Decodable.Type) throws -> any Decodable) {
    self.read = read
  }

  /// Reads it as the type that it was.
  public func decode<Old: Decodable>(_ type: Old.Type) throws -> Old {
    guard let old = try read(type) as? Old else { throw SnapshotError.notA("\(type)") }
    return old
  }
}

/// Why a snapshot cannot be read.
public enum SnapshotError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Its version is not the one that is known, and no migration leads from it.
  case unknownVersion(Int, known: Int)
  /// Its state is not of the type that was asked for.
  case notA(String)
  /// What the decoder was given in place of the migration is of another type.
  case notAMigration(String, of: String)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .unknownVersion(let version, let known):
      """
      Lensed: the snapshot has version \(version), and this program knows \(known). Give the decoder a \
      SnapshotMigration, or read it with a newer program.
      """
    case .notA(let type): "Lensed: the state in the snapshot is no `\(type)`."
    case .notAMigration(let type, let state):
      """
      Lensed: the decoder holds a `\(type)` under `Snapshot<\(state)>.migration`. Put a \
      `SnapshotMigration<\(state)>` there.
      """
    }
  }
}
