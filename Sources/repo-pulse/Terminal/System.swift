#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The calls of the operating system that take addresses; no other code makes any.
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
  static func bytes(from descriptor: Int32, upTo count: Int) throws(Refusal) -> [UInt8] {
    var refusal: Refusal?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      switch retrying({ unsafe read(descriptor, buffer.baseAddress, count) }) {
      case .success(let read): initialized = read
      case .failure(let failure): refusal = failure
      }
    }
    if let refusal { throw refusal }
    return bytes
  }

  /// All of the text, however many pieces it takes.
  static func put(_ text: String, to descriptor: Int32) throws(Refusal) {
    try put(Array(text.utf8), to: descriptor)
  }

  /// All of the bytes, however many pieces they take.
  static func put(_ bytes: [UInt8], to descriptor: Int32) throws(Refusal) {
    let refusal: Refusal? = unsafe bytes.withUnsafeBytes { bytes in
      var rest = unsafe bytes
      while unsafe !rest.isEmpty {
        switch retrying({ unsafe write(descriptor, rest.baseAddress, rest.count) }) {
        case .success(let written): unsafe rest = .init(rebasing: rest[written...])
        case .failure(let failure): return failure
        }
      }
      return nil
    }
    if let refusal { throw refusal }
  }

  static func isOpen(_ descriptor: Int32) -> Bool {
    fcntl(descriptor, F_GETFD) != -1
  }

  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// The width of a terminal, or nil for what is none.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, .init(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// The most memory this process has ever held, in bytes, where Linux does not tell it better.
  static func largestResidentSize() -> Int {
    #if canImport(Glibc)
      let who = RUSAGE_SELF.rawValue
    #else
      let who = RUSAGE_SELF
    #endif
    #if canImport(Darwin)
      let unit = 1
    #else
      let unit = 1_024
    #endif
    var usage = rusage()
    return unsafe getrusage(who, &usage) == 0 ? usage.ru_maxrss * unit : 0
  }

  static func retrying(_ call: () -> Int) -> Result<Int, Refusal> {
    while true {
      let result = call()
      if result >= 0 { return .success(result) }
      if errno != EINTR { return .failure(Refusal(number: errno)) }
    }
  }
}
