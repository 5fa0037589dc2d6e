/// A state with the version of its type, to store in a file, on a server or in a bug report.
///
/// ```swift
/// let data = try JSONEncoder().encode(Snapshot(store.settledState, version: 2))
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
  /// The version of the type `State`; the first is 1.
  public let version: Int

  /// Creates a snapshot of a state.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - version: The version of the type `State`, at least 1; anything less traps.
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
  /// The `userInfo` key of a decoder for the `SnapshotMigration` of this state type.
  ///
  /// Each state type has its own key, so one decoder can have several migrations.
  public static var migration: CodingUserInfoKey {
    // Two local types can have the same name, so the key has the identity of the type, too.
    let identity = UInt(bitPattern: ObjectIdentifier(State.self))
    let name = "Lensed.SnapshotMigration<\(State.self)>#\(identity)"
    // The initialiser is failable only because its protocol requires it.
    guard let key = CodingUserInfoKey(rawValue: name) else {
      fatalError("Lensed: the standard library takes no key for a migration any more.")
    }
    return key
  }

  /// Reads a snapshot, and migrates it if it has an older version.
  ///
  /// - Throws: `SnapshotError` for a version that is less than 1 or newer than the migration's, for
  ///   an older version without a migration, and for another type of value under the migration's
  ///   key.
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

/// A conversion from the state of an older snapshot to the current state type.
public struct SnapshotMigration<State: Sendable>: Sendable {
  /// The current version.
  public let version: Int
  let migrate: @Sendable (_ version: Int, _ old: OldState) throws -> State

  /// Creates a migration to the current version.
  ///
  /// - Parameters:
  ///   - version: The current version, at least 1; anything less traps.
  ///   - migrate: Converts an older state, given its version.
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

/// The state in an older snapshot, before it is decoded.
public struct OldState {
  private let read: (any Decodable.Type) throws -> any Decodable

  init(_ read: @escaping (any Decodable.Type) throws -> any Decodable) {
    self.read = read
  }

  /// Decodes the state as its old type.
  ///
  /// - Throws: The decoder's error, or `SnapshotError.notA` if the decoder returned another type.
  public func decode<Old: Decodable>(_ type: Old.Type) throws -> Old {
    guard let old = try read(type) as? Old else { throw SnapshotError.notA("\(type)") }
    return old
  }
}

/// The reason why a snapshot cannot be read.
public enum SnapshotError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Its version is not the known one, and there is no migration from it.
  case unknownVersion(Int, known: Int)
  /// Its state does not have the requested type.
  case notA(String)
  /// The decoder has a value of another type under the migration's key.
  case notAMigration(String, of: String)

  /// The error and the remedy.
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
