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
  public init(_ state: State, version: Int = 1) {
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
  /// Where a decoder is given the `SnapshotMigration`.
  public static var migration: CodingUserInfoKey {
    // The initialiser is failable by its protocol, and takes every text.
    guard let key = CodingUserInfoKey(rawValue: "Lensed.SnapshotMigration") else {
      fatalError("Lensed: the standard library takes no key for a migration any more.")
    }
    return key
  }

  /// Reads a snapshot; one of an older version goes through the migration.
  ///
  /// - Throws: `SnapshotError` for a version that is newer than the migration's, and for an older one
  ///   where no migration is given.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SnapshotKey.self)
    let version = try container.decode(Int.self, forKey: .version)
    let migration = decoder.userInfo[Self.migration] as? SnapshotMigration<State>
    let current = migration?.version ?? 1
    if let migration, version < current {
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
  ///   - version: Which version the state of today is.
  ///   - migrate: Makes today's state of an older one, whose version it is given.
  public init(
    to version: Int,
    _ migrate: @escaping @Sendable (_ version: Int, _ old: OldState) throws -> State
  ) {
    self.version = version
    self.migrate = migrate
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

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .unknownVersion(let version, let known):
      """
      Lensed: the snapshot has version \(version), and this program knows \(known). Give the decoder a \
      SnapshotMigration, or read it with a newer program.
      """
    case .notA(let type): "Lensed: the state in the snapshot is no `\(type)`."
    }
  }
}
