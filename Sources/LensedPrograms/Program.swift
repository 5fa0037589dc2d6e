#if os(Linux) || os(macOS)
  public import Foundation
  import Synchronization

  /// A program that runs beside this one.
  ///
  /// It stands for Foundation's `Process`, which takes no arguments but UTF-8, and on Linux forgets to watch for the end of
  /// some programs when several are started at once; a wait for one of those never returns.
  ///
  /// ```swift
  /// let git = try Program("/usr/bin/env", ["git", "--version"], output: .pipe)
  /// let version = try git.output?.readToEnd()
  /// #expect(git.wait() == 0)
  /// ```
  ///
  /// A program that was not waited for is killed with its last reference.
  public final class Program: Sendable {
    /// Where a program reads from or writes to.
    public enum Stream: Sendable {
      /// Nowhere.
      case nothing
      /// Where this program does.
      case inherited
      /// From the beginning of a file, or to its end.
      case file(URL)
      /// A pipe, whose other end is the handle of the same name.
      case pipe
    }

    /// Why a program could not be started, in the system's words.
    public struct Refusal: Error, CustomStringConvertible {
      /// The file and the reason.
      public let description: String

      fileprivate init(_ number: Int32, _ path: String) {
        description = unsafe "\(path): \(String(cString: strerror(number)))"
      }
    }

    /// Its number, which stands for it until it was waited for.
    public let id: pid_t
    /// The other ends of its pipes, which no program inherits.
    public let input, output, errors: FileHandle?

    /// How the program ended; nil until a wait has taken its status.
    private let status = Mutex<Int32?>(nil)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: Its file.
    ///   - arguments: What follows its name.
    ///   - environment: All of its variables; nil for those of this program.
    ///   - folder: Where it runs; nil for where this program does.
    ///   - input: What it reads.
    ///   - output: Where its results go.
    ///   - errors: Where its complaints go.
    /// - Throws: Why it could not be started.
    public convenience init(
      _ path: String, _ arguments: [String] = [], environment: [String: String]? = nil,
      in folder: URL? = nil, input: Stream = .nothing, output: Stream = .inherited,
      errors: Stream = .inherited
    ) throws(Refusal) {
      let start = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#]
      let words = (folder.map { start + [$0.path] } ?? []) + [path] + arguments
      try self.init(
        Array(words[0].utf8), words.dropFirst().map { Array($0.utf8) }, environment: environment,
        input: input, output: output, errors: errors)
    }

    /// Starts a program by a name of any bytes, with arguments of any bytes; they end at a zero.
    ///
    /// - Parameters:
    ///   - path: Its file.
    ///   - arguments: What follows its name.
    ///   - environment: All of its variables; nil for those of this program.
    ///   - input: What it reads.
    ///   - output: Where its results go.
    ///   - errors: Where its complaints go.
    /// - Throws: Why it could not be started.
    public init(
      _ path: [UInt8], _ arguments: [[UInt8]], environment: [String: String]? = nil,
      input: Stream = .nothing, output: Stream = .inherited, errors: Stream = .inherited
    ) throws(Refusal) {
      var setup = Setup(String(decoding: path, as: UTF8.self))
      defer { setup.end() }
      self.input = try setup.connect(input, to: 0)
      self.output = try setup.connect(output, to: 1)
      self.errors = try setup.connect(errors, to: 2)
      let variables = environment ?? ProcessInfo.processInfo.environment
      id = try setup.start(
        [path] + arguments, variables.map { Array("\($0.key)=\($0.value)".utf8) })
    }

    deinit {
      kill()
      _ = wait()
    }

    /// Sends the program a signal, unless it was waited for; by default one that ends it at once.
    public func kill(_ signal: Int32? = nil) {
      status.withLock { status in
        if status == nil { _ = Foundation.kill(id, signal ?? SIGKILL) }
      }
    }

    /// Waits, on this thread, until it has ended.
    ///
    /// - Returns: Its exit status; that of a signal is negative.
    @discardableResult
    public func wait() -> Int32 {
      // This leaves the status, which is taken under the lock below. So no signal is sent to a number that is another
      // program's by then.
      if status.withLock({ $0 }) == nil {
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) == -1
          && errno == EINTR
        {}
      }
      return status.withLock { known in
        if let known { return known }
        var raw: Int32 = 0
        while unsafe waitpid(id, &raw, 0) == -1 && errno == EINTR {}
        let status = raw & 0x7F == 0 ? raw >> 8 & 0xFF : -(raw & 0x7F)
        known = status
        return status
      }
    }

    /// Waits until it has ended, on a thread of its own.
    @discardableResult
    public func ended() async -> Int32 {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: self.wait()) }
      }
    }
  }

  /// What a program is started with: its descriptors, the tests' ends of which no program inherits.
  @safe private struct Setup: ~Copyable {
    #if canImport(Darwin)
      private var actions: posix_spawn_file_actions_t?
      private var attributes: posix_spawnattr_t?
    #else
      private var actions = unsafe posix_spawn_file_actions_t()
      private var attributes = posix_spawnattr_t()
    #endif
    /// Held while a program starts, and while a pipe is made.
    private static let starting = Mutex(())

    /// The ends of pipes that are the program's.
    private var theirs: [Int32] = []
    /// The program, for errors.
    private let path: String

    init(_ path: String) {
      self.path = path
      unsafe posix_spawn_file_actions_init(&actions)
      unsafe posix_spawnattr_init(&attributes)
    }

    mutating func connect(
      _ stream: Program.Stream, to number: Int32
    ) throws(Program.Refusal) -> FileHandle? {
      switch stream {
      case .inherited: return nil
      case .nothing:
        unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        return nil
      case .file(let url):
        let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND
        unsafe posix_spawn_file_actions_addopen(&actions, number, url.path, flags, 0o600)
        return nil
      case .pipe:
        // A program that started before its ends are closed for it would hold them open.
        let ends = Setup.starting.withLock { _ in
          var ends: [Int32] = [-1, -1]
          if unsafe Foundation.pipe(&ends) != 0 { return [Int32]() }
          // Where a standard descriptor was closed, a pipe would stand in for it.
          return ends.map { end in
            defer { close(end) }
            return fcntl(end, F_DUPFD_CLOEXEC, 3)
          }
        }
        if ends.isEmpty || ends.contains(-1) {
          let reason = errno
          for end in ends where end != -1 { close(end) }
          throw Program.Refusal(reason, path)
        }
        let (their, own) = number == 0 ? (ends[0], ends[1]) : (ends[1], ends[0])
        theirs.append(their)
        unsafe posix_spawn_file_actions_adddup2(&actions, their, number)
        return FileHandle(fileDescriptor: own, closeOnDealloc: true)
      }
    }

    mutating func start(
      _ words: [[UInt8]], _ variables: [[UInt8]]
    ) throws(Program.Refusal) -> pid_t {
      var (none, pipeSignal) = (sigset_t(), sigset_t())
      unsafe sigemptyset(&none)
      unsafe sigemptyset(&pipeSignal)
      unsafe sigaddset(&pipeSignal, SIGPIPE)
      unsafe posix_spawnattr_setsigmask(&attributes, &none)
      unsafe posix_spawnattr_setsigdefault(&attributes, &pipeSignal)
      unsafe posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
      var copies = unsafe (words: Self.copies(of: words), variables: Self.copies(of: variables))
      defer { unsafe (copies.words + copies.variables).forEach { unsafe free($0) } }
      var id = pid_t()
      let number = Setup.starting.withLock { _ in
        unsafe posix_spawn(
          &id, Self.terminated(words[0]), &actions, &attributes, &copies.words, &copies.variables)
      }
      if number != 0 { throw Program.Refusal(number, path) }
      return id
    }

    /// Closes what is the program's, whether it was started or not.
    mutating func end() {
      for end in theirs { close(end) }
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }

    /// A list of texts as C has it, ended by a null pointer.
    private static func copies(of texts: [[UInt8]]) -> [UnsafeMutablePointer<CChar>?] {
      unsafe texts.map { unsafe strdup(terminated($0)) } + [nil]
    }

    private static func terminated(_ text: [UInt8]) -> [CChar] {
      text.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
    }
  }
#endif
