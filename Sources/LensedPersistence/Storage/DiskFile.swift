internal import Foundation

/// An open file, closed when it goes.
///
/// Every call that fails throws a `DiskFault`; interrupted ones are repeated.
final class DiskFile: Sendable {
  private let descriptor: CInt
  private let name: String

  enum Access {
    /// To read; it has to be there.
    case reading
    /// To write at its end; it has to be there.
    case extending
    /// To write from its beginning, for this user alone; it must not be there yet.
    case creating
    /// To lock; it is made if need be.
    case locking
  }

  /// Opens a file.
  ///
  /// Links are not followed, and what is no plain file is refused: a device could block for ever.
  init(_ path: String, _ access: Access) throws(DiskFault) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let flags =
      switch access {
      case .reading: O_RDONLY
      case .extending: O_WRONLY | O_APPEND
      case .creating: O_WRONLY | O_APPEND | O_CREAT | O_EXCL
      case .locking: O_RDWR | O_CREAT
      }
    let descriptor = Self.repeated {
      unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    }
    if descriptor < 0 {
      throw DiskFault(errno == ELOOP ? .notPlain : .code(errno), .open, name)
    }
    if let reason = Self.refusal(of: descriptor) {
      close(descriptor)
      throw DiskFault(reason, .open, name)
    }
    (self.descriptor, self.name) = (descriptor, name)
  }

  private static func refusal(of descriptor: CInt) -> DiskFault.Reason? {
    var status = stat()
    if unsafe fstat(descriptor, &status) != 0 { return .code(errno) }
    return status.st_mode & S_IFMT == S_IFREG ? nil : .notPlain
  }

  deinit {
    close(descriptor)
  }

  /// Which file of this machine it is; nil once the file has no name any more.
  func identity() throws(DiskFault) -> FileIdentity? {
    var status = stat()
    if unsafe fstat(descriptor, &status) != 0 { throw DiskFault(.code(errno), .read, name) }
    return status.st_nlink == 0 ? nil : FileIdentity(status)
  }

  /// Writes all of the bytes, or throws, and then any part of them may have been written.
  func write(_ bytes: [UInt8]) throws(DiskFault) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { bytes in
        Self.repeated { unsafe Foundation.write(descriptor, bytes.baseAddress, bytes.count) }
      }
      if count < 0 { throw DiskFault(.code(errno), .write, name) }
      written += count
    }
  }

  /// Reads up to so many bytes from a byte on; fewer only at the end.
  func read(from offset: UInt64, count: Int) throws(DiskFault) -> [UInt8] {
    guard let offset = Int64(exactly: offset) else { return [] }
    var fault: CInt?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = 0
      while filled < count {
        let read = Self.repeated {
          unsafe pread(
            descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled,
            off_t(offset) + off_t(filled))
        }
        if read < 0 { fault = errno }
        if read <= 0 { return }
        filled += read
      }
    }
    if let fault { throw DiskFault(.code(fault), .read, name) }
    return bytes
  }

  /// Returns when the disk has what was written.
  ///
  /// On Apple platforms that takes more than `fsync`.
  func sync() throws(DiskFault) {
    #if canImport(Darwin)
      if Self.repeated({ unsafe fcntl(descriptor, F_FULLFSYNC) }) == 0 { return }
      // File systems without it, as network ones, have fsync alone.
      if errno != ENOTSUP && errno != EINVAL && errno != ENOTTY {
        throw DiskFault(.code(errno), .sync, name)
      }
    #endif
    if Self.repeated({ fsync(descriptor) }) != 0 { throw DiskFault(.code(errno), .sync, name) }
  }

  func replace(by bytes: [UInt8]) throws(DiskFault) {
    if Self.repeated({ ftruncate(descriptor, 0) }) != 0 {
      throw DiskFault(.code(errno), .write, name)
    }
    try write(bytes)
  }

  /// Takes the lock of the file; returns false where another file handle has the lock.
  ///
  /// Any number of handles can share a lock. It is released when this object is.
  func lock(sharing: Bool = false) throws(DiskFault) -> Bool {
    let kind = sharing ? LOCK_SH : LOCK_EX
    if Self.repeated({ flock(descriptor, kind | LOCK_NB) }) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw DiskFault(.code(errno), .lock, name)
  }

  /// Releases the lock, even if the file is open elsewhere.
  func unlock() {
    _ = flock(descriptor, LOCK_UN)
  }

  /// Returns when the disk knows which files a folder has.
  static func syncFolder(_ path: String) throws(DiskFault) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let descriptor = repeated { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0 { throw DiskFault(.code(errno), .sync, name) }
    defer { close(descriptor) }
    if repeated({ fsync(descriptor) }) != 0 {
      // Some file systems cannot sync a folder, and keep its names in order by themselves.
      if errno == EINVAL || errno == ENOTSUP { return }
      throw DiskFault(.code(errno), .sync, name)
    }
  }

  /// Repeats a call as long as a signal interrupts it.
  static func repeated<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

/// Which file it is, whatever its name.
struct FileIdentity: Sendable, Equatable {
  private let device: UInt64
  private let number: UInt64

  init(_ status: stat) {
    (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
  }

  /// The identity of the file at a path; nil if there is none.
  init?(at path: String) {
    var status = stat()
    if unsafe lstat(path, &status) != 0 { return nil }
    self.init(status)
  }
}
