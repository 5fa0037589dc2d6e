#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import Synchronization

/// Programs: started, waited for, ended.
extension System {
  /// The two ends of a pipe, neither of which a started program inherits.
  static func pipe() throws(Refusal) -> (reading: Int32, writing: Int32) {
    // A program that started before the ends are moved would hold them open.
    try starting.withLock { _ throws(Refusal) in try movedPipe() }
  }

  private static let starting = Mutex(())

  private static func movedPipe() throws(Refusal) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let status = unsafe Darwin.pipe(&ends)
    #elseif canImport(Musl)
      let status = unsafe Musl.pipe(&ends)
    #else
      let status = unsafe Glibc.pipe(&ends)
    #endif
    if status != 0 { throw Refusal(number: errno) }
    // Where a standard descriptor was closed, a pipe would stand in for it.
    let moved = ends.map { end in
      defer { close(end) }
      return fcntl(end, F_DUPFD_CLOEXEC, 3)
    }
    if moved.contains(-1) {
      let number = errno
      for end in moved where end != -1 { close(end) }
      throw Refusal(number: number)
    }
    return (moved[0], moved[1])
  }

  /// Starts a program that has nothing to read, and writes to the two descriptors.
  static func start(
    _ program: ByteString, _ arguments: [ByteString], environment: [String: String],
    output: Int32, errors: Int32
  ) throws(Refusal) -> pid_t {
    let words = ([program] + arguments).map(\.terminated)
    let variables = environment.map { ByteString("\($0.key)=\($0.value)").terminated }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
    var (none, pipeSignal) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigemptyset(&pipeSignal)
    unsafe sigaddset(&pipeSignal, SIGPIPE)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &pipeSignal)
    var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    #if canImport(Darwin)
      flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #endif
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var id = pid_t()
    let path = program.terminated
    let number = starting.withLock { _ in
      unsafe withAddresses(of: words) { words in
        unsafe withAddresses(of: variables) { variables in
          unsafe posix_spawn(&id, path, &actions, &attributes, words, variables)
        }
      }
    }
    if number != 0 { throw Refusal(number: number) }
    return id
  }

  /// Waits until a program has ended, and leaves its status to be asked for.
  static func waitForEnd(of id: pid_t) {
    var information = unsafe siginfo_t()
    _ = retrying { unsafe Int(waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT)) }
  }

  /// The status of a program that has ended, once; -1 if a signal ended it.
  static func status(of id: pid_t) -> Int32 {
    var status: Int32 = -1
    _ = retrying { Int(unsafe waitpid(id, &status, 0)) }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
  }

  static func end(_ id: pid_t) {
    kill(id, SIGKILL)
  }

  /// The arguments of this program, byte by byte.
  static func arguments() -> [ByteString] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
      return ByteString(
        unsafe UnsafeBufferPointer(start: argument, count: strlen(argument))
          .map { UInt8(bitPattern: $0) })
    }
  }

  /// A list of addresses as C has it, ended by none; the bytes live as long as the call.
  private static func withAddresses<Result>(
    of words: [[CChar]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = unsafe words.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies + [nil])
  }
}

extension ByteString {
  /// The bytes as C has them, up to a zero.
  var terminated: [CChar] {
    bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
  }
}
