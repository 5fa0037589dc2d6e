#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files, by names of any bytes that stand for themselves.
extension System {
  /// What a file is, as far as it matters here.
  struct FileStatus {
    let isFile: Bool
    let isFolder: Bool
    let isLink: Bool
    /// Who may read, write and run it.
    let mode: mode_t
  }

  /// Nil where there is nothing, or nothing that can be seen; of a link, what it is itself.
  static func status(ofLinkOrFile path: ByteString) -> FileStatus? {
    var status = stat()
    guard unsafe lstat(path.terminated, &status) == 0 else { return nil }
    let kind = status.st_mode & S_IFMT
    return FileStatus(
      isFile: kind == S_IFREG, isFolder: kind == S_IFDIR, isLink: kind == S_IFLNK,
      mode: status.st_mode & 0o7777)
  }

  static func isFolder(_ path: ByteString) -> Bool {
    var status = stat()
    return unsafe stat(path.terminated, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func isProgram(_ path: ByteString) -> Bool {
    var status = stat()
    return unsafe stat(path.terminated, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path.terminated, X_OK) == 0
  }

  static func isWritable(_ path: ByteString) -> Bool {
    unsafe access(path.terminated, W_OK) == 0
  }

  /// Where a link leads, which may be nowhere; nil for what is no link.
  static func destination(ofLink path: ByteString) -> ByteString? {
    var target = [CChar](repeating: 0, count: 4_096)
    let count = unsafe readlink(path.terminated, &target, target.count)
    return count < 0 ? nil : ByteString(target.prefix(count).map { UInt8(bitPattern: $0) })
  }

  static func openToRead(_ path: ByteString) throws(Refusal) -> Int32 {
    let descriptor = unsafe open(path.terminated, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw Refusal(number: errno) }
    return descriptor
  }

  /// A new file to write, which no other process had; with a mode, no other user may read it meanwhile.
  static func create(_ path: ByteString, mode: mode_t?) throws(Refusal) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = unsafe open(path.terminated, flags, mode == nil ? 0o666 : 0o600)
    if descriptor < 0 { throw Refusal(number: errno) }
    if let mode, fchmod(descriptor, mode) != 0 {
      let number = errno
      close(descriptor)
      unsafe unlink(path.terminated)
      throw Refusal(number: number)
    }
    return descriptor
  }

  static func rename(_ path: ByteString, to other: ByteString) throws(Refusal) {
    #if canImport(Darwin)
      let status = unsafe Darwin.rename(path.terminated, other.terminated)
    #elseif canImport(Musl)
      let status = unsafe Musl.rename(path.terminated, other.terminated)
    #else
      let status = unsafe Glibc.rename(path.terminated, other.terminated)
    #endif
    if status != 0 { throw Refusal(number: errno) }
  }

  static func remove(_ path: ByteString) {
    unsafe unlink(path.terminated)
  }

  static func shut(_ descriptor: Int32) {
    close(descriptor)
  }
}
