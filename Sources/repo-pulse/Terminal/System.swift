#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The calls of the operating system that take addresses; no other file does.
///
/// Each call is given the address of memory that is alive, exclusively held and as large as it is
/// told for as long as the call lasts, and none of them keeps the address.
enum System {
  /// Why a call failed, in the system's words.
  struct Refusal: Error {
    let number: Int32

    var isBrokenPipe: Bool { number == EPIPE }
    var reason: String { unsafe String(cString: strerror(number)) }
  }

  /// The next bytes, at least one unless the end has come.
  static func read(_ descriptor: Int32, upTo count: Int) throws -> [UInt8] {
    try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = try retrying {
        #if canImport(Darwin)
          unsafe Darwin.read(descriptor, buffer.baseAddress, count)
        #elseif canImport(Musl)
          unsafe Musl.read(descriptor, buffer.baseAddress, count)
        #else
          unsafe Glibc.read(descriptor, buffer.baseAddress, count)
        #endif
      }
    }
  }

  static func write(_ text: String, to descriptor: Int32) throws {
    var text = text
    try text.withUTF8 { bytes in
      var written = 0
      while written < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[written...])
        written += try retrying {
          #if canImport(Darwin)
            unsafe Darwin.write(descriptor, rest.baseAddress, rest.count)
          #elseif canImport(Musl)
            unsafe Musl.write(descriptor, rest.baseAddress, rest.count)
          #else
            unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
          #endif
        }
      }
    }
  }

  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// The width of a terminal, or nil for what is none.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// The most memory this process has ever held, in bytes, where Linux does not tell it better.
  static func largestResidentSize() -> Int {
    var usage = rusage()
    #if canImport(Darwin)
      unsafe getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss * 1_024
    #endif
  }

  private static func retrying(_ call: () -> Int) throws -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw Refusal(number: errno) }
    }
  }
}
