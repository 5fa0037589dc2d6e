internal import Lensed

/// A storage in memory, for tests and previews.
///
/// What one `Persistence` has kept there, the next one finds: a test of a restart needs no disk.
///
/// ```swift
/// let memory = MemoryStorage()
/// let first = try Persistence<AppState>(in: memory) { Kept(\.settings) }
/// …
/// try await first.close()
/// let second = try Persistence<AppState>(in: memory) { Kept(\.settings) }
/// ```
public final class MemoryStorage: PersistenceStorage {
  private struct Contents: Sendable {
    var files: [String: [UInt8]]
    var isLocked = false
  }

  private let contents: Locked<Contents>

  /// A storage with files.
  public init(_ files: [String: [UInt8]] = [:]) {
    contents = Locked(Contents(files: files))
  }

  /// The files, by name.
  public var files: [String: [UInt8]] { contents.withLock { $0.files } }
  /// The name of the storage in messages.
  public var name: String { "in memory" }

  /// Takes the storage for one user.
  public func lock() throws {
    let isMine = contents.withLock { contents in
      if contents.isLocked { return false }
      contents.isLocked = true
      return true
    }
    if !isMine { throw DiskFault(.locked, .lock, "lock") }
  }

  /// Lets others take it.
  public func unlock() { contents.withLock { $0.isLocked = false } }

  /// The names of the files.
  public func list() -> [String] { contents.withLock { Array($0.files.keys) } }

  /// Bytes of a file.
  public func read(_ file: String, from offset: UInt64, count: Int) throws -> [UInt8] {
    let bytes = contents.withLock { contents -> [UInt8]? in
      guard let bytes = contents.files[file] else { return nil }
      if offset >= UInt64(bytes.count) { return [] }
      return Array(bytes[Int(offset)...].prefix(count))
    }
    guard let bytes else { throw DiskFault(.missing, .read, file) }
    return bytes
  }

  /// Appends to a file.
  public func append(_ bytes: [UInt8], to file: String) {
    contents.withLock { $0.files[file, default: []] += bytes }
  }

  /// Does nothing: memory outlives nothing.
  public func sync(_ file: String) {}

  /// Gives a file another name.
  public func publish(_ file: String, as name: String) throws {
    let isThere = contents.withLock { contents in
      guard let bytes = contents.files.removeValue(forKey: file) else { return false }
      contents.files[name] = bytes
      return true
    }
    if !isThere { throw DiskFault(.missing, .rename, file) }
  }

  /// Removes a file.
  public func remove(_ file: String) { contents.withLock { $0.files[file] = nil } }
}
