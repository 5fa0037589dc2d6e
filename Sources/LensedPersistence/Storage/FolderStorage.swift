internal import Foundation
internal import Lensed

/// A storage in a folder of the file system.
///
/// The folder and its files are the user's alone (0700, 0600). Links are not followed. The lock of the
/// folder is on its file `lock`: it ends with the process, however the process ends.
final class FolderStorage: PersistenceStorage {
  private struct Open: Sendable {
    var lock: FolderLock?
    /// The files that are being written, by name.
    var files: [String: DiskFile] = [:]
    /// The files that were made here, by name.
    var made: [String: FileIdentity?] = [:]
    /// The files whose names the disk has.
    var named: Set<String> = []
  }

  private let path: String
  /// The group that has the lock of the folder above, for this one too: then each call opens and closes its file.
  private let group: (inside: PersistenceGroup.Inside, name: String)?
  private let open = Locked(Open())

  init(_ path: String) {
    (self.path, group) = (path, nil)
  }

  init(_ path: String, of group: PersistenceGroup.Inside, named name: String) {
    (self.path, self.group) = (path, (group, name))
  }

  var name: String { path }

  // MARK: The folder

  func lock() throws {
    guard let group else {
      let file = try FolderLock(making: path)
      return open.withLock { $0.lock = file }
    }
    do {
      // A link would lead to a folder that the lock above it is not for.
      if Folder.isLink(path) { throw DiskFault(.code(ENOTDIR), .makeFolder, path) }
      try Folder.make(path)
    } catch {
      group.inside.release(group.name)
      throw error
    }
  }

  func unlock() {
    open.withLock { open in
      open.lock = nil
      open.files = [:]
    }
    if let group { group.inside.release(group.name) }
  }

  /// Throws unless the lock is where it was taken: the folder may have been removed, or replaced by another.
  private func checkLock() throws(DiskFault) {
    let isHeld = group?.inside.isInPlace ?? open.withLock { $0.lock?.isInPlace ?? true }
    if !isHeld { throw DiskFault(.missing, .lock, "lock") }
  }

  func list() throws -> [String] {
    try checkLock()
    guard let folder = unsafe opendir(path) else { throw DiskFault(.code(errno), .list, path) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        // The system ends the name with a zero, within the room of the tuple or behind it.
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 1) { name in
          unsafe String(cString: name)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    if errno != 0 { throw DiskFault(.code(errno), .list, path) }
    return names
  }

  // MARK: Files

  func read(_ file: String, from offset: UInt64, count: Int) throws -> [UInt8] {
    try DiskFile(path + "/" + file, .reading).read(from: offset, count: count)
  }

  func append(_ bytes: [UInt8], to file: String) throws {
    // A file that was removed would begin anew in its middle; a file that another owner has made belongs to that owner.
    let isNew = open.withLock { $0.made[file] == nil }
    try opened(file, isNew ? .creating : .extending).write(bytes)
  }

  func sync(_ file: String) throws {
    let opened = try opened(file, .extending)
    try opened.sync()
    // A file that has its name no more is found by no later process, and a folder that another persistence has locked is
    // not this one's any more.
    let identity = try opened.identity()
    let made = open.withLock { $0.made[file] } ?? identity
    if identity == nil || identity != made || identity != FileIdentity(at: path + "/" + file) {
      throw DiskFault(.missing, .sync, file)
    }
    try checkLock()
    if open.withLock({ !$0.named.contains(file) }) {
      try DiskFile.syncFolder(path)
      _ = open.withLock { $0.named.insert(file) }
    }
  }

  func publish(_ file: String, as name: String) throws {
    open.withLock { open in
      open.files[file] = nil
      open.files[name] = nil
      open.named.subtract([file, name])
      (open.made[file], open.made[name]) = (nil, nil)
    }
    try checkLock()
    if unsafe rename(path + "/" + file, path + "/" + name) != 0 {
      throw DiskFault(.code(errno), .rename, file)
    }
    try DiskFile.syncFolder(path)
  }

  func remove(_ file: String) throws {
    open.withLock { open in
      open.files[file] = nil
      open.named.remove(file)
      open.made[file] = nil
    }
    // The file of that name would be another owner's.
    try checkLock()
    if unsafe unlink(path + "/" + file) != 0, errno != ENOENT {
      throw DiskFault(.code(errno), .remove, file)
    }
  }

  private func opened(_ file: String, _ access: DiskFile.Access) throws -> DiskFile {
    if let known = open.withLock({ $0.files[file] }) { return known }
    try checkLock()
    let opened = try DiskFile(path + "/" + file, access)
    let identity = try opened.identity()
    open.withLock { open in
      if group == nil { open.files[file] = opened }
      if access == .creating { open.made.updateValue(identity, forKey: file) }
    }
    return opened
  }
}

/// What is done with folders by their paths.
enum Folder {
  /// Makes a folder, and those above it, for this user alone.
  static func make(_ path: String) throws(DiskFault) {
    let missing = ancestors(of: path).filter { !isThere($0, following: true) }
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw DiskFault(.code(code(of: error) ?? ENOTDIR), .makeFolder, path)
    }
    var status = stat()
    if unsafe stat(path, &status) != 0 { throw DiskFault(.code(errno), .makeFolder, path) }
    if status.st_mode & S_IFMT != S_IFDIR { throw DiskFault(.code(ENOTDIR), .makeFolder, path) }
    // Until the folder above has its name on the disk, a power cut would take the new folder.
    for path in missing { try DiskFile.syncFolder((path as NSString).deletingLastPathComponent) }
  }

  private static func ancestors(of path: String) -> [String] {
    var (paths, path) = ([String](), path)
    while !path.isEmpty && path != "/" && path != "." {
      paths.append(path)
      path = (path as NSString).deletingLastPathComponent
    }
    return paths
  }

  /// Removes a folder with everything in it, by giving it another name first.
  static func remove(_ path: String, by other: String) throws(DiskFault) {
    func removeAll(_ path: String) throws(DiskFault) {
      do { try FileManager.default.removeItem(atPath: path) } catch {
        throw DiskFault(.code(code(of: error) ?? EIO), .remove, path)
      }
    }
    // A folder that was being removed when a process was killed.
    if isThere(other) { try removeAll(other) }
    if !isThere(path) { return }
    if unsafe rename(path, other) != 0 { throw DiskFault(.code(errno), .rename, path) }
    try DiskFile.syncFolder((path as NSString).deletingLastPathComponent)
    try removeAll(other)
  }

  /// Whether there is a folder at a path; a link to one counts only if links are followed.
  static func isThere(_ path: String, following: Bool = false) -> Bool {
    var status = stat()
    let result = unsafe following ? stat(path, &status) : lstat(path, &status)
    return result == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// A path without links and dots, as far as it is there.
  static func resolved(_ path: String) -> String {
    var (there, missing) = (path, [String]())
    while true {
      if let real = unsafe realpath(there, nil) {
        defer { unsafe free(real) }
        return ([unsafe String(cString: real)] + missing.reversed()).joined(separator: "/")
      }
      let above = (there as NSString).deletingLastPathComponent
      if above.isEmpty || above == there { return path }
      missing.append((there as NSString).lastPathComponent)
      there = above
    }
  }

  /// Whether a link is there, wherever it leads.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private static func code(of error: any Error) -> Int32? {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
    return (error.userInfo[NSUnderlyingErrorKey] as? NSError).flatMap { code(of: $0) }
  }
}

/// The lock of a folder, for as long as it is there.
///
/// The lock of a group is for all that lies in its folder, and its file says that it is a group's. So an owner that takes
/// the lock of a folder then looks at the locks of the folders above, and a group that is asked for a store then looks at
/// the lock of the store's folder. Each takes its own lock before it looks at the other's: of two at once, at least one
/// is refused.
final class FolderLock: Sendable {
  private let file: DiskFile
  private let path: String
  private let identity: FileIdentity?
  private static let mark = [UInt8]("group\n".utf8)

  /// Makes a folder if need be, and takes its lock.
  ///
  /// - Throws: `.locked` where another owner has it, `.inGroup` where a group has a folder above, and `.storage`.
  convenience init(making folder: String, ofGroup: Bool = false) throws(PersistenceError) {
    // Nothing is made in a folder that another owner has.
    try Self.refuse(folder)
    do throws(DiskFault) {
      try Folder.make(folder)
      try self.init(folder, ofGroup: ofGroup)
    } catch {
      throw error.reason == .locked ? .locked(folder: folder) : .storage(error)
    }
    try Self.refuse(folder)
  }

  private init(_ folder: String, ofGroup: Bool) throws(DiskFault) {
    path = folder + "/lock"
    file = try DiskFile(path, .locking)
    if try !file.lock() { throw DiskFault(.locked, .lock, "lock") }
    identity = try file.identity()
    // The file was removed between its opening and its locking: the next owner would lock another file.
    if !isInPlace { throw DiskFault(.missing, .lock, "lock") }
    let text = try file.read(from: 0, count: Self.mark.count + 1)
    // A power cut leaves a part of the text, or zeros. Anything else was written by another program.
    let isOwn = Self.mark.starts(with: text) || text.allSatisfy { $0 == 0 }
    if isOwn && text != (ofGroup ? Self.mark : []) {
      try file.replace(by: ofGroup ? Self.mark : [])
    }
  }

  /// Whether the file with this lock is the one that others find.
  var isInPlace: Bool { identity != nil && FileIdentity(at: path) == identity }

  // Closing the file does not suffice: a process that is being started has it open, too, until its program begins.
  deinit { file.unlock() }

  // MARK: Other folders

  private static func refuse(_ folder: String) throws(PersistenceError) {
    var above = Folder.resolved(folder)
    while !above.isEmpty && above != "/" {
      above = (above as NSString).deletingLastPathComponent
      let isHeld: Bool
      do throws(DiskFault) {
        isHeld = try Self.isHeld(above, byGroup: true)
      } catch {
        throw .storage(error)
      }
      if isHeld { throw .inGroup(folder: folder, group: above) }
    }
  }

  /// Whether the lock of a folder is taken, here or in another process.
  static func isHeld(_ folder: String, byGroup: Bool = false) throws(DiskFault) -> Bool {
    do throws(DiskFault) {
      let file = try DiskFile(folder + "/lock", .reading)
      if byGroup, try file.read(from: 0, count: mark.count + 1) != mark { return false }
      defer { file.unlock() }
      return try !file.lock(sharing: true)
    } catch {
      switch error.reason {
      // A file that is not there, is not plain, or is another user's is no lock that this process would take.
      case .code(ENOENT), .code(ENOTDIR), .code(EACCES), .code(EPERM), .notPlain: return false
      default: throw error
      }
    }
  }

  /// A folder within another one whose lock is taken; nil without one.
  static func held(in folder: String) throws(DiskFault) -> String? {
    guard let names = FileManager.default.enumerator(atPath: folder) else { return nil }
    for case let name as String in names where (name as NSString).lastPathComponent == "lock" {
      let inner = ((folder + "/" + name) as NSString).deletingLastPathComponent
      if try isHeld(inner) { return inner }
    }
    return nil
  }

  /// Whether a file system takes `A` and `a` for one, as it shows the lock of a folder.
  static func foldsCase(_ folder: String) -> Bool {
    let lock = FileIdentity(at: folder + "/lock")
    return lock != nil && lock == FileIdentity(at: folder + "/LOCK")
  }
}
