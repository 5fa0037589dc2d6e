/// Where a `Persistence` keeps its files: a folder, memory, or an engine of yours.
///
/// A storage is a flat folder of named files, which grow at their ends. Names are plain: letters, digits, `-` and `.`.
/// What fits there: a folder on a disk (the one that ships), memory (for tests), a table of blobs in a database, a
/// bucket of a server.
///
/// ```swift
/// let disk = try Persistence<AppState>(in: TableStorage(database)) { Kept(\.settings) }
/// ```
///
/// **What a storage promises.**
/// 1. When `sync(_:)` has returned, what was appended to the file outlives everything that the storage is meant to
///    outlive; so does the name of the file.
/// 2. When `publish(_:as:)` has returned, the same goes for the new name; before that, a reader finds the old name or
///    the new one, never both or a part.
/// 3. When `append(_:to:)` throws, any part of the bytes may have been appended. Nothing is appended to that file again.
/// 4. What has not been synced can be lost in any part and in any order; nothing else can.
/// 5. `list()` has each file from when its `sync(_:)` or `publish(_:as:)` has returned. It is called before each write
///    and by each `sync()` of the persistence, so let it be quick.
///
/// Calls come from several threads at once, for different files; for one file, one after another. Each may block.
public protocol PersistenceStorage: Sendable {
  /// The name of the storage in messages, such as the path of a folder.
  var name: String { get }

  /// Takes the storage for one user; throws a `DiskFault` with the reason `.locked` where another owner has it.
  func lock() throws
  /// Lets others take it. Called once, as the last call.
  func unlock()
  /// The names of the files, in any order.
  func list() throws -> [String]
  /// Up to so many bytes of a file from a byte on; fewer only at its end.
  func read(_ file: String, from offset: UInt64, count: Int) throws -> [UInt8]
  /// Appends to a file, which is made if it is not there.
  func append(_ bytes: [UInt8], to file: String) throws
  /// Returns when what was appended is safe, and the name of the file too.
  func sync(_ file: String) throws
  /// Renames a synced file, in place of any file with the new name, and returns when the renaming is safe.
  func publish(_ file: String, as name: String) throws
  /// Removes a file. It need not be safe when this returns.
  func remove(_ file: String) throws
}
