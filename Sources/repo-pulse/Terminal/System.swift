import Foundation

/// The calls of the operating system that take addresses; only `ChildProcess` makes others.
///
/// Each call is given the address of memory that is alive, exclusively held and as large as it is
/// told for as long as the call lasts, and none of them keeps the address.
enum System {
  /// Why a call failed, in the system's words.
  struct Refusal: Error, CustomStringConvertible {
    let number: Int32

    var description: String { unsafe String(cString: strerror(number)) }
  }

  /// The next bytes, at least one unless the end has come.
  static func bytes(from descriptor: Int32, upTo count: Int) throws -> [UInt8] {
    try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = try retrying { unsafe read(descriptor, buffer.baseAddress, count) }
    }
  }

  /// All of the text, however many pieces it takes.
  static func put(_ text: String, to descriptor: Int32) throws(Refusal) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = try retrying {
        unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      }
      rest.removeFirst(written)
    }
  }

  static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) != -1 }

  /// The width of a terminal, 80 where it does not tell; nil for what is none.
  static func columns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown = unsafe ioctl(descriptor, .init(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  static func isFolder(_ path: ByteString) -> Bool { kind(of: path) == S_IFDIR }

  static func isProgram(_ path: ByteString) -> Bool {
    unsafe kind(of: path) == S_IFREG && access(path.terminated, X_OK) == 0
  }

  private static func kind(of path: ByteString) -> mode_t? {
    var status = stat()
    return unsafe stat(path.terminated, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// The arguments of this program, byte by byte.
  static func arguments() -> [ByteString] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
      return unsafe ByteString(
        UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
    }
  }

  /// The most memory that this process has held, in bytes.
  static func peakMemory() -> Int {
    // On Linux the usage also counts what ran in this process before it became this program, such as a build tool.
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let peak = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    if let kilobytes = peak?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({
      Int($0)
    }) {
      return kilobytes * 1_024
    }
    #if canImport(Darwin)
      var usage = rusage()
      return unsafe getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
    #else
      return 0
    #endif
  }

  static func retrying(_ call: () -> Int) throws(Refusal) -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno != EINTR { throw Refusal(number: errno) }
    }
  }
}
